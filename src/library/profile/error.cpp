#include "callcost/error.hpp"

namespace callcost {

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::empty_file:
            return "empty-file";
        case ErrorCode::not_a_profile:
            return "not-a-profile";
        case ErrorCode::no_events:
            return "no-events";
        case ErrorCode::cannot_open:
            return "cannot-open";
        case ErrorCode::read_failed:
            return "read-failed";
        case ErrorCode::truncated_compression:
            return "truncated-compression";
        case ErrorCode::cancelled:
            return "cancelled";
        case ErrorCode::too_large:
            return "too-large";
        case ErrorCode::needs_detail:
            return "needs-detail";
        case ErrorCode::bad_formula:
            return "bad-formula";
        case ErrorCode::formula_cycle:
            return "formula-cycle";
        case ErrorCode::bad_argument:
            return "bad-argument";
    }
    return {};
}

}  // namespace callcost
