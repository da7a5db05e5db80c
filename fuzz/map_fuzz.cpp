// What is read beside a profile and says what its code is: the first byte chooses what the text is, maps that
// a runtime wrote for perf or inlined code as JSON. The profile follows a line "%%"; without it there is a
// small one.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "record_sums.hpp"
#include "recording/completed_profile.hpp"
#include "sources/perf_map.hpp"
#include "text/inline_maps_json.hpp"
#include <callcost/inlining.hpp>
#include <callcost/read.hpp>

namespace callcost::fuzz {
namespace {

using program::PerfMap;

// What takes longer than it teaches.
constexpr std::size_t max_bytes = 64 * 1024;

constexpr std::string_view small_profile =
    "# callgrind format\nversion: 1\npositions: instr line\nevents: Ir\n\nob=(1) /bin/a\nfl=(1) a.c\nfn=(1) "
    "main\n"
    "0x10 1 1\n0x18 2 2\ncob=(2) ???\ncfi=(2) ???\ncfn=(2) 0x5000\ncalls=1 0x5000 0\n0x20 1 2\n"
    "cob=(1)\ncfi=(1)\ncfn=(3) f\ncalls=1 0x30 5\n0x28 3 4\nfn=(3)\n0x30 5 1\n0x38 6 3\n"
    "ob=(2)\nfl=(2)\nfn=(2)\n0x5000 0 2\nfn=(4) 0x5008'0x5000'main\n0x5008 0 2\n";

std::optional<Profile> profile_of(std::string_view text) {
    auto profile = read_profile(from_memory(text));
    if (!profile) return std::nullopt;
    return *std::move(profile);
}

void demand_same_totals(const Profile& a, const Profile& b) {
    demand(a.events().size() == b.events().size() && a.parts().size() == b.parts().size());
    for (std::size_t row = 0; row < a.events().size(); ++row)
        demand(a.total(EventId(row)) == b.total(EventId(row)));
}

// --- maps for perf ---

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        lines.push_back(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
    }
    return lines;
}

/// Names are fit for a profile, and do not depend on the order of the lines.
void check_perf_map(std::string_view text) {
    const PerfMap map(text);
    auto lines = lines_of(text);
    std::string reversed;
    std::reverse(lines.begin(), lines.end());
    for (const auto& line : lines) reversed.append(line).append("\n");
    const PerfMap other(reversed);
    std::vector<std::uint64_t> addresses = {0, 1, UINT64_MAX};
    for (const auto line : lines) {
        const auto address = program::address_as_name(
            "0x" + std::string(line.substr(0, std::min(line.find(' '), line.size()))));
        if (!address) continue;
        for (const std::uint64_t distance : {0ULL, 1ULL, ~0ULL}) addresses.push_back(*address + distance);
    }
    for (const auto address : addresses) {
        const auto named = map.at(address);
        const auto again = other.at(address);
        demand(named.name == again.name && named.is_ambiguous == again.is_ambiguous);
        demand(named.name.empty() || !named.is_ambiguous);
        demand(named.name.size() <= program::max_new_name);
        demand(std::none_of(named.name.begin(), named.name.end(), [](char c) {
            return c == '\'' || static_cast<unsigned char>(c) < ' ' || c == 0x7f;
        }));
    }
}

std::string completed(std::string_view text, const std::vector<std::string>& lines, const PerfMap& map) {
    std::istringstream file{std::string(text)};
    const auto code = program::recorded_code(file);
    demand(code.has_value() && code->size == text.size());
    file.clear();
    file.seekg(0);
    std::string out;
    const auto done = program::write_completed(file, *code, lines, map, to_memory(out));
    demand(done.has_value() && done->named + done->ambiguous <= done->all);
    return out;
}

/// Without anything to add, the profile stays; else its costs do.
void check_completed(std::string_view map_text, std::string_view text) {
    const auto same = completed(text, {}, {});
    demand(same == std::string(text) + (text.empty() || text.ends_with('\n') ? "" : "\n"));
    const auto full = completed(text, {"desc: Build-id: 00ff /bin/a"}, PerfMap(map_text));
    const auto profile = profile_of(text);
    if (!profile) return;
    const auto after = profile_of(full);
    demand(after.has_value());
    demand_same_totals(*profile, *after);
}

// --- inlined code ---

void check_inline_maps(std::string_view json, std::string_view text) {
    const auto maps = engine::inline_maps_from_json(json);
    if (!maps) return;
    const auto written = engine::inline_maps_to_json(*maps);
    const auto again = engine::inline_maps_from_json(written);
    demand(again.has_value() && engine::inline_maps_to_json(*again) == written);
    const auto profile = profile_of(text);
    if (!profile) return;
    for (const auto detail : {Detail::full, Detail::functions}) {
        const auto expanded = expand_inlined(*profile, *maps, detail);
        if (expanded)
            demand_same_totals(*profile, *expanded);
        else
            demand(expanded.error().code == ErrorCode::bad_argument ||
                   expanded.error().code == ErrorCode::too_large);
    }
}

void check(std::string_view bytes) {
    if (bytes.empty() || bytes.size() > max_bytes) return;
    constexpr std::string_view separator = "\n%%\n";
    const char choice = bytes.front();
    bytes.remove_prefix(1);
    const auto end = bytes.find(separator);
    const auto profile = end == std::string_view::npos ? small_profile : bytes.substr(end + separator.size());
    const auto text = bytes.substr(0, end);
    if (choice == 'p') {
        check_perf_map(text);
        check_completed(text, profile);
    } else {
        check_inline_maps(text, profile);
    }
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> bytes(data, data + size);  // its own memory: reading past its end is noticed
    callcost::fuzz::check({bytes.data(), bytes.size()});
    return 0;
}
