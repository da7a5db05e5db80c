#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "commands/transform.hpp"
#include "output/written_profile.hpp"
#include "text/names.hpp"

namespace callcost::program {
namespace {

Renaming renaming_of(const FileOptions& options) {
    Renaming renaming;
    if (!options.file_names.empty())
        renaming.file = [&](std::string_view name) { return rewritten(options.file_names, name); };
    if (!options.function_names.empty())
        renaming.function = [&](std::string_view name) { return rewritten(options.function_names, name); };
    return renaming;
}

/// One file in memory at a time, beside the sums. A file that cannot be read whole ends the command: a sum
/// that misses one is wrong.
tl::expected<Profile, Exit> sum_of(const Options& options, std::vector<std::string>& files,
                                   const Console& console) {
    const auto unwritten = [&](const Error& error) {
        report_unwritten(console, options.file.output, error);
        return tl::unexpected(Exit::error);
    };
    ProfileMerger merger(renaming_of(options.file));
    std::set<std::string> events;
    for (const auto& set : file_sets(options, console)) {
        if (set.size() == 1 && is_empty_base(set[0], options.files)) {
            console.say(Severity::note,
                        fmt::format("'{}' is empty and left out", engine::display_name(set[0])));
            continue;
        }
        Options one = options;
        one.files = set;
        one.with_parts = false;
        Console quiet = console;
        quiet.quiet = true;
        const auto prepared = prepare(one, quiet, Detail::full);
        if (!prepared) return tl::unexpected(prepared.error());
        if (prepared->exit != Exit::ok) return tl::unexpected(prepared->exit);
        files.insert(files.end(), set.begin(), set.end());
        for (const auto& event : prepared->profile().events()) events.insert(event.name);
        if (auto done = merger.add(prepared->profile(), prepared->graph.parts()); !done)
            return unwritten(done.error());
    }
    auto sum = std::move(merger).finish();
    if (!sum) return unwritten(sum.error());
    for (const auto& event : sum->events()) events.erase(event.name);
    for (const auto& name : events)
        console.say(Severity::note, fmt::format("{} is left out: such numbers cannot be combined",
                                                engine::display_name(name)));
    return *std::move(sum);
}

}  // namespace

int run_merge(const Options& options, const Console& console) {
    const auto& file = options.file;
    if (file.keep_parts) {
        const auto prepared = prepare(options, console, Detail::full);
        if (!prepared) return status(prepared.error());
        if (prepared->exit != Exit::ok) return status(prepared->exit);
        auto how = write_options(file);
        how.parts = prepared->graph.parts();
        return status(write_profile_file(file.output, prepared->profile(), how, files_of(prepared->profile()),
                                         console));
    }
    std::vector<std::string> files;
    const auto sum = sum_of(options, files, console);
    if (!sum) return status(sum.error());
    return status(write_profile_file(file.output, *sum, write_options(file), files, console));
}

}  // namespace callcost::program
