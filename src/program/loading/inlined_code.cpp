#include "loading/inlined_code.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "inlining/inline_cache.hpp"
#include "loading/inputs.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

/// What is not known: of the object that costs most, if that is more than hardly anything.
void say_what_is_missing(const Profile& profile, const InlineMaps& found, const Console& console) {
    const std::string message = "inlined code is not shown as functions: ";
    if (!found.problem.empty()) console.say(Severity::warning, message + found.problem, found.hint);
    if (found.missing.empty()) return;
    constexpr double hardly = 0.01;
    std::vector<std::uint64_t> costs(profile.object_count());
    for (std::size_t row = 0; row < profile.function_count() && !profile.events().empty(); ++row) {
        const FunctionId function(row);
        costs[profile.object(function).value] += profile.self(function, EventId(0)).magnitude();
    }
    const auto& most = *std::max_element(
        found.missing.begin(), found.missing.end(),
        [&](const auto& a, const auto& b) { return costs[a.object.value] < costs[b.object.value]; });
    const auto all = std::accumulate(costs.begin(), costs.end(), 0.0);
    if (static_cast<double>(costs[most.object.value]) < hardly * all) return;
    const auto others = found.missing.size() - 1;
    console.say(
        Severity::warning,
        fmt::format(
            "{}{}{}", message, most.problem,
            others == 0 ? "" : fmt::format(" (and {})", engine::counted(others, "more object", console.err))),
        most.hint);
}

}  // namespace

std::optional<InlineMaps> inlined_code(const Profile& profile, const InputOptions& options) {
    if (options.inlined == When::never) return std::nullopt;
    InlineMapOptions how;
    how.search = program_search(profile, options.programs);
    how.cache_directory = user_cache_directory();
    how.system_root = environment("SYSROOT").value_or("");
    return find_inlined_code(profile, how);
}

Profile with_inlined_functions(const Profile& profile, const InputOptions& options, const Console& console) {
    const auto found = options.keeps_inlined ? std::nullopt : inlined_code(profile, options);
    if (!found) return profile;
    if (options.inlined == When::always) say_what_is_missing(profile, *found, console);
    if (found->maps.empty()) return profile;
    auto expanded = expand_inlined(profile, found->maps);
    if (!expanded) {
        console.say(Severity::warning,
                    "inlined code is not shown as functions: " + expanded.error().message());
        return profile;
    }
    if (const auto stale = stale_message(*found); !stale.empty())
        console.say(Severity::warning, stale, "profile the program again");
    return *std::move(expanded);
}

}  // namespace callcost::program
