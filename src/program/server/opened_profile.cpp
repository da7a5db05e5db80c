#include "server/opened_profile.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "exporters/exported_stacks.hpp"
#include "loading/inlined_in_both.hpp"
#include "options/patterns.hpp"
#include "query/view.hpp"
#include "server/page_code.hpp"
#include "sources/disassembler.hpp"
#include "sources/last_lines.hpp"
#include "sources/source_files.hpp"
#include "sources/source_problem.hpp"
#include "text/diagnostics.hpp"
#include "text/inline_maps_json.hpp"
#include "text/names.hpp"
#include "text/stacks_json.hpp"
#include <callcost/read.hpp>
#include <callcost/writer.hpp>

namespace callcost::program {
namespace {

/// A file of these parts, with all that they say.
Result<std::string> text_of_parts(const Profile& profile, std::span<const PartId> parts) {
    std::string text;
    ProfileWriteOptions how;
    how.dialect = FileDialect::compact;
    how.parts = parts;
    if (auto written = write_profile(profile, to_memory(text), how); !written)
        return tl::unexpected(written.error());
    return text;
}

Result<Profile> profile_of_parts(const Profile& profile, std::span<const PartId> parts) {
    const auto text = text_of_parts(profile, parts);
    if (!text) return tl::unexpected(text.error());
    return read_profile(from_memory(*text, profile.sources().front().name));
}

/// Inlined code of the file's own (F89) becomes that of the functions it is in, which it is without its name.
void put_into_hosts(OpenedProfile& opened) {
    const auto text = text_of_parts(opened.recorded, {});
    if (!text) return;
    std::string rest;
    for (std::string_view left = *text; !left.empty();) {
        const auto line = left.substr(0, std::min(left.find('\n'), left.size() - 1) + 1);
        if (!line.starts_with("cfni=")) rest += line;
        left.remove_prefix(line.size());
    }
    auto profile = read_profile(from_memory(rest, opened.recorded.sources().front().name));
    if (!profile) return;
    opened.recorded = opened.expanded.profile = *std::move(profile);
    opened.is_rewritten = true;
}

/// Of the selected parts as those of one source; none if the stacks of a source are not all selected.
StacksOfSources stacks_of_parts(const PreparedProfile& prepared) {
    const auto& stacks = prepared.stacks;
    std::vector<std::size_t> left(stacks.size(), 0);  // parts that are not selected
    std::vector<bool> is_selected(stacks.size(), false);
    if (stacks.empty()) return {};
    for (const Part& part : prepared.profile().parts()) ++left[part.source];
    for (const PartId part : prepared.graph.parts()) {
        const auto source = prepared.profile().parts()[part.value].source;
        is_selected[source] = true;
        --left[source];
    }
    Stacks sum;
    for (std::size_t source = 0; source < stacks.size(); ++source) {
        if (!is_selected[source]) continue;
        if (!stacks[source] || left[source] > 0) return {};
        sum.add(*stacks[source]);
    }
    return {std::make_shared<const Stacks>(std::move(sum))};
}

constexpr std::string_view own_format = "callgrind", stacks_format = "stacks", code_format = "code",
                           inlined_format = "inlined";

tl::expected<engine::ExportedFile, std::string> exported(std::string_view format, const CallGraph& graph,
                                                         const Profile& recorded,
                                                         const StacksOfSources& stacks,
                                                         const Measure& measure) {
    if (format == stacks_format) {
        auto json = engine::stacks_to_json(graph.profile(), stacks);
        if (json.empty()) return tl::unexpected(std::string("the profile has no recorded call stacks"));
        return engine::ExportedFile{"stacks.json", "application/json", std::move(json)};
    }
    if (format != own_format) return engine::exported_stacks(format, graph, stacks, measure);
    auto text = text_of_parts(recorded, graph.parts());
    if (!text) return tl::unexpected(text.error().message());
    return engine::ExportedFile{"callgrind.out.callcost", "text/plain", *std::move(text)};
}

/// The longest directory that holds this one and the files that the profile names below its first three
/// components, such as /home/me/project.
std::string shared_directory(const Profile& profile, const std::string& directory) {
    constexpr int max_common = 3;
    std::string_view shared = directory;
    std::size_t end = 0;
    for (int i = 0; i < max_common && end != std::string_view::npos; ++i) end = shared.find('/', end + 1);
    const auto common = std::string(shared.substr(0, end)) + '/';
    for (std::size_t row = 0; row < profile.file_count(); ++row) {
        const auto name = profile.name(FileId(row));
        if (!name.starts_with(common)) continue;
        while (!name.substr(0, name.rfind('/') + 1).starts_with(std::string(shared) + '/'))
            shared = shared.substr(0, shared.rfind('/'));
    }
    return std::string(shared);
}

/// The source files that one profile names.
class Sources {
  public:
    Sources(const Profile& profile, const PageOptions& options)
        : profile_(profile),
          search_(search(profile, options)),
          finder_(std::in_place, search_),
          last_lines_(profile),
          profile_time_(profile_time(profile)) {}

