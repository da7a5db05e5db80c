#include "loading/filled_names.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "inlining/unnamed_functions.hpp"
#include "loading/inlined_code.hpp"
#include "loading/inputs.hpp"
#include "sources/perf_map.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include <callcost/writer.hpp>

namespace callcost::program {
namespace {

/// Of functions in objects.
std::set<std::string, std::less<>> addresses_as_names(const Profile& profile) {
    std::set<std::string, std::less<>> names;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const FunctionId function(row);
        const auto own = own_piece(profile.name(function));
        if (profile.object(function) != ObjectId(0) && address_as_name(own)) names.emplace(own);
    }
    return names;
}

std::vector<std::string> names_by(NamesByMap& map, const Profile& profile, RoomForNames& room) {
    std::vector<std::string> names(profile.function_count());
    for (std::size_t row = 0; row < names.size(); ++row) {
        const FunctionId function(row);
        const auto name = profile.name(function);
        if (name.find("0x") == std::string_view::npos) continue;
        const bool has_object = profile.object(function) != ObjectId(0);
        names[row] = room.named(name, [&](std::string_view piece, bool is_caller) {
            return map.name_of(piece, is_caller, has_object);
        });
    }
    return names;
}

/// Functions of several files may share one.
std::size_t size_of_names(const Profile& profile) {
    std::set<const char*> seen;
    std::size_t size = 0;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const auto name = profile.name(FunctionId(row));
        if (name.find("0x") != std::string_view::npos && seen.insert(name.data()).second) size += name.size();
    }
    return size;
}

void say_if_full(const Console& console, bool is_full) {
    if (is_full)
        console.say(Severity::warning,
                    "names of functions are too long: some keep the addresses that they have for names");
}

std::optional<Profile> with_names_of_map(const Profile& profile, const std::string& path,
                                         std::string_view option, const Console& console, RoomForNames room) {
    if (path.empty()) return profile;
    const auto text = read_perf_map(path);
    const auto file = engine::display_name(path);
    if (!text) {
        console.say(Severity::error, fmt::format("{} {}: cannot be read, or is too large", option, file));
        return std::nullopt;
    }
    const PerfMap map(*text);
    NamesByMap by_map(map, addresses_as_names(profile));
    auto renamed = rename_functions(profile, names_by(by_map, profile, room));
    if (by_map.counts().named == 0 || !renamed) {
        console.say(Severity::warning, fmt::format("{} {}: names no function of the profile", option, file),
                    "it must be of the same process");
        return profile;
    }
    console.say(Severity::note, message(by_map.counts(), file));
    say_if_full(console, room.is_full());
    return *std::move(renamed);
}

Profile with_symbols(const Profile& profile, const InputOptions& options, const Console& console,
                     RoomForNames room) {
    if (options.debuginfod && environment("DEBUGINFOD_URLS").value_or("").empty())
        console.say(Severity::warning, "--debuginfod: DEBUGINFOD_URLS names no server",
                    "on Debian: DEBUGINFOD_URLS=https://debuginfod.debian.net");
    auto found =
        find_names(profile, debug_search(profile, program_search(profile, options.programs), options), room);
    if (!found.problem.empty()) console.say(Severity::warning, "--debuginfod: " + found.problem, found.hint);
    if (found.named == 0) return profile;
    auto renamed = rename_functions(profile, found.names);
    if (!renamed) return profile;
    const auto others = found.files.size() - 1;
    console.say(
        Severity::note,
        fmt::format(
            "{} of {} functions without names are named by {}{}", found.named, found.unnamed,
            engine::display_name(found.files.front()),
            others == 0 ? "" : fmt::format(" and {}", engine::counted(others, "more file", console.err))));
    say_if_full(console, !found.are_all);
    return *std::move(renamed);
}

}  // namespace

std::optional<Profile> with_names(const Profile& profile, const InputOptions& options,
                                  const Console& console) {
    const bool wants_symbols = options.inlined != When::never || options.debuginfod;
    if (options.perf_map.empty() && !wants_symbols) return profile;
    const RoomForNames room(size_of_names(profile));  // for either
    auto named = with_names_of_map(profile, options.perf_map, "--perf-map", console, room);
    if (!named || !wants_symbols) return named;
    return with_symbols(*named, options, console, room);
}

std::optional<Profile> with_mapped_names(const Profile& profile, const std::string& path,
                                         std::string_view option, const Console& console) {
    return with_names_of_map(profile, path, option, console, RoomForNames(size_of_names(profile)));
}

}  // namespace callcost::program
