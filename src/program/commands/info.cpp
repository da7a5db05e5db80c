#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "importers/importers.hpp"
#include "loading/preparation.hpp"
#include "reports/profile_summary.hpp"
#include "terminal/output.hpp"
#include "terminal/text_table.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

struct InfoOptions {
    InputOptions input;
    MeasureOptions measure;
    OutputOptions output;
    std::optional<std::size_t> limit;  ///< 0: all
    bool lists_formats = false;        ///< that are read, instead of a profile
};

/// `write` gets the name and the description of every format that is read.
template <class Write>
void for_each_format(Write write) {
    write("callgrind",
          "Callgrind and Cachegrind files, of Valgrind and other profilers (Xdebug, NYTProf, ...)");
    for (const engine::ImportFormat format : engine::import_formats)
        write(to_string(format), description(format));
}

int list_formats(const InfoOptions& options, const Console& console) {
    Output output(console);
    if (options.output.json) {
        engine::JsonWriter json(output.text());
        json.begin_object(engine::JsonLayout::rows);
        json.member("schema", "callcost.formats/1");
        json.key("formats");
        json.begin_array(engine::JsonLayout::rows);
        for_each_format([&](std::string_view name, std::string_view files) {
            json.begin_object();
            json.member("name", name);
            json.member("files", files);
            json.end_object();
        });
        json.end_array();
        json.end_object();
        output.text() += '\n';
    } else {
        Table table({{"format"}, {"files"}});
        for_each_format([&](std::string_view name, std::string_view files) {
            table.add_row({std::string(name), std::string(files)});
        });
        table.write(output.text(), console.out);
        const auto text = engine::wrapped(
            "Detected by content, also compressed by gzip, zstd, xz or bzip2. What is in another format is "
            "refused with what it is, where that is known.",
            0, console.out);
        output.text() += fmt::format("\n{}\n", engine::paint(text, engine::Tone::dim, console.out));
    }
    return status(output.finish() ? Exit::ok : Exit::error);
}

int run_info(const InfoOptions& options, const Console& console) {
    const auto prepared =
        prepare(options.input, options.measure, console, least_detail(options.input.selection));
    if (!prepared) return status(prepared.error());
    const auto only = options.measure.event.empty() ? std::nullopt : std::optional(prepared->measure);
    const SummaryInput input = {prepared->graph, prepared->measures, prepared->diagnostics, options.limit,
                                only};

    Output output(console);
    if (options.output.json) {
        engine::JsonWriter json(output.text());
        write_summary(json, input);
        output.text() += '\n';
    } else {
        write_summary(output.text(), input, console.out);
    }
    return status(output.finish() ? prepared->exit : Exit::error);
}

}  // namespace

Run info_command(CommandLine& line) {
    line.describe("[OPTION...] [FILE...]",
                  "Describe a profile: creator, parts, event types, totals and diagnostics. Does not support "
                  "--sort or --threshold.");
    const auto options = std::make_shared<InfoOptions>();
    options->input.lists_diagnostics = true;
    options->measure.is_noted = false;
    line.words(options->input.files);
    declare_input(line, options->input);
    line.heading("Selection");
    line.value("-e,--event", "NAME", "show only this event type, or those of a formula",
               options->measure.event);
    line.flag("--formats", "list the formats that are read, instead of a profile", options->lists_formats);
    declare_limit(line, options->limit, "list N parts; 0: all parts and event types (default: 10)");
    declare_output(line, options->output, {.csv = false});
    return [options] {
        const auto console = open_console(options->output);
        return options->lists_formats ? list_formats(*options, console) : run_info(*options, console);
    };
}

}  // namespace callcost::program