    void show(std::string_view recorded_name, std::string_view directory) {
        if (directory.empty() || find(recorded_name).withheld_in != directory) return;
        search_.shown_dirs.emplace_back(directory);
        finder_.emplace(search_);
    }

    engine::SourceFile find(std::string_view recorded_name) {
        engine::SourceFile source;
        if (const auto found = finder_->find(recorded_name, last_lines_.of(recorded_name))) {
            source.path = found->path();
            source.text = found->text();
            source.is_newer = profile_time_ && found->newer_than(*profile_time_);
            source.is_guess = found->is_guess();
            return source;
        } else {
            const auto& problem = found.error();
            const auto reason = reason_text(problem);
            source.path = problem.path;
            if (problem.reason == NoSource::unnamed) {
                source.problem = "the profile does not name the source file";
                source.hint = "if no function of the object has a source file, compile it with -g";
            } else {
                source.problem = reason.empty() ? "source file not found on this machine" : reason;
                source.hint = "search a directory with -I DIR, map moved paths with --source-map OLD=NEW";
            }
            if (problem.reason == NoSource::elsewhere) {
                source.withheld_in = directory_of_sources(problem.path);
                source.hint = "name its directory with -I DIR, or start again with --sources=all";
            }
            return source;
        }
    }

  private:
    std::string directory_of_sources(const std::string& file) {
        std::error_code problem;
        const auto real = std::filesystem::canonical(file, problem).native();
        const auto& path = problem ? file : real;
        const auto directory = path.substr(0, std::min(path.rfind('/'), path.size()));
        if (directory.empty()) return path;
        const auto [known, is_new] = shared_directories_.try_emplace(directory);
        if (is_new) known->second = shared_directory(profile_, directory);
        return known->second;
    }

    static SourceFinderOptions search(const Profile& profile, const PageOptions& options) {
        auto wanted = source_search(profile, options.sources);
        wanted.is_confined = options.from != PageSources::all;
        return wanted;
    }

