#include "loading/inlined_code.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "history/entry_name.hpp"
#include "inlining/address_names.hpp"
#include "inlining/inline_cache.hpp"
#include "loading/inputs.hpp"
#include "text/numbers.hpp"

namespace callcost::program {

namespace {

/// `is_old`: as those of a history may be.
InlineMapOptions debug_search(const SourceFinderOptions& search, const InputOptions& options, When wanted,
                              bool is_old) {
    InlineMapOptions how;
    how.asks_debuginfod = options.debuginfod;
    how.search = search;
    how.cache_directory = user_cache_directory();
    how.system_root = environment("SYSROOT").value_or("");
    how.needs_build_id_of_system = wanted == When::automatic;
    how.needs_build_id = wanted == When::automatic && is_old;
    return how;
}

bool is_of_history(const Profile& profile) {
    const auto sources = profile.sources();
    return std::any_of(sources.begin(), sources.end(),
                       [](const auto& source) { return is_entry_name(source.name); });
}

}  // namespace

InlineMapOptions debug_search(const Profile& profile, const SourceFinderOptions& search,
                              const InputOptions& options) {
    return debug_search(search, options, options.inlined, is_of_history(profile));
}

engine::FindNames names_from_programs(const std::string& file, const InputOptions& options) {
    if (options.leaves_addresses) return {};
    const auto wanted = options.inlined == When::always ? When::always : When::automatic;
    const bool is_file = file != "-";
    auto how = debug_search(program_search(is_file ? file : std::string(), options.programs), options, wanted,
                            is_entry_name(file));
    if (is_file && wanted == When::automatic) how.profile_time = modification_time(file);
    return [how = std::move(how)](std::span<const engine::MappedCode> codes,
                                  std::span<const engine::AddressInCode> addresses) {
        return names_of_addresses(codes, addresses, how);
    };
}

bool has_addresses(const Profile& profile) {
    return std::any_of(profile.parts().begin(), profile.parts().end(), [](const Part& part) {
        return std::find(part.positions.begin(), part.positions.end(), "instr") != part.positions.end();
    });
}

InlineMaps find_maps(const Profile& profile, const SourceFinderOptions& search, const InputOptions& options) {
    if (profile.has_inlined()) return {};  // as its file says
    // Without details, no file that was read has any.
    if (profile.detail() != Detail::full || !has_addresses(profile)) {
        InlineMaps none;
        none.problem = "the profile has no instruction addresses";
        none.hint = "'callcost record PROGRAM' records them";
        return none;
    }
    return find_inlined_code(profile, debug_search(profile, search, options));
}

std::optional<InlineMaps> inlined_code(const Profile& profile, const InputOptions& options) {
    if (options.inlined == When::never) return std::nullopt;
    return find_maps(profile, program_search(profile, options.programs), options);
}

std::vector<double> costs_of_objects(const Profile& profile) {
    std::vector<double> costs(profile.object_count());
    for (std::size_t row = 0; row < profile.function_count() && !profile.events().empty(); ++row) {
        const FunctionId function(row);
        costs[profile.object(function).value] +=
            static_cast<double>(profile.self(function, EventId(0)).magnitude());
    }
    return costs;
}

InlinedProblem what_is_missing(const Profile& profile, const InlineMaps& found) {
    if (found.missing.empty() || !found.problem.empty()) return {found.problem, found.hint};
    const auto costs = costs_of_objects(profile);
    const auto& most = *std::max_element(
        found.missing.begin(), found.missing.end(),
        [&](const auto& a, const auto& b) { return costs[a.object.value] < costs[b.object.value]; });
    const auto all = std::accumulate(costs.begin(), costs.end(), 0.0);
    if (costs[most.object.value] < hardly_any * all) return {};
    const auto others = found.missing.size() - 1;
    const auto more =
        others == 0 ? std::string() : fmt::format(" (and {})", engine::counted(others, "more object", {}));
    return {most.problem + more, most.hint, most.is_refused};
}

ExpandedProfile expand_by_programs(const Profile& profile, const InputOptions& options,
                                   const SourceFinderOptions& search, Detail detail) {
    ExpandedProfile expanded{profile, {}, {}, {}};
    if (options.inlined == When::never) return expanded;
    auto found = find_maps(profile, search, options);
    expanded.problem = what_is_missing(profile, found);
    expanded.servers = {std::move(found.server_problem), std::move(found.server_hint)};
    if (found.maps.empty()) return expanded;
    auto done = expand_inlined(profile, found.maps, detail);
    if (!done) {
        expanded.problem = {done.error().message(), {}};
        return expanded;
    }
    expanded.profile = *std::move(done);
    expanded.maps = std::move(found.maps);
    expanded.stale = stale_message(found);
    return expanded;
}

void say_what_is_missing(const InlinedProblem& problem, const Console& console) {
    if (!problem.message.empty())
        console.say(Severity::warning, "inlined code is not shown as functions: " + problem.message,
                    problem.hint);
}

void say_what_is_missing(const ExpandedProfile& expanded, const InputOptions& options,
                         const Console& console) {
    if (options.inlined == When::always || (expanded.problem.is_refused && !is_of_history(expanded.profile)))
        say_what_is_missing(expanded.problem, console);
    if (!expanded.servers.message.empty())
        console.say(Severity::warning,
                    "--debuginfod: no debug files for inlined code: " + expanded.servers.message,
                    expanded.servers.hint);
    if (!expanded.stale.empty()) console.say(Severity::warning, expanded.stale, "profile the program again");
}

Profile with_inlined_functions(const Profile& profile, const InputOptions& options, const Console& console,
                               Detail detail) {
    if (options.keeps_inlined) return profile;
    auto expanded = expand_by_programs(profile, options, program_search(profile, options.programs), detail);
    say_what_is_missing(expanded, options, console);
    return std::move(expanded.profile);
}

}  // namespace callcost::program
