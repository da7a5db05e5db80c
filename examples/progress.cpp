// Several files added up, with progress, cancelled when it is too much.
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <callcost/file.hpp>
#include <callcost/read.hpp>

int main(int argc, char** argv) {
    const std::uint64_t most = 200'000;  // bytes of one file
    callcost::ProfileReader reader({
        .detail = callcost::Detail::functions,  // no lines, no choice of parts: less memory
        .on_progress =
            [&](const callcost::Progress& progress) {
                std::cerr << "\r" << progress.bytes_done << " of " << progress.bytes_total << " bytes ";
                return progress.bytes_done <= most;
            },
        .chunk_size = 16 * 1024,
    });

    for (const std::string& name : std::vector<std::string>(argv + 1, argv + argc)) {
        const auto added = callcost::from_file(name).and_then(
            [&](const callcost::Source& source) { return reader.add(source); });
        if (added) continue;
        std::cout << added.error() << '\n';
        if (added.error().code == callcost::ErrorCode::cancelled) return 1;
    }
    const auto profile = std::move(reader).finish();
    for (std::size_t row = 0; row < profile.events().size(); ++row)
        std::cout << profile.total(callcost::EventId{row}) << ' ' << profile.events()[row].name << '\n';
}
