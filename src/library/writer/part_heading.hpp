/// The header lines of a part that is being written (W1-W5).
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "callcost/writer.hpp"
#include "writer/output_text.hpp"
#include "writer/written_names.hpp"

namespace callcost {

[[nodiscard]] inline tl::unexpected<Error> misuse(std::string detail) {
    return tl::unexpected(Error{.code = ErrorCode::bad_argument, .detail = std::move(detail)});
}

/// Where a heading stands.
struct HeadingPlace {
    bool begins_file = true;
    bool begins_run = true;  ///< false: creator and command are those of the part before
    bool addresses = false;  ///< the part's lines have them
};

/// `creator:` of a part.
[[nodiscard]] std::string creator_of(const PartHeading& heading, const WriterOptions& options);

[[nodiscard]] Result<void> check_heading(const PartHeading& heading, const WriterOptions& options,
                                         bool begins_file);
/// `described`: the event types whose long name the run has already.
void put_heading(OutputText& text, const PartHeading& heading, const WriterOptions& options,
                 const HeadingPlace& place, std::set<std::string>& described, LeftOut& left_out);
/// ` 1 2 3` and the end of the line.
void put_numbers(OutputText& text, std::span<const Cost> numbers);

}  // namespace callcost
