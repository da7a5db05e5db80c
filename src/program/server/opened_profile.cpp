#include "server/opened_profile.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include "exporters/exported_stacks.hpp"
#include "options/patterns.hpp"
#include "sources/disassembler.hpp"
#include "sources/source_files.hpp"
#include "sources/source_problem.hpp"
#include "text/diagnostics.hpp"
#include "text/names.hpp"
#include <callcost/read.hpp>
#include <callcost/writer.hpp>

namespace callcost::page {
namespace {

using cli::Exit;

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

constexpr std::string_view own_format = "callgrind";

tl::expected<answer::ExportedFile, std::string> exported(std::string_view format, const CallGraph& graph,
                                                         const Measure& measure) {
    if (format != own_format) return exported_stacks(format, graph, measure);
    auto text = text_of_parts(graph.profile(), graph.parts());
    if (!text) return tl::unexpected(render::error_text(text.error()).message);
    return answer::ExportedFile{"callgrind.out.callcost", "text/plain", *std::move(text)};
}

/// The source files that one profile names.
class Sources {
  public:
    Sources(const Profile& profile, const cli::Options& options)
        : finder_(cli::source_search(profile, options)), profile_time_(cli::profile_time(profile)) {}

    answer::SourceFile find(std::string_view recorded_name) {
        answer::SourceFile source;
        if (const auto found = finder_.find(recorded_name)) {
            source.path = found->path();
            source.text = found->text();
            source.is_newer = profile_time_ && found->newer_than(*profile_time_);
            source.is_guess = found->is_guess();
            return source;
        } else {
            const auto& problem = found.error();
            const auto reason = render::reason_text(problem);
            source.path = problem.path;
            if (problem.reason == code::NoSource::unnamed) {
                source.problem = "the profile does not say which file this is";
                source.hint = "compile the program with -g";
            } else {
                source.problem = reason.empty() ? "the file was not found on this machine" : reason;
                source.hint = "-I DIR looks for it there, --source-map OLD=NEW where the paths have changed";
            }
            return source;
        }
    }

  private:
    code::SourceFinder finder_;
    std::optional<code::FileTime> profile_time_;
};

answer::MachineCode machine_code(code::Disassembler& disassembler, std::string_view object,
                                 std::span<const AddressRange> ranges, answer::Syntax syntax) {
    const bool is_intel = syntax == answer::Syntax::intel;
    auto found =
        disassembler.machine_code(object, ranges, is_intel ? code::Syntax::intel : code::Syntax::att);
    answer::MachineCode code;
    code.is_guess = found.is_guess;
    code.is_doubtful = found.is_doubtful;
    code.path = std::move(found.path);
    code.problem = std::move(found.problem);
    code.hint = std::move(found.hint);
    code.instructions.reserve(found.instructions.size());
    for (auto& [address, bytes, text] : found.instructions)
        code.instructions.push_back({address, std::move(bytes), std::move(text)});
    return code;
}

}  // namespace

tl::expected<OpenedProfile, Exit> open_profile(const cli::Options& options,
                                               const std::vector<std::string>& files,
                                               const cli::Console& console,
                                               const cli::OnReading& on_reading) {
    auto wanted = options;
    wanted.files = files;
    auto prepared = cli::prepare(wanted, console, Detail::full, on_reading);
    if (!prepared) return tl::unexpected(prepared.error());
    const auto& profile = prepared->profile();
    const auto& selection = options.selection;
    if (selection.parts.empty() && selection.threads.empty() && selection.pids.empty())
        return OpenedProfile{*prepared, profile, false};
    auto selected = profile_of_parts(profile, prepared->graph.parts());
    if (selected) return OpenedProfile{*std::move(prepared), *std::move(selected), true};
    const auto text = render::error_text(selected.error());
    console.say(Severity::error, render::display_name(text.message), text.hint);
    return tl::unexpected(Exit::error);
}

answer::Surroundings surroundings_of(const OpenedSides& sides, const cli::Options& options,
                                     std::function<bool()> is_wanted) {
    std::vector<Sources> all = {Sources(sides.after.prepared.profile(), options)};
    if (sides.before) all.emplace_back(sides.before->prepared.profile(), options);
    answer::Surroundings surroundings;
    if (sides.after.is_rewritten) surroundings.origin = answer::origin_of(sides.after.prepared.graph);
    if (sides.before && sides.before->is_rewritten)
        surroundings.origin_before = answer::origin_of(sides.before->prepared.graph);
    surroundings.compile = cli::compile_expression;
    surroundings.formats = stack_formats();
    surroundings.formats.insert(surroundings.formats.begin(), std::string(own_format));
    surroundings.write = exported;
    surroundings.source =
        [all = std::make_shared<std::vector<Sources>>(std::move(all))](std::string_view name) {
            auto first = all->front().find(name);
            if (first.text || all->size() == 1) return first;
            auto second = all->back().find(name);
            return second.text ? second : first;
        };
    const auto disassembler_of = [&](const OpenedProfile& opened) {
        auto search = cli::code_search(opened.prepared.profile(), options);
        search.limits.is_wanted = is_wanted;
        return std::make_shared<code::Disassembler>(std::move(search));
    };
    const auto after = disassembler_of(sides.after);
    const auto before = sides.before ? disassembler_of(*sides.before) : nullptr;
    surroundings.machine_code = [after, before](answer::Build build, std::string_view object,
                                                std::span<const AddressRange> ranges, answer::Syntax syntax) {
        return machine_code(build == answer::Build::before && before ? *before : *after, object, ranges,
                            syntax);
    };
    return surroundings;
}

}  // namespace callcost::page
