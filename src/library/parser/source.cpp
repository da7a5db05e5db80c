#include "callcost/source.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace callcost {

Source from_memory(std::string_view bytes, std::string name) {
    Source source;
    source.name = std::move(name);
    source.size = bytes.size();
    source.read = [rest = bytes](std::span<char> to) mutable -> Result<std::size_t> {
        const std::size_t size = std::min(rest.size(), to.size());
        std::copy_n(rest.data(), size, to.data());
        rest.remove_prefix(size);
        return size;
    };
    return source;
}

Source detail::from_string(std::string bytes, std::string name) {
    // Copies of the Source share the bytes; each reads them from the place that it has come to.
    const auto owned = std::make_shared<const std::string>(std::move(bytes));
    Source source = from_memory(std::string_view(*owned), std::move(name));
    source.read = [owned, read = std::move(source.read)](std::span<char> to) { return read(to); };
    return source;
}

Sink to_memory(std::string& bytes) {
    return [&bytes](std::string_view more) -> Result<void> {
        bytes += more;
        return {};
    };
}

}  // namespace callcost
