#include "loading/filled_names.hpp"

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

std::string_view own_piece_of(std::string_view name) { return name.substr(0, name.find('\'')); }

/// Code that is in no object, by its address; callers in names, too, unless an object has a function of the
/// same name.
std::vector<std::string> names_by(const PerfMap& map, const Profile& profile, NamedByMap& counts,
                                  RoomForNames& room) {
    std::set<std::string_view> elsewhere, counted;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const FunctionId function(row);
        const auto own = own_piece_of(profile.name(function));
        if (profile.object(function) != ObjectId(0) && address_as_name(own)) elsewhere.insert(own);
    }
    std::vector<std::string> names(profile.function_count());
    for (std::size_t row = 0; row < names.size(); ++row) {
        const FunctionId function(row);
        const auto name = profile.name(function);
        if (name.find("0x") == std::string_view::npos) continue;
        const bool has_object = profile.object(function) != ObjectId(0);
        names[row] = room.named(name, [&](std::string_view piece, bool is_caller) -> std::string_view {
            const auto address = address_as_name(piece);
            if (!address || (is_caller ? elsewhere.contains(piece) : has_object)) return {};
            const auto found = map.at(*address);
            if (!is_caller && counted.insert(piece).second) counts.add(found);
            return found.name;
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

std::optional<Profile> with_mapped_names(const Profile& profile, const InputOptions& options,
                                         const Console& console, RoomForNames room) {
    if (options.perf_map.empty()) return profile;
    const auto text = read_perf_map(options.perf_map);
    const auto file = engine::display_name(options.perf_map);
    if (!text) {
        console.say(Severity::error, fmt::format("--perf-map {}: cannot be read, or is too large", file));
        return std::nullopt;
    }
    NamedByMap counts;
    const auto names = names_by(PerfMap(*text), profile, counts, room);
    auto renamed = rename_functions(profile, names);
    if (counts.named == 0 || !renamed) {
        console.say(Severity::warning, fmt::format("--perf-map {}: names no function of the profile", file),
                    "it must be of the same process");
        return profile;
    }
    console.say(Severity::note, message(counts, file));
    say_if_full(console, room.is_full());
    return *std::move(renamed);
}

Profile with_symbols(const Profile& profile, const InputOptions& options, const Console& console,
                     RoomForNames room) {
    auto found =
        find_names(profile, debug_search(profile, program_search(profile, options.programs), options.inlined),
                   options.debuginfod, room);
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
    const RoomForNames room(size_of_names(profile));  // for either
    auto named = with_mapped_names(profile, options, console, room);
    if (!named) return std::nullopt;
    if (options.inlined == When::never && !options.debuginfod) return named;
    return with_symbols(*named, options, console, room);
}

}  // namespace callcost::program
