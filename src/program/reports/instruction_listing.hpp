/// The machine code of a function with the cost, the calls and the jumps of its instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "answers/function_code.hpp"
#include "reports/cost_cells.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

struct InstructionListingOptions {
    bool bytes = false;       ///< the instructions as the processor sees them
    std::size_t context = 8;  ///< instructions without cost that are shown around those with cost
    /// The text of a source line, empty if it is not known. Without it no source is shown.
    std::function<std::string_view(FileId file, std::uint64_t line)> source_line{};
    /// Where a source line is, as a link; may be empty.
    std::function<std::string(FileId file, std::uint64_t line)> url_of{};
    std::function<void()> after_row{};  ///< may take what is written so far
};

void write_instructions(std::string& out, const CallGraph& graph, const LineMeasures& measures,
                        const engine::FunctionCode& function, const InstructionListingOptions& options,
                        const engine::Style& style);

/// The members of a function's object.
void write_instructions(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                        const LineMeasures& measures, const engine::FunctionCode& function,
                        const std::function<void()>& after_row);

/// A row per instruction, call and jump.
void write_instruction_titles(engine::CsvWriter& csv, const CallGraph& graph, const LineMeasures& measures);
void write_instructions(engine::CsvWriter& csv, const CallGraph& graph, const LineMeasures& measures,
                        const engine::FunctionCode& function, const std::function<void()>& after_row);

}  // namespace callcost::program
