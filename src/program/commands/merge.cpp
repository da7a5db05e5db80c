#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "commands/commands.hpp"
#include "loading/run_files.hpp"
#include "output/written_profile.hpp"
#include "text/names.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

struct MergeOptions {
    InputOptions input;
    OutputOptions output;
    FileOptions file;
    bool keep_parts = false;
    std::vector<Substitution> file_names, function_names;
};

Renaming renaming_of(const MergeOptions& options) {
    Renaming renaming;
    if (!options.file_names.empty())
        renaming.file = [&](std::string_view name) { return rewritten(options.file_names, name); };
    if (!options.function_names.empty())
        renaming.function = [&](std::string_view name) { return rewritten(options.function_names, name); };
    return renaming;
}

/// What only the creator tells is lost: units, and what is a context in a name.
void note_creators(const std::set<std::string>& creators, bool has_contexts, const Console& console) {
    std::string names;
    for (const auto& creator : creators) {
        names += names.empty() ? "" : ", ";
        names += creator.empty() ? "unknown" : engine::display_name(creator);
    }
    console.say(
        Severity::note, fmt::format("the files have different creators ({}): the sum has none", names),
        has_contexts ? "callers and recursion levels in its function names cannot be folded; 'callcost "
                       "convert --contexts=fold' folds them in each file"
                     : "");
}

/// One file in memory at a time, beside the sums. A file that cannot be read whole ends the command: a sum
/// that misses one is wrong.
struct FilesRead {
    std::vector<std::string> names;
    std::uint64_t bytes = 0;  ///< decompressed
};

tl::expected<Profile, Exit> sum_of(const MergeOptions& options, FilesRead& files, const Console& console) {
    const auto unwritten = [&](const Error& error) {
        report_unwritten(console, options.file.output, error);
        return tl::unexpected(Exit::error);
    };
    ProfileMerger merger(renaming_of(options));
    std::set<std::string> events, creators;
    EventUnits units;
    bool has_contexts = false;
    for (const auto& set : file_sets(options.input, console)) {
        if (set.size() == 1 && is_empty_base(set[0], options.input.files)) {
            console.say(Severity::note,
                        fmt::format("'{}' is empty and left out", engine::display_name(set[0])));
            continue;
        }
        auto input = options.input;
        input.files = set;
        input.with_parts = false;
        Console quiet = console;
        quiet.quiet = true;
        const auto prepared = prepare(input, {}, quiet, Detail::full);
        if (!prepared) return tl::unexpected(prepared.error());
        if (prepared->exit != Exit::ok) return tl::unexpected(prepared->exit);
        units.add(in_quotes(set[0]), prepared->profile().events());
        if (!units.difference().empty()) return tl::unexpected(refuse_units(console, units.difference()));
        files.names.insert(files.names.end(), set.begin(), set.end());
        files.bytes += bytes_read(prepared->profile());
        for (const auto& event : prepared->profile().events()) events.insert(event.name);
        for (const auto& part : engine::selected_part_facts(prepared->graph)) creators.emplace(part->creator);
        has_contexts = has_contexts || ContextNames(prepared->profile()).any();
        if (auto done = merger.add(prepared->profile(), prepared->graph.parts()); !done)
            return unwritten(done.error());
    }
    auto sum = std::move(merger).finish();
    if (!sum) return unwritten(sum.error());
    for (const auto& event : sum->events()) events.erase(event.name);
    for (const auto& name : events)
        console.say(Severity::note, fmt::format("{} omitted: ratios and snapshots cannot be combined",
                                                engine::display_name(name)));
    if (creators.size() > 1 && sum->parts()[0].creator.empty())
        note_creators(creators, has_contexts, console);
    return *std::move(sum);
}

int run_merge(const MergeOptions& options, const Console& console) {
    const auto& file = options.file;
    if (options.keep_parts) {
        const auto prepared = prepare(options.input, {}, console, Detail::full);
        if (!prepared) return status(prepared.error());
        if (prepared->exit != Exit::ok) return status(prepared->exit);
        auto how = write_options(file);
        how.parts = prepared->graph.parts();
        return status(write_profile_file(file.output, prepared->profile(), how, files_of(prepared->profile()),
                                         console, output_limit(options.input, prepared->profile())));
    }
    FilesRead files;
    const auto sum = sum_of(options, files, console);
    if (!sum) return status(sum.error());
    return status(write_profile_file(file.output, *sum, write_options(file), files.names, console,
                                     {unless_forced(options.input, engine::output_budget), files.bytes}));
}

}  // namespace

Run merge_command(CommandLine& line) {
    line.describe(
        "[OPTION...] FILE... -o OUT",
        "Add up several profiles: costs and calls of equal functions, lines and arcs. The order of the "
        "files does not matter; they are read one at a time.\n\n"
        "s/OLD/NEW/ replaces the first match of a regular expression (RE2); flags: g (all matches), i "
        "(ignore case).");
    line.examples(
        {{"merge run1.out run2.out -o all.out", "add up two runs"},
         {"merge --keep-parts run1.out run2.out -o all.out", "keep them apart in one file"},
         {"merge --mod-filename 's!/home/[a-z]+/!!' run1.out run2.out -o all.out", "runs of two checkouts"}});
    line.common({"--output", "--to", "--keep-parts", "--mod-filename", "--mod-funcname"});
    const auto options = std::make_shared<MergeOptions>();
    line.words(options->input.files);
    declare_input(line, options->input, InputKind::unfolded);
    line.heading("Output file");
    declare_profile_file(line, options->file);
    line.flag("--keep-parts", "keep profiles as parts of one file instead of adding them up",
              options->keep_parts);
    line.substitutions("--mod-filename", "rewrite file names", options->file_names);
    line.substitutions("--mod-funcname", "rewrite function names", options->function_names);
    declare_compatibility(line, options->file);
    declare_messages(line, options->output);
    line.check([&line, options = options.get()] {
        check_files_are_named(line, options->input.files);
        options->input.unknown_count_as_one = options->file.count_unknown_as_one.value_or(false);
        if (!options->keep_parts) return;
        if (options->file.format && *options->file.format != FileFormat::compact)
            throw UsageError("--keep-parts requires --to compact");
        if (!options->file_names.empty() || !options->function_names.empty())
            throw UsageError("--keep-parts cannot be combined with --mod-filename or --mod-funcname");
        options->file.format = FileFormat::compact;
    });
    return [options] { return run_merge(*options, open_console(options->output)); };
}

}  // namespace callcost::program
