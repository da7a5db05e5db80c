#include "exporters/exported_stacks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "exporters/folded.hpp"
#include "exporters/pprof.hpp"
#include "exporters/speedscope.hpp"
#include "text/diagnostics.hpp"

namespace callcost::engine {
namespace {

using Write = Result<void> (*)(const CallGraph& graph, const StackOptions& how, const Sink& sink);

StackOptions stack_options(const CallGraph& graph, const StacksOfSources& stacks, const Measure& measure) {
    StackOptions how;
    how.measures = {measure};
    for (auto& other : measures(graph.profile()))
        if (other.formula.empty() && other.name != measure.name) how.measures.push_back(std::move(other));
    how.name = graph.profile().parts().empty() ? "" : std::string(graph.profile().parts()[0].command);
    how.recorded = recorded_for(graph, stacks, how.measures);
    return how;
}

Result<void> write_first(const CallGraph& graph, const StackOptions& how, const Sink& sink) {
    return write_folded(graph, tree_of(graph, how, how.measures.front()), sink);
}

struct Format {
    std::string_view name, file, type;
    bool needs_gzip;
    Write write;
};
constexpr std::array<Format, 3> formats = {
    {{"folded", "profile.folded", "text/plain", false, write_first},
     {"pprof", "profile.pb.gz", "application/octet-stream", true, write_pprof},
     {"speedscope", "profile.speedscope.json", "application/json", false, write_speedscope}}};

}  // namespace

std::vector<std::string> stack_formats() {
    std::vector<std::string> names;
    names.reserve(formats.size());
    for (const auto& format : formats) names.emplace_back(format.name);
    return names;
}

tl::expected<ExportedFile, std::string> exported_stacks(std::string_view format, const CallGraph& graph,
                                                        const StacksOfSources& stacks,
                                                        const Measure& measure) {
    const auto* found =
        std::find_if(formats.begin(), formats.end(), [&](const Format& of) { return of.name == format; });
    if (found == formats.end()) return tl::unexpected(std::string("unknown format"));
    if (!measure.additive) return tl::unexpected(std::string("the event type is not additive: no stacks"));
    ExportedFile file{std::string(found->file), std::string(found->type), {}, found->needs_gzip};
    constexpr std::size_t max_bytes = std::size_t{90} << 20U;  // what an answer can hold
    bool is_too_large = false;
    const auto how = stack_options(graph, stacks, measure);
    const auto written = found->write(graph, how, [&](std::string_view bytes) -> Result<void> {
        is_too_large = file.bytes.size() + bytes.size() > max_bytes;
        if (is_too_large) return tl::unexpected(Error{ErrorCode::too_large, 0, 0, 0, {}});
        file.bytes += bytes;
        return {};
    });
    if (written) return file;
    if (is_too_large)
        return tl::unexpected(std::string("the file is larger than 90 MB; use 'callcost convert'"));
    return tl::unexpected(written.error().message());
}

}  // namespace callcost::engine
