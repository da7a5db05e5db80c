#include "answers/function_code.hpp"

#include <algorithm>

#include "text/jumps.hpp"

namespace callcost::engine {
namespace {

/// The place of the measure among them; behind them if it is none of them.
std::size_t column_of(std::vector<Measure>& columns, Measure measure) {
    const auto known = std::find_if(columns.begin(), columns.end(), [&](const Measure& of) {
        return of.name == measure.name && of.formula == measure.formula;
    });
    const auto column = static_cast<std::size_t>(known - columns.begin());
    if (known == columns.end()) columns.push_back(std::move(measure));
    return column;
}

}  // namespace

std::vector<AddressRange> FunctionCode::read_costs() {
    auto measures = side_->columns;
    if (auto counts = callcost::executions(graph())) executions_ = column_of(measures, *std::move(counts));
    auto rows = instructions(graph(), node_, measures);
    if (!rows) {
        code_.problem = rows.error().message();
        return {};
    }
    rows_ = *std::move(rows);
    auto ranges = code_ranges(rows_);
    if (ranges.empty()) {
        code_.problem = "the profile has no instruction addresses for this function";
        code_.hint = "'callcost record PROGRAM' records them";
    }
    return ranges;
}

void FunctionCode::add_texts(std::size_t max_instructions) {
    std::vector<std::uint64_t> addresses;
    if (rows_.size() + code_.instructions.size() <= max_instructions) {
        for (const auto& instruction : code_.instructions) addresses.push_back(instruction.address);
    } else if (code_.problem.empty()) {
        code_.problem = "too much code: only instructions with cost are shown";
    }
    rows_ = code_listing(std::move(rows_), addresses);
    texts_.resize(rows_.size());
    auto instruction = code_.instructions.begin();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        while (instruction != code_.instructions.end() && instruction->address < rows_[row].address)
            ++instruction;
        if (instruction == code_.instructions.end()) break;
        if (instruction->address == rows_[row].address) texts_[row] = &*instruction;
    }
}

bool FunctionCode::has_text() const {
    return std::any_of(texts_.begin(), texts_.end(), [](const auto* text) { return text != nullptr; });
}

bool FunctionCode::is_gap_before(std::size_t row) const {
    if (row == 0 || rows_[row - 1].address == 0) return false;
    const auto distance = rows_[row].address - rows_[row - 1].address;
    const auto size = texts_[row - 1] != nullptr ? size_of(*texts_[row - 1]) : 0;
    return size != 0 ? distance > size : distance >= longest_instruction;
}

std::vector<CodeLine> FunctionCode::lines(bool with_texts) const {
    std::vector<CodeLine> lines;
    lines.reserve(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        const bool has_text = with_texts && texts_[row] != nullptr;
        lines.push_back({rows_[row].address, has_text ? std::string_view(texts_[row]->text) : "", file(row),
                         rows_[row].line, has_place(row)});
    }
    return lines;
}

void FunctionCode::leave_out_code() {
    std::erase_if(rows_, [](const InstructionCost& row) { return row.self.empty(); });
    texts_.assign(rows_.size(), nullptr);
}

}  // namespace callcost::engine
