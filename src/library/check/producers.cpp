#include "check/producers.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "profile/event_facts.hpp"

namespace callcost {
namespace {

using enum CheckId;

constexpr std::uint32_t checks(std::initializer_list<CheckId> ids) {
    std::uint32_t bits = 0;
    for (const CheckId id : ids) bits |= 1U << static_cast<unsigned>(id);
    return bits;
}

// Rounded costs, or samples of stacks: what goes in is only about what comes out.
constexpr std::uint32_t rounding =
    checks({functions_balance, cycles_balance, arcs_within_callee, inclusive_within_total});
constexpr std::uint32_t no_roots = checks({has_root});

// What each breaks in sound files: docs/checks.md. Longer beginnings of `creator:` stand before shorter ones.
constexpr std::array<Producer, 28> known{{
    {"Callgrind 0.10",
     "callgrind-0.",
     {},
     checks({ids_defined, summary_covers_totals, functions_balance, cycles_balance, callees_recorded,
             names_clean})},
    {"Callgrind",
     "callgrind-",
     {},
     checks({ids_defined, summary_covers_totals, functions_balance, cycles_balance, arcs_within_callee,
             counts_known, costs_not_negative, callees_recorded, names_clean})},
    {"Valgrind's heap profilers",
     "xtree-",
     {},
     rounding | checks({totals_are_sums, counts_known, columns_fit})},
    {"Xdebug",
     "xdebug ",
     {},
     rounding | no_roots |
         checks({summary_covers_totals, costs_not_negative, callees_match, targets_complete})},
    {"HHVM", "hhvm", {}, rounding | checks({summary_covers_totals, callees_match, targets_complete})},
    {"phpspy", "phpspy", {}, checks({counts_known, positions_not_negative})},
    {"reli-prof", "reli", {}, checks({counts_known, positions_not_negative})},
    {"yappi", "yappi", {}, rounding | no_roots | checks({ids_defined, callees_recorded})},
    {"pprofile", "pprofile", {}, rounding | no_roots | checks({callees_recorded})},
    {"stackprof",
     "stackprof",
     {},
     rounding | no_roots | checks({totals_are_sums, summary_covers_totals, callees_recorded, callees_match})},
    {"GNU remake", "remake ", {}, rounding | checks({summary_covers_totals, callees_match})},
    {"eep",
     "Erlang Easy Profiling",
     {},
     rounding | no_roots | checks({summary_covers_totals, counts_known, callees_recorded, names_clean})},
    {"looking_glass",
     "looking_glass",
     {},
     rounding | no_roots | checks({summary_covers_totals, counts_known, names_clean})},
    {"erlgrind",
     "erlgrind",
     {},
     rounding | no_roots | checks({summary_covers_totals, counts_known, names_clean})},
    {"gdb_callgrind", "gdb_callgrind", {}, checks({targets_complete, callees_recorded})},
    {"bpf-profile", "bpf-profile", {}, checks({totals_are_sums, summary_covers_totals})},
    {"KLEE", "klee", {}, rounding | checks({callees_match})},
    {"pyprof2calltree", {}, "ns", rounding | no_roots},
    {"Go's pprof",
     {},
     "*)",
     rounding | checks({counts_known, costs_not_negative, callees_recorded, callees_match})},
    {"ruby-prof", {}, "wall_time", rounding | no_roots},
    {"ruby-prof", {}, "process_time", rounding | no_roots},
    {"ruby-prof", {}, "allocations", rounding | no_roots},
    {"ruby-prof", {}, "memory", rounding | no_roots},
    {"gperftools' pprof", {}, "Hits", rounding | checks({callees_recorded})},
    {"dprof2calltree", {}, "Tick", rounding | checks({targets_complete})},
    {"lua-callgrind",
     {},
     "Instructions",
     rounding | no_roots | checks({positions_not_negative, callees_recorded})},
    {"memprof2calltree", {}, "Allocated", checks({counts_known, callees_recorded})},
    {"perfgrind", {}, "Cycles", rounding | no_roots | checks({callees_recorded})},
}};

/// Devel::NYTProf and lsprofcalltree call their only event type alike; only the latter sums it up.
constexpr Producer nytprof{"Devel::NYTProf", {}, "Ticks", rounding | no_roots | checks({callees_recorded})};
constexpr Producer lsprofcalltree{
    "lsprofcalltree",
    {},
    "Ticks",
    rounding | no_roots | checks({summary_covers_totals, callees_recorded, callees_match})};
constexpr Producer erlgrind{
    "erlgrind",
    {},
    "Time",
    rounding | no_roots | checks({summary_covers_totals, counts_known, callees_recorded, names_clean})};
constexpr Producer cachegrind{"Cachegrind", {}, {}, checks({costs_not_negative, names_clean})};

const Producer* producer_of(const Profile& profile, const Part& part) {
    if (part.dialect == Dialect::cachegrind) return &cachegrind;
    const std::string_view event =
        part.events.empty() ? std::string_view() : profile.events()[part.events.front().value].name;
    if (part.creator.empty() && part.command.empty()) {
        if (event == "Ticks") return part.summary ? &lsprofcalltree : &nytprof;
        if (event == "Time" && part.summary) return &erlgrind;
    }
    const auto matches = [&](const Producer& producer) {
        if (producer.name.empty()) return false;
        if (!producer.creator.empty()) return origin_of(part.creator).starts_with(producer.creator);
        if (!part.creator.empty()) return false;
        if (!producer.event.starts_with('*')) return event == producer.event;
        return event.ends_with(producer.event.substr(1)) && event.find('(') != std::string_view::npos &&
               event.find("_(") == std::string_view::npos;
    };
    const auto* const found = std::find_if(known.begin(), known.end(), matches);
    return found == known.end() ? nullptr : found;
}

}  // namespace

const Producer* producer_of(const Profile& profile) {
    const auto parts = profile.parts();
    if (parts.empty()) return nullptr;
    const Producer* const first = producer_of(profile, parts.front());
    const bool is_one = std::all_of(parts.begin(), parts.end(),
                                    [&](const Part& part) { return producer_of(profile, part) == first; });
    return is_one ? first : nullptr;
}

}  // namespace callcost
