/// The machine code of a function: what each instruction costs, and its text where there is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include "query/view.hpp"
#include <callcost/lines.hpp>

namespace callcost::engine {

class FunctionCode {
  public:
    /// Of the profile `side`, which must outlive this. `disassemble` gets the name of the object and the
    /// address ranges with cost, and yields MachineCode. Beyond `max_instructions` there are only those with
    /// cost.
    template <class Disassemble>
    FunctionCode(const Side& side, NodeId node, Disassemble disassemble, std::size_t max_instructions)
        : side_(&side), node_(node) {
        if (const auto ranges = read_costs(); !ranges.empty())
            code_ = disassemble(graph().object(node), std::span<const AddressRange>(ranges));
        add_texts(max_instructions);
    }
    FunctionCode(const FunctionCode&) = delete;
    FunctionCode& operator=(const FunctionCode&) = delete;
    FunctionCode(FunctionCode&&) = default;
    ~FunctionCode() = default;

    [[nodiscard]] const CallGraph& graph() const { return side_->graph(); }
    [[nodiscard]] const Side& side() const { return *side_; }
    [[nodiscard]] NodeId node() const { return node_; }
    /// Where the code was found, and what is wrong with it.
    [[nodiscard]] const MachineCode& code() const { return code_; }

    /// By address; those without cost have no `self`. Costs are by the columns of `side`, and behind them by
    /// what counts executions.
    [[nodiscard]] const std::vector<InstructionCost>& rows() const { return rows_; }
    /// Null where it is not known.
    [[nodiscard]] const Instruction* text(std::size_t row) const { return texts_[row]; }
    [[nodiscard]] bool has_text() const;
    [[nodiscard]] bool has_place(std::size_t row) const { return !rows_[row].self.empty(); }
    [[nodiscard]] std::string_view file(std::size_t row) const {
        return has_place(row) ? graph().profile().name(rows_[row].file) : std::string_view();
    }
    [[nodiscard]] Cost self(std::size_t row, std::size_t column) const {
        return has_place(row) ? rows_[row].self[column] : Cost();
    }
    /// Whether there is code before a row that is not in the list.
    [[nodiscard]] bool is_gap_before(std::size_t row) const;
    [[nodiscard]] std::vector<CodeLine> lines(bool with_texts) const;
    [[nodiscard]] ControlFlow flow() const { return control_flow(rows_, executions_); }

    /// Then there are only rows with cost.
    void leave_out_code();

  private:
    [[nodiscard]] std::vector<AddressRange> read_costs();
    void add_texts(std::size_t max_instructions);

    const Side* side_;
    NodeId node_;
    std::optional<std::size_t> executions_;  // column that counts them
    MachineCode code_;
    std::vector<InstructionCost> rows_;
    std::vector<const Instruction*> texts_;  // by row, of `code_`
};

}  // namespace callcost::engine
