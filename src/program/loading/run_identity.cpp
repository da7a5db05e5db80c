#include "loading/run_identity.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "input/open.hpp"
#include "text/names.hpp"
#include <callcost/scanner.hpp>

namespace callcost::program {

RunIdentity run_identity(const std::string& file) {
    RunIdentity identity;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return identity;  // a pipe can be read only once
    auto source = open_source(file);
    if (!source) return identity;
    // A header is short: of no large file more is read than that.
    constexpr std::size_t header_bytes = 4096;
    constexpr int max_batches = 16;
    EventReader reader(*std::move(source), {.chunk_size = header_bytes});
    for (int i = 0; i < max_batches; ++i) {
        const auto batch = reader.next();
        if (!batch || *batch == nullptr) return identity;
        for (const auto& event : (*batch)->events) {
            if (event.kind == EventReader::Kind::function) return identity;  // behind it are further parts
            if (event.kind != EventReader::Kind::header) continue;
            const auto& header = (*batch)->headers[event.extra];
            if (header.key == "pid") identity.pid = header.value;
            if (header.key == "cmd") identity.command = header.value;
        }
    }
    return identity;
}

std::string difference(const RunIdentity& one, const RunIdentity& other) {
    if (!one.pid.empty() && !other.pid.empty() && one.pid != other.pid)
        return fmt::format("process {}, not {}", engine::display_name(one.pid),
                           engine::display_name(other.pid));
    if (!one.command.empty() && !other.command.empty() && one.command != other.command)
        return fmt::format("command '{}', not '{}'", engine::display_name(one.command),
                           engine::display_name(other.command));
    return {};
}

}  // namespace callcost::program
