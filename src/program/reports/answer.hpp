/// An answer about a profile, in the form that is requested.
#pragma once

#include <functional>
#include <string_view>

#include "loading/preparation.hpp"
#include "terminal/output.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"

namespace callcost::program {

/// Only one of them is called. Each gets the Output too, for flush_some().
struct AnswerForms {
    std::string_view schema;  ///< of the JSON; empty: `json` writes it itself
    std::function<void(Output& output)> text;
    std::function<void(engine::JsonWriter& json, Output& output)>
        json;  ///< members behind those of write_origin()
    std::function<void(engine::CsvWriter& csv, Output& output)> csv{};
};

/// Yields the exit status.
[[nodiscard]] int write_answer(const PreparedProfile& prepared, const InputOptions& input,
                               const OutputOptions& options, const AnswerForms& forms,
                               const Console& console);

}  // namespace callcost::program
