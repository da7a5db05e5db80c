#include "sources/source_problem.hpp"

namespace callcost::render {

std::string reason_text(const code::SourceProblem& problem) {
    switch (problem.reason) {
        case code::NoSource::unnamed:
        case code::NoSource::missing:
            return {};
        case code::NoSource::not_a_file:
            return problem.detail;
        case code::NoSource::unreadable:
            return "cannot be read: " + problem.detail;
        case code::NoSource::too_large:
            return "too large";
        case code::NoSource::binary:
            return "not text";
        case code::NoSource::ambiguous: {
            std::string text = "several files match:";
            for (const auto& candidate : problem.candidates) text += " " + candidate;
            return text;
        }
        case code::NoSource::search_limit:
            return "the include directories hold too many files to look at all";
    }
    return {};
}

}  // namespace callcost::render
