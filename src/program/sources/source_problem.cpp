#include "sources/source_problem.hpp"

namespace callcost::program {

std::string reason_text(const SourceProblem& problem) {
    switch (problem.reason) {
        case NoSource::unnamed:
        case NoSource::missing:
            return {};
        case NoSource::not_a_file:
            return problem.detail;
        case NoSource::unreadable:
            return "cannot be read: " + problem.detail;
        case NoSource::too_large:
            return "too large";
        case NoSource::binary:
            return "not text";
        case NoSource::ambiguous: {
            std::string text = "several files match:";
            for (const auto& candidate : problem.candidates) text += " " + candidate;
            return text;
        }
        case NoSource::search_limit:
            return "the include directories hold too many files to look at all";
    }
    return {};
}

}  // namespace callcost::program
