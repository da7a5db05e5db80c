// V8's .heapprofile (`node --heap-prof`, Chrome DevTools): a JSON object with a tree of nested nodes, each of
// which is a function in a stack and what of its allocations is alive.
// https://chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#type-SamplingHeapProfile
#include <utility>

#include "encodings/import_input.hpp"
#include "import_model/imported_stacks.hpp"
#include "import_model/stack_trees.hpp"
#include "json_importers/json_importers.hpp"
#include "json_importers/v8_json.hpp"
#include "json_importers/v8_nodes.hpp"

namespace callcost::engine {
namespace {

class HeapProfileImport {
  public:
    HeapProfileImport(V8Json json, const ImportOptions& options)
        : json_(std::move(json)), options_(options) {}

    Result<ImportNotes> run(const Sink& sink) {
        notes_.format = ImportFormat::heapprofile;
        notes_.kind = "V8 heap profile";
        notes_.limits = "sizes are estimates, scaled by V8, of what was alive";
        sampled_.resize(json_.nodes.size(), 0);
        for (const std::int64_t id : json_.samples)
            if (const std::uint32_t node = nodes_.row(id); node != no_row) {
                ++sampled_[node];
                ++notes_.samples;
            }
        const std::uint32_t size = profile_.event("size", "bytes");
        const std::uint32_t samples = json_.samples.empty() ? no_row : profile_.event("samples", {});
        if (samples == no_row) notes_.counted = "stack";
        const auto circles =
            add_stack_trees(profile_, nodes_.callers(), nodes_.frames(), [&](std::uint32_t node) {
                const std::int64_t bytes = json_.nodes[node].size;
                if (bytes != 0) profile_.add({.event = size, .cost = bytes});
                if (bytes != 0 && samples == no_row) ++notes_.samples;
                if (sampled_[node] != 0)
                    profile_.add({.event = samples, .cost = static_cast<std::int64_t>(sampled_[node])});
            });
        if (circles != 0) note(notes_, ImportOddity::cyclic_nodes, 0, circles);
        if (auto done = profile_.write({.unknown_count_as_one = options_.unknown_count_as_one}, sink); !done)
            return tl::unexpected(done.error());
        return std::move(notes_);
    }

  private:
    V8Json json_;
    const ImportOptions& options_;
    ImportNotes notes_;
    StackProfile profile_{options_.stacks};
    V8Nodes nodes_{json_, profile_, notes_};
    std::vector<std::uint64_t> sampled_;  // by node
};

}  // namespace

Result<ImportNotes> import_heapprofile(const Source& source, const ImportOptions& options, const Sink& sink) {
    Result<V8Json> json = read_v8_json(source);
    if (!json) return tl::unexpected(json.error());
    if (!json->has_sizes) return tl::unexpected(not_in_format("no node has a \"selfSize\": no .heapprofile"));
    return HeapProfileImport(std::move(*json), options).run(sink);
}

}  // namespace callcost::engine
