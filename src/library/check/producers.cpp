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
constexpr std::array<Producer, 17> known{{
    {"Callgrind 0.10", "callgrind-0.",
     checks({ids_defined, summary_covers_totals, functions_balance, cycles_balance, callees_recorded,
             names_clean})},
    {"Callgrind", "callgrind-",
     checks({ids_defined, summary_covers_totals, functions_balance, cycles_balance, arcs_within_callee,
             counts_known, costs_not_negative, callees_recorded, names_clean})},
    {"Valgrind's heap profilers", "xtree-", rounding | checks({totals_are_sums, counts_known, columns_fit})},
    {"Xdebug", "xdebug ",
     rounding | no_roots |
         checks({summary_covers_totals, costs_not_negative, callees_match, targets_complete})},
    {"HHVM", "hhvm", rounding | checks({summary_covers_totals, callees_match, targets_complete})},
    {"phpspy", "phpspy", checks({counts_known, positions_not_negative})},
    {"reli-prof", "reli", checks({counts_known, positions_not_negative})},
    {"yappi", "yappi", rounding | no_roots | checks({ids_defined, callees_recorded})},
    {"pprofile", "pprofile", rounding | no_roots | checks({callees_recorded})},
    {"stackprof", "stackprof",
     rounding | no_roots | checks({totals_are_sums, summary_covers_totals, callees_recorded, callees_match})},
    {"GNU remake", "remake ", rounding | checks({summary_covers_totals, callees_match})},
    {"eep", "Erlang Easy Profiling",
     rounding | no_roots | checks({summary_covers_totals, counts_known, callees_recorded, names_clean})},
    {"looking_glass", "looking_glass",
     rounding | no_roots | checks({summary_covers_totals, counts_known, names_clean})},
    {"erlgrind", "erlgrind",
     rounding | no_roots | checks({summary_covers_totals, counts_known, names_clean})},
    {"gdb_callgrind", "gdb_callgrind", checks({targets_complete, callees_recorded})},
    {"bpf-profile", "bpf-profile", checks({totals_are_sums, summary_covers_totals})},
    {"KLEE", "klee", rounding | checks({callees_match})},
}};

/// What writes no creator: a guess by its first event type, or by how that ends after a '*'.
struct Guess {
    std::string_view name, event;
};
constexpr std::array<Guess, 12> guesses{{
    {"pyprof2calltree", "ns"},
    {"chrome2calltree", "ms"},
    {"Go's pprof", "*)"},
    {"ruby-prof", "wall_time"},
    {"ruby-prof", "process_time"},
    {"ruby-prof", "allocations"},
    {"ruby-prof", "memory"},
    {"gperftools' pprof", "Hits"},
    {"dprof2calltree", "Tick"},
    {"lua-callgrind", "Instructions"},
    {"memprof2calltree", "Allocated"},
    {"perfgrind", "Cycles"},
}};
constexpr Producer cachegrind{"Cachegrind", {}, checks({costs_not_negative, names_clean})};

const Producer* known_producer(const Part& part) {
    if (part.dialect == Dialect::cachegrind) return &cachegrind;
    const std::string_view origin = origin_of(part);
    const auto* const found = std::find_if(known.begin(), known.end(), [&](const Producer& producer) {
        return origin.starts_with(producer.creator);
    });
    return found == known.end() ? nullptr : found;
}

std::string_view guessed_producer(const Profile& profile, const Part& part) {
    if (!part.creator.empty() || part.events.empty()) return {};
    const std::string_view event = profile.events()[part.events.front().value].name;
    // Devel::NYTProf and lsprofcalltree call their only event type alike; only the latter sums it up.
    if (part.command.empty() && event == "Ticks") return part.summary ? "lsprofcalltree" : "Devel::NYTProf";
    if (part.command.empty() && event == "Time" && part.summary) return "erlgrind";
    const auto* const found = std::find_if(guesses.begin(), guesses.end(), [&](const Guess& guess) {
        if (!guess.event.starts_with('*')) return event == guess.event;
        return event.ends_with(guess.event.substr(1)) && event.find('(') != std::string_view::npos &&
               event.find("_(") == std::string_view::npos;
    });
    return found == guesses.end() ? std::string_view() : found->name;
}

/// What is said of every part; nothing where parts differ.
template <class Say>
auto common(const Profile& profile, Say say) -> decltype(say(profile.parts().front())) {
    const auto parts = profile.parts();
    if (parts.empty()) return {};
    const auto first = say(parts.front());
    const bool is_one =
        std::all_of(parts.begin(), parts.end(), [&](const Part& part) { return say(part) == first; });
    return is_one ? first : decltype(first){};
}

}  // namespace

const Producer* known_producer(const Profile& profile) {
    return common(profile, [](const Part& part) { return known_producer(part); });
}

std::string_view guessed_producer(const Profile& profile) {
    return common(profile, [&](const Part& part) { return guessed_producer(profile, part); });
}

}  // namespace callcost
