// A project's callcost.toml: it says options, or it is said where it does not. None of them leads out of the
// project.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "configuration/configuration.hpp"
#include "record_sums.hpp"

namespace callcost::fuzz {
namespace {

namespace fs = std::filesystem;
using program::ConfiguredOption;

bool is_inside(const fs::path& path, const fs::path& folder) {
    std::error_code ignored;
    const auto real = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
    return std::mismatch(folder.begin(), folder.end(), real.begin(), real.end()).first == folder.end();
}

void demand_sound(const std::vector<ConfiguredOption>& options, const fs::path& folder) {
    for (const auto& [option, values, place] : options) {
        demand(option.starts_with("--") && !values.empty() && !place.empty());
        for (const auto& value : values) {
            demand(value.find('\0') == std::string::npos);
            if (option == "--accept" || option == "--output" || option == "--include")
                demand(is_inside(value, folder));
            if (option == "--source-map") demand(is_inside(value.substr(value.find('=') + 1), folder));
        }
    }
}

void check(std::string_view text, const std::string& path) {
    const auto folder = fs::weakly_canonical(fs::absolute(path).parent_path());
    const auto configuration = program::parse_configuration(text, path);
    if (!configuration)
        return demand(!configuration.error().place.empty() && !configuration.error().message.empty());
    demand_sound(configuration->sources, folder);
    demand_sound(configuration->gate, folder);
    for (const auto& [name, program] : configuration->programs) {
        demand(!name.empty() && !program.program.empty());
        demand_sound(program.options, folder);
        demand_sound(program.gate, folder);
    }
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const char* path : {"callcost.toml", "../callcost.toml"}) callcost::fuzz::check(text, path);
    return 0;
}
