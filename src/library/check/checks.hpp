/// What the checks of docs/checks.md are put together from.
#pragma once

#include <cstdint>
#include <string_view>

#include "callcost/check.hpp"

namespace callcost {

constexpr std::size_t max_breaches = 10;

/// Counts a violation; keeps it if it is one of the first.
inline void add_breach(Check& check, std::string_view subject, std::string_view event = {}, Cost stated = 0,
                       Cost found = 0, const Place* place = nullptr) {
    ++check.count;
    if (check.breaches.size() == max_breaches) return;
    check.breaches.push_back({place == nullptr ? Place{} : *place, std::string(subject.substr(0, 160)),
                              std::string(event), stated, found});
}

/// The checks of costs against each other, for every column that adds up: C6, C7, C8. Each is applicable if
/// its verdict is not not_applicable; those that found nothing hold.
struct BalanceChecks {
    Check functions{CheckId::functions_balance};
    Check cycles{CheckId::cycles_balance};
    Check arcs{CheckId::arcs_within_callee};
};
[[nodiscard]] BalanceChecks check_balance(const CallGraph& graph);

}  // namespace callcost
