/// The machine code of a function with the cost, the calls and the jumps of its instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/cost_cells.hpp"
#include "sources/disassembly.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/style.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {

/// A function, and what is known of its code.
struct FunctionCode {
    NodeId node;
    std::string path;                       ///< where its object was found; empty: nowhere
    bool is_guess = false;                  ///< the path matches the recorded name by suffix only
    std::string problem, hint;              ///< why there is no code, or why it may be wrong
    std::vector<InstructionCost> rows;      ///< of code_listing(), with costs by LineMeasures::all
    std::vector<engine::Instruction> code;  ///< by address
    ControlFlow flow;                       ///< of the rows, for JSON

    /// Null where there is none.
    [[nodiscard]] const engine::Instruction* instruction(std::uint64_t address) const;
    /// Whether there is code before a row that is not shown.
    [[nodiscard]] bool is_gap_before(std::size_t row) const;
};

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
                        const FunctionCode& function, const InstructionListingOptions& options,
                        const engine::Style& style);

/// The members of a function's object.
void write_instructions(engine::JsonWriter& json, const CallGraph& graph, const ContextNames& contexts,
                        const LineMeasures& measures, const FunctionCode& function,
                        const std::function<void()>& after_row);

/// A row per instruction, call and jump.
void write_instruction_titles(engine::CsvWriter& csv, const LineMeasures& measures);
void write_instructions(engine::CsvWriter& csv, const CallGraph& graph, const LineMeasures& measures,
                        const FunctionCode& function, const std::function<void()>& after_row);

}  // namespace callcost::program
