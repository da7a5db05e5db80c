#include "page/exports.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "convert/dot.hpp"
#include "convert/folded.hpp"
#include "convert/pprof.hpp"
#include "convert/speedscope.hpp"
#include "render/diagnostics.hpp"
#include "render/input_names.hpp"
#include "render/names.hpp"
#include <callcost/writer.hpp>

namespace callcost::page {
namespace {

struct Format {
    std::string_view name, suffix, type;
    bool is_made_of_stacks = false;
    Result<void> (*write)(const CallGraph& graph, const Measure& measure, const Sink& sink);
};

Result<void> write_callgrind(const CallGraph& graph, const Measure& /*measure*/, const Sink& sink) {
    ProfileWriteOptions how;
    how.dialect = FileDialect::compact;  // nothing is lost
    how.parts = graph.parts();
    const auto written = write_profile(graph.profile(), sink, how);
    return written ? Result<void>() : tl::unexpected(written.error());
}

convert::StackOptions stack_options(const CallGraph& graph, const Measure& measure) {
    convert::StackOptions how;
    how.measures = {measure};
    for (auto& other : measures(graph.profile()))
        if (other.formula.empty() && other.name != measure.name) how.measures.push_back(std::move(other));
    how.name = graph.profile().parts()[0].command;
    return how;
}

Result<void> write_folded(const CallGraph& graph, const Measure& measure, const Sink& sink) {
    const auto how = stack_options(graph, measure);
    return convert::write_folded(graph, convert::tree_of(graph, how, measure), sink);
}

Result<void> write_pprof(const CallGraph& graph, const Measure& measure, const Sink& sink) {
    return convert::write_pprof(graph, stack_options(graph, measure), sink);
}

Result<void> write_speedscope(const CallGraph& graph, const Measure& measure, const Sink& sink) {
    return convert::write_speedscope(graph, stack_options(graph, measure), sink);
}

Result<void> write_dot(const CallGraph& graph, const Measure& measure, const Sink& sink) {
    convert::DotOptions how;
    how.measure = measure;
    return convert::write_dot(graph, how, sink);
}

constexpr std::array<Format, 5> formats = {
    {{"callgrind", ".callgrind", "text/plain", false, write_callgrind},
     {"folded", ".folded", "text/plain", true, write_folded},
     {"pprof", ".pb.gz", "application/gzip", true, write_pprof},
     {"speedscope", ".speedscope.json", "application/json", true, write_speedscope},
     {"dot", ".dot", "text/vnd.graphviz", false, write_dot}}};

/// Of the first file that was read, without its directory.
std::string stem(const Profile& profile) {
    const auto& first = profile.sources().front();
    return render::is_standard_input(first) ? "profile"
                                            : std::filesystem::path(first.name).filename().string();
}

}  // namespace

std::vector<std::string> export_formats() {
    std::vector<std::string> names;
    for (const auto& format : formats) names.emplace_back(format.name);
    return names;
}

tl::expected<answer::ExportedFile, std::string> write_export(std::string_view format, const CallGraph& graph,
                                                             const Measure& measure) {
    const auto* found =
        std::find_if(formats.begin(), formats.end(), [&](const Format& of) { return of.name == format; });
    if (found == formats.end()) return tl::unexpected(fmt::format("there is no format '{}'", format));
    if (found->is_made_of_stacks && !measure.additive)
        return tl::unexpected(fmt::format("{} does not add up, so there are no stacks by it",
                                          render::display_name(measure.name)));
    answer::ExportedFile file{
        stem(graph.profile()) + std::string(found->suffix), std::string(found->type), {}};
    const auto written = found->write(graph, measure, to_memory(file.bytes));
    if (!written) return tl::unexpected(render::display_name(render::error_text(written.error()).message));
    return file;
}

}  // namespace callcost::page