    Profile profile_;
    SourceFinderOptions search_;
    std::optional<SourceFinder> finder_;
    std::map<std::string, std::string> shared_directories_;  // by directory: a report asks about every file
    LastLines last_lines_;
    std::optional<FileTime> profile_time_;
};

}  // namespace

tl::expected<OpenedProfile, Exit> open_profile(const PageOptions& options,
                                               const std::vector<std::string>& files, const Console& console,
                                               const OnReading& on_reading) {
    auto wanted = options.input;
    wanted.files = files;
    wanted.keeps_stacks = true;
    wanted.keeps_inlined = true;  // which is done to the selected parts
    auto prepared = prepare(wanted, {}, console, Detail::full, on_reading);
    if (!prepared) return tl::unexpected(prepared.error());
    const auto& selection = options.input.selection;
    const bool is_rewritten =
        !selection.parts.empty() || !selection.threads.empty() || !selection.pids.empty();
    auto recorded = is_rewritten ? profile_of_parts(prepared->profile(), prepared->graph.parts())
                                 : Result<Profile>(prepared->profile());
    if (!recorded) {
        console.say(Severity::error, engine::display_name(recorded.error().message()),
                    recorded.error().hint());
        return tl::unexpected(Exit::error);
    }
    auto stacks = is_rewritten ? stacks_of_parts(*prepared) : prepared->stacks;
    ExpandedProfile as_recorded{*recorded, {}, {}, {}};
    return OpenedProfile{*std::move(prepared), *std::move(recorded), std::move(stacks), is_rewritten,
                         std::move(as_recorded)};
}

OpenedSides::OpenedSides(OpenedProfile new_profile, std::optional<OpenedProfile> old_profile,
                         const PageOptions& options, const Console& console)
    : after(std::move(new_profile)), before(std::move(old_profile)) {
    const auto search = [&](const OpenedProfile& opened) {
        return source_search(opened.prepared.profile(), options.sources);
    };
    if (!before) {
        after.expanded = expand_by_programs(after.recorded, options.input, search(after));
        say_what_is_missing(after.expanded, options.input, console);
        const auto& problem = after.expanded.problem;
        const auto& stale = after.expanded.stale;
        inlined_problem = problem.message.empty() ? stale : problem.message;
        inlined_hint = problem.message.empty() && !stale.empty() ? "profile the program again" : problem.hint;
        return;
    }
    auto both = show_inlined_in_both({before->recorded, search(*before)}, {after.recorded, search(after)},
                                     options.input.inlined);
    say(both.notes, console);
    if (!both.notes.empty()) {
        inlined_problem = both.notes.front().reason;
        inlined_hint = both.notes.front().hint;
    }
    before->expanded = std::move(both.before);
    after.expanded = std::move(both.after);
    const auto& measure = after.prepared.measure;
    if (const auto old = find_measure(before->prepared.profile(), measure.name))
        if (const auto why = engine::difference_of_units(*old, measure); !why.empty())
            console.say(Severity::warning, "the profiles cannot be compared: " + why,
                        "the page compares other event types");
    if (both.inlined_before == Inlined::in_host) put_into_hosts(*before);
    if (both.inlined_after == Inlined::in_host) put_into_hosts(after);
}

engine::Host host_of(const OpenedSides& sides, const PageOptions& options, std::function<bool()> is_wanted) {
    std::vector<Sources> all = {Sources(sides.after.prepared.profile(), options)};
    if (sides.before) all.emplace_back(sides.before->prepared.profile(), options);
    engine::Host host;
    if (sides.after.is_rewritten) host.origin = engine::origin_of(sides.after.prepared.graph);
    if (sides.before && sides.before->is_rewritten)
        host.origin_before = engine::origin_of(sides.before->prepared.graph);
    host.stacks = sides.after.stacks;
    if (sides.before) host.stacks_before = sides.before->stacks;
    host.compile = compile_expression;
    host.formats = engine::stack_formats();
    host.formats.insert(host.formats.begin(), {std::string(own_format), std::string(stacks_format),
                                               std::string(code_format), std::string(inlined_format)});
    if (options.input.inlined == When::always) host.inlined_option = "yes";
    if (options.input.inlined == When::never) host.inlined_option = "no";
    host.inlined_problem = sides.inlined_problem;
    host.inlined_hint = sides.inlined_hint;
    const auto shared = std::make_shared<std::vector<Sources>>(std::move(all));
    if (sides.before)
        host.source_before = [shared](std::string_view name) { return shared->back().find(name); };
    host.source = [all = shared](std::string_view name) {
        auto first = all->front().find(name);
        if (first.text || all->size() == 1) return first;
        auto second = all->back().find(name);
        return second.text || (!second.withheld_in.empty() && first.withheld_in.empty()) ? second : first;
    };
    host.show_sources = [shared](std::string_view name, std::string_view directory) {
        for (auto& sources : *shared) sources.show(name, directory);
    };
    const auto disassembler_of = [&](const OpenedProfile& opened) {
        auto search = code_search(opened.prepared.profile(), options.sources);
        search.limits.is_wanted = is_wanted;
        return std::make_shared<Disassembler>(std::move(search));
    };
    const auto after = disassembler_of(sides.after);
    const auto before = sides.before ? disassembler_of(*sides.before) : nullptr;
    host.machine_code = [after, before](engine::Build build, std::string_view object,
                                        std::span<const AddressRange> ranges, engine::Syntax syntax) {
        auto& disassembler = build == engine::Build::before && before ? *before : *after;
        return disassembler.machine_code(object, ranges, syntax);
    };
    host.inlined_code = [after, before](engine::Build build, std::string_view object,
                                        std::string_view function, std::span<const AddressRange> ranges) {
        auto& disassembler = build == engine::Build::before && before ? *before : *after;
        return disassembler.inlined_code(object, function, ranges);
    };
    struct Recorded {
        Profile profile;
        std::vector<InlineMap> maps;
    };
    const auto recorded_of = [](const OpenedProfile& opened) {
        return std::make_shared<const Recorded>(Recorded{opened.recorded, opened.expanded.maps});
    };
    const auto recorded = recorded_of(sides.after);
    const auto recorded_before = sides.before ? recorded_of(*sides.before) : nullptr;
    host.write = [=](std::string_view format, engine::Build build, const CallGraph& graph,
                     const StacksOfSources& stacks,
                     const Measure& measure) -> tl::expected<engine::ExportedFile, std::string> {
        const auto& of = build == engine::Build::before && before ? *recorded_before : *recorded;
        if (format == inlined_format)
            return engine::ExportedFile{"inlined.json", "application/json",
                                        engine::inline_maps_to_json(of.maps)};
        if (format != code_format) return exported(format, graph, of.profile, stacks, measure);
        auto& disassembler = build == engine::Build::before && before ? *before : *after;
        const auto code = code_of(graph, measure, disassembler);
        if (!has_code(code)) return tl::unexpected(std::string("no machine code of this profile was found"));
        return engine::ExportedFile{"code.json", "application/json", engine::code_to_json(code)};
    };
    return host;
}

}  // namespace callcost::program
