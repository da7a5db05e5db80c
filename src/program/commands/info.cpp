#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "importers/importers.hpp"
#include "loading/inlined_code.hpp"
#include "loading/preparation.hpp"
#include "reports/answer.hpp"
#include "reports/event_list.hpp"
#include "reports/part_list.hpp"
#include "reports/profile_summary.hpp"
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
    bool lists_events = false, lists_parts = false;
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
        constexpr std::size_t column = 14;  // of the descriptions
        output.text() += engine::paint("format        files", engine::Tone::heading, console.out) + '\n';
        for_each_format([&](std::string_view name, std::string_view files) {
            output.text() +=
                fmt::format("{:<{}}{}\n", name, column, engine::wrapped(files, column, console.out));
        });
        const auto text = engine::wrapped(
            "Detected by content, also compressed by gzip, zstd, xz or bzip2. Other formats are "
            "refused; the message names the format if it is known.",
            0, console.out);
        output.text() += fmt::format("\n{}\n", engine::paint(text, engine::Tone::dim, console.out));
    }
    return status(output.finish() ? Exit::ok : Exit::error);
}

AnswerForms forms_of(const InfoOptions& options, const PreparedProfile& prepared, const SummaryInput& summary,
                     const engine::Style& style) {
    if (options.lists_events)
        return {.schema = "callcost.events/1",
                .text = [&](Output& output) { write_event_list(output.text(), prepared, style); },
                .json = [&](engine::JsonWriter& json, Output&) { write_event_list(json, prepared); },
                .csv = [&](engine::CsvWriter& csv, Output&) { write_event_list(csv, prepared); }};
    constexpr std::size_t default_parts = 50;
    const auto limit = limit_or(options.limit, options.output, default_parts);
    if (options.lists_parts)
        return {
            .schema = "callcost.parts/1",
            .text = [&, limit](Output& output) { write_part_list(output.text(), prepared, limit, style); },
            .json = [&, limit](engine::JsonWriter& json, Output&) { write_part_list(json, prepared, limit); },
            .csv = [&, limit](engine::CsvWriter& csv, Output&) { write_part_list(csv, prepared, limit); }};
    return {.schema = {},
            .text = [&](Output& output) { write_summary(output.text(), summary, style); },
            .json = [&](engine::JsonWriter& json, Output&) { write_summary(json, summary); }};
}

int run_info(InfoOptions options, const Console& console) {
    const bool is_list = options.lists_events || options.lists_parts;
    options.input.lists_diagnostics = !is_list;
    options.input.keeps_inlined = true;
    if (is_list) options.input.inlined = When::never;
    options.measure.is_noted = options.lists_parts;
    const auto prepared =
        prepare(options.input, options.measure, console, least_detail(options.input.selection));
    if (!prepared) return status(prepared.error());
    const auto only = options.measure.event.empty() ? std::nullopt : std::optional(prepared->measure);
    const auto inlined = inlined_code(prepared->profile(), options.input);
    const SummaryInput summary = {prepared->graph,
                                  prepared->measures,
                                  prepared->diagnostics,
                                  options.limit,
                                  only,
                                  inlined ? &*inlined : nullptr,
                                  prepared->imported};
    return write_answer(*prepared, options.input, options.output,
                        forms_of(options, *prepared, summary, console.out), console);
}

}  // namespace

Run info_command(CommandLine& line) {
    line.describe(
        "[OPTION...] [FILE...]",
        "Describe a profile: creator, parts, event types, totals and diagnostics; or list its event "
        "types or parts in full.");
    line.examples({{"info callgrind.out.4711", "what the file holds, and what is wrong with it"},
                   {"info --events callgrind.out.4711", "event types and formulas"},
                   {"info --formats", "formats that are read"}});
    line.common({"--events", "--parts", "--formats", "--event", "--limit", "--strict", "--json", "--csv"});
    const auto options = std::make_shared<InfoOptions>();
    line.words(options->input.files);
    declare_input(line, options->input);
    declare_inlined(line, options->input);
    line.heading("Selection");
    line.flag("--events", "list the event types and formulas that --event accepts", options->lists_events);
    line.flag("--parts", "list the parts (dumps, threads, processes) with their costs and time ranges",
              options->lists_parts);
    line.flag("--formats", "list the formats that are read, instead of a profile", options->lists_formats);
    line.value("-e,--event", "NAME",
               "show only this event type, or those of a formula; --parts: measure by it",
               options->measure.event);
    declare_limit(line, options->limit,
                  "list N parts; 0: all parts and event types (default: 10; --parts: 50)");
    declare_output(line, options->output);
    line.check([options = options.get()] {
        const auto& [formats, events, parts] =
            std::tie(options->lists_formats, options->lists_events, options->lists_parts);
        if (int{formats} + int{events} + int{parts} > 1)
            throw UsageError("only one of --events, --parts and --formats");
        if ((formats || events) && (options->limit || !options->measure.event.empty()))
            throw UsageError("--event and --limit are for the summary and --parts");
        if (options->output.csv && !events && !parts) throw UsageError("--csv needs --events or --parts");
    });
    return [options] {
        const auto console = open_console(options->output);
        return options->lists_formats ? list_formats(*options, console) : run_info(*options, console);
    };
}

}  // namespace callcost::program
