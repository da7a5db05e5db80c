#include "output/written_profile.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "output/compression.hpp"
#include "text/diagnostics.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include <callcost/call_graph.hpp>
#include <callcost/check.hpp>

namespace callcost::program {
namespace {

void add_to(LeftOut& sum, const LeftOut& more) {
    sum.calls += more.calls;
    sum.jumps += more.jumps;
    sum.addresses += more.addresses;
    sum.objects += more.objects;
    sum.formulas = std::max(sum.formulas, more.formulas);  // every file has the same ones
    sum.negative_costs += more.negative_costs;
    sum.changed_names += more.changed_names;
    sum.unknown_counts += more.unknown_counts;
    sum.summaries += more.summaries;
}

/// What other readers show wrong all the same, as `check` says it.
void note_readers(const Console& console, const CallGraph& graph, const LeftOut& left_out) {
    for (const auto& report : readers_of_portable(graph, left_out)) {
        std::string reasons;
        for (const auto& hindrance : report.hindrances) {
            if (hindrance.effect == Effect::differs) continue;
            reasons += reasons.empty() ? "" : "; ";
            reasons += engine::wording(hindrance.trait);
        }
        if (reasons.empty()) continue;
        console.say(
            Severity::note,
            fmt::format("{} shows wrong costs of this file: {}", to_string(report.reader), reasons),
            report.reader == Reader::speedscope ? "--to speedscope writes a file in its own format" : "");
    }
}

}  // namespace

void note_omitted(const Console& console, std::string_view format, std::span<const std::string> items,
                  std::string_view hint) {
    if (items.empty()) return;
    console.say(Severity::note,
                fmt::format("omitted, not representable in {}: {}", format, fmt::join(items, ", ")), hint);
}

void note_left_out(const Console& console, const LeftOut& left_out, FileDialect dialect) {
    const std::array<std::pair<std::uint64_t, std::string_view>, 5> parts = {
        {{left_out.calls, "call"},
         {left_out.jumps, "jump"},
         {left_out.addresses, "address"},
         {left_out.objects, "object name"},
         {left_out.formulas, "formula"}}};
    std::vector<std::string> items;
    for (const auto& [count, what] : parts) {
        if (count == 0) continue;
        items.push_back(what == "address"
                            ? engine::count(count, console.err) + (count == 1 ? " address" : " addresses")
                            : engine::counted(count, what, console.err));
    }
    note_omitted(console, fmt::format("the {} dialect", to_string(dialect)), items,
                 dialect == FileDialect::compact ? "" : "--to compact keeps everything");
    if (left_out.negative_costs > 0) {
        console.say(Severity::note,
                    fmt::format("{} negative; some readers treat these as 0",
                                left_out.negative_costs == 1
                                    ? std::string("1 cost is")
                                    : engine::count(left_out.negative_costs, console.err) + " costs are"));
    }
    if (left_out.unknown_counts > 0) {
        console.say(Severity::note,
                    fmt::format("{} written as 1",
                                engine::counted(left_out.unknown_counts, "unknown call count", console.err)),
                    "--keep-unknown-counts writes calls=0; callgrind_annotate takes the cost of such calls "
                    "for self cost");
    }
    if (left_out.summaries > 0) {
        console.say(Severity::note, "'summary:' differs from the sum of the costs and is replaced by it",
                    "--to compact keeps it");
    }
    if (left_out.changed_names > 0) {
        console.say(Severity::note,
                    fmt::format("{} with control characters or surrounding blanks rewritten",
                                engine::counted(left_out.changed_names, "name", console.err)));
    }
}

void report_unwritten(const Console& console, const std::string& path, const Error& error) {
    const auto name = path == "-" ? std::string("standard output") : engine::display_name(path);
    if (error.code == ErrorCode::cannot_open || error.code == ErrorCode::bad_argument) {
        std::string hint;
        if (error.detail.find("cachegrind dialect") != std::string::npos)
            hint = "--to portable keeps them, --without-calls omits them";
        if (error.detail.find("strict dialect") != std::string::npos)
            hint = "--to portable or compact has no such limit";
        if (error.detail.find("files that are read") != std::string::npos)
            hint = "choose another file with -o";
        if (error.detail == already_exists) hint = "use --replace to overwrite it";
        if (error.detail.starts_with("dot:"))
            hint = "SVG needs Graphviz (apt install graphviz); --to dot writes DOT";
        return console.say(Severity::error,
                           fmt::format("cannot write {}: {}", name, engine::display_name(error.detail)),
                           hint);
    }
    std::string text;
    engine::write_error(text, error, name, console.err);
    console.print_error(text);
}

FileDialect dialect_of(FileFormat format) {
    switch (format) {
        case FileFormat::compact:
            return FileDialect::compact;
        case FileFormat::strict:
            return FileDialect::strict;
        case FileFormat::cachegrind:
            return FileDialect::cachegrind;
        default:
            return FileDialect::portable;
    }
}

ProfileWriteOptions write_options(const FileOptions& options) {
    ProfileWriteOptions how;
    how.dialect = dialect_of(options.format.value_or(FileFormat::portable));
    how.canonical = options.canonical;
    how.without_lines = options.without_lines;
    how.without_calls = options.without_calls;
    how.unknown_count_as_one = options.count_unknown_as_one;
    return how;
}

std::vector<std::string> files_of(const Profile& profile) {
    std::vector<std::string> files;
    for (const auto& source : profile.sources()) files.push_back(source.name);
    return files;
}

Exit write_file(const std::string& path, std::span<const std::string> inputs, const Console& console,
                const std::function<Result<void>(const Sink&)>& write, OutputFileOptions how,
                const engine::OutputLimit& limit) {
    const bool is_packed = how.is_packed;
    auto file = OutputFile::open(path, inputs, std::move(how));
    if (!file) {
        report_unwritten(console, path, file.error());
        return Exit::error;
    }
    auto done = compress_as(is_packed ? "" : path, file->sink(),
                            [&](const Sink& sink) { return write(within(limit, sink)); });
    if (done) done = file->commit();
    if (done) return Exit::ok;
    report_unwritten(console, path, done.error());
    return Exit::error;
}

Exit write_profile_file(const std::string& path, const Profile& profile, const ProfileWriteOptions& how,
                        std::span<const std::string> inputs, const Console& console,
                        const engine::OutputLimit& limit) {
    LeftOut left_out;
    const auto exit = write_profile_file(path, profile, how, inputs, console, limit, left_out);
    if (exit != Exit::ok) return exit;
    if (how.dialect != FileDialect::portable) {
        note_left_out(console, left_out, how.dialect);
        return exit;
    }
    auto rest = left_out;
    rest.negative_costs = 0;  // the readers are named
    note_left_out(console, rest, how.dialect);
    if (console.quiet) return exit;
    Selection written{.contexts = Contexts::keep};
    for (const PartId part : how.parts) written.rows.push_back(part.value);
    if (const auto graph = call_graph(profile, written)) note_readers(console, *graph, left_out);
    return exit;
}

Exit write_profile_file(const std::string& path, const Profile& profile, const ProfileWriteOptions& how,
                        std::span<const std::string> inputs, const Console& console,
                        const engine::OutputLimit& limit, LeftOut& left_out) {
    const auto write = [&](const Sink& sink) -> Result<void> {
        auto done = write_profile(profile, sink, how);
        if (!done) return tl::unexpected(done.error());
        add_to(left_out, *done);
        return {};
    };
    return write_file(path, inputs, console, write, {}, limit);
}

}  // namespace callcost::program
