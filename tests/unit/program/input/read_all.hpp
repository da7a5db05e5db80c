/// Reads a Source to its end, as the library does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <callcost/source.hpp>

namespace callcost::test {

struct Everything {
    std::string text;
    std::optional<Error> error;
};

inline Everything read_all(const Source& source, std::size_t buffer_size = 64 * 1024) {
    Everything everything;
    std::vector<char> buffer(buffer_size);
    for (;;) {
        const auto count = source.read(buffer);
        if (!count) {
            everything.error = count.error();
            return everything;
        }
        if (*count == 0) return everything;
        everything.text.append(buffer.data(), *count);
    }
}

}  // namespace callcost::test
