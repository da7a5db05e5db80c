/// Answers about a history, written: text, JSON, CSV.
#pragma once

#include <string>
#include <vector>

#include "history_reports/cost_changes.hpp"
#include "terminal/terminal.hpp"

namespace callcost::program {

void write_total_history(std::string& out, const HistoryQuestion& question, const TotalHistory& history,
                         const OutputOptions& options, const engine::Style& style);

/// One question and its answer for each series.
struct SeriesFunctions {
    HistoryQuestion question;
    FunctionHistories functions;
};
/// How the functions went.
void write_function_histories(std::string& out, const std::vector<SeriesFunctions>& series,
                              const OutputOptions& options, const engine::Style& style);
/// When each of them changed last.
void write_blame(std::string& out, const std::vector<SeriesFunctions>& series, const OutputOptions& options,
                 const engine::Style& style);

void write_function_sums(std::string& out, const std::vector<FunctionSum>& sums,
                         const std::vector<HistoryQuestion>& questions, std::size_t limit,
                         const OutputOptions& options, const engine::Style& style);

}  // namespace callcost::program
