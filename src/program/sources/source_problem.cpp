#include "sources/source_problem.hpp"

namespace callcost::program {

std::string reason_text(const SourceProblem& problem) {
    switch (problem.reason) {
        case NoSource::unnamed:
        case NoSource::missing:
            return {};
        case NoSource::not_a_file:
            return problem.detail;
        case NoSource::elsewhere:
            return "outside the directories that source files are taken from";
        case NoSource::unreadable:
            return "cannot be read: " + problem.detail;
        case NoSource::too_large:
            return "too large";
        case NoSource::binary:
            return "not a text file";
        case NoSource::ambiguous: {
            std::string text = "several files match:";
            for (const auto& candidate : problem.candidates) text += " " + candidate;
            return text;
        }
        case NoSource::search_limit:
            return "too many files in the include directories to search them all";
    }
    return {};
}

}  // namespace callcost::program
