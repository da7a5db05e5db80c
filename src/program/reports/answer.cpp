#include "reports/answer.hpp"

namespace callcost::program {

int write_answer(const PreparedProfile& prepared, const InputOptions& input, const OutputOptions& options,
                 const AnswerForms& forms, const Console& console) {
    Output output(console, output_limit(input, prepared.profile()));
    if (options.json) {
        engine::JsonWriter json(output.text());
        json.begin_object(engine::JsonLayout::rows);
        if (!forms.schema.empty()) write_origin(json, forms.schema, prepared);
        forms.json(json, output);
        json.end_object();
        output.text() += '\n';
    } else if (options.csv) {
        engine::CsvWriter csv(output.text(), csv_names(options));
        forms.csv(csv, output);
    } else {
        forms.text(output);
    }
    return status(output.finish() ? prepared.exit : Exit::error);
}

}  // namespace callcost::program
