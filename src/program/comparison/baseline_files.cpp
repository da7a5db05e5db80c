#include "comparison/baseline_files.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "comparison/setting.hpp"
#include "input/directory_entries.hpp"
#include "input/open.hpp"
#include "output/compression.hpp"
#include "text/diagnostics.hpp"
#include "text/names.hpp"
#include <callcost/callcost.hpp>

namespace callcost::program {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".callgrind.gz";
constexpr std::string_view version_key = "callcost-baseline: ", current_version = "1";
constexpr std::string_view saved_key = "callcost-baseline-saved: ";
constexpr std::string_view note_key = "callcost-baseline-note: ";

/// A line of its own, whatever the text holds.
std::string line(std::string_view key, std::string_view text) {
    return std::string(key) + engine::display_name(text);
}

class BaselineWriter {
  public:
    BaselineWriter(const CallGraph& graph, const BaselineFacts& facts, const Sink& sink)
        : graph_(graph),
          facts_(facts),
          writer_(sink, {.creator = creator(facts), .unknown_count_as_one = false}) {
        for (auto& measure : measures(graph.profile()))
            if (measure.formula.empty() && measure.additive) measures_.push_back(std::move(measure));
    }

    Result<void> write() {
        if (auto done = begin(); !done) return done;
        for (std::size_t row = 0; row < graph_.size(); ++row)
            if (auto done = write_function(NodeId(row)); !done) return done;
        return writer_.finish();
    }

  private:
    static std::string creator(const BaselineFacts& facts) {
        auto text = "callcost-" + std::string(callcost::version());
        if (!facts.creator.empty()) text += std::string(baseline_of) + engine::display_name(facts.creator);
        return text;
    }

    Result<void> begin() {
        std::vector<std::string> descriptions = {std::string(version_key) + std::string(current_version),
                                                 line(saved_key, facts_.saved)};
        if (!facts_.note.empty()) descriptions.push_back(line(note_key, facts_.note));
        add_caches(descriptions);
        std::vector<EventType> events;
        for (const Measure& measure : measures_)
            events.push_back({.name = measure.name,
                              .long_name = measure.long_name,
                              .unit = measure.unit,
                              .aggregation = Aggregation::sum});
        std::string_view command;
        for (const PartId part : graph_.parts())
            if (command.empty()) command = graph_.profile().parts()[part.value].command;
        return writer_.begin_part({.command = command, .descriptions = descriptions, .events = events});
    }

    /// Costs depend on the caches that were simulated.
    void add_caches(std::vector<std::string>& descriptions) const {
        for (const std::string_view key : cache_keys)
            for (const PartId part : graph_.parts()) {
                const auto& all = graph_.profile().parts()[part.value].descriptions;
                const auto found = std::find_if(
                    all.begin(), all.end(), [&](const std::string& text) { return text.starts_with(key); });
                if (found == all.end()) continue;
                descriptions.push_back(*found);
                break;
            }
    }

    Writer::Function written(NodeId node) {
        const auto known = [](std::string_view name) { return name == "???" ? std::string_view() : name; };
        const auto object = known(graph_.object(node)), file = known(graph_.file(node));
        return writer_.function(object.empty() ? Writer::Object() : writer_.object(object),
                                file.empty() ? Writer::File() : writer_.file(file), graph_.name(node));
    }

    Result<void> write_function(NodeId node) {
        if (auto done = writer_.begin_function(written(node)); !done) return done;
        std::vector<Cost> costs;
        for (const Measure& measure : measures_) costs.push_back(graph_.self(node, measure));
        // A function without records costs as much as the calls to it, and one with a record of zeros
        // nothing.
        const bool is_free = std::all_of(measures_.begin(), measures_.end(), [&](const Measure& measure) {
            return graph_.inclusive(node, measure) == 0;
        });
        if (is_free || std::any_of(costs.begin(), costs.end(), [](auto cost) { return cost != 0; }))
            if (auto done = writer_.cost({}, costs); !done) return done;
        auto arcs = std::vector(graph_.callees(node).begin(), graph_.callees(node).end());
        std::sort(arcs.begin(), arcs.end(),
                  [&](ArcId a, ArcId b) { return graph_.callee(a) < graph_.callee(b); });
        for (const ArcId arc : arcs)
            if (auto done = write_arc(arc); !done) return done;
        return {};
    }

    Result<void> write_arc(ArcId arc) {
        std::vector<Cost> costs;
        for (const Measure& measure : measures_) costs.push_back(graph_.cost(arc, measure));
        const auto callee = written(graph_.callee(arc));
        const auto count = graph_.count(arc);
        if (auto done = writer_.call({.callee = callee, .count = count.known}, costs); !done) return done;
        if (count.known == 0 || !count.at_least) return {};
        // Further calls, of unknown number.
        std::fill(costs.begin(), costs.end(), 0);
        return writer_.call({.callee = callee, .count = 0}, costs);
    }

    const CallGraph& graph_;
    const BaselineFacts& facts_;
    Writer writer_;
    std::vector<Measure> measures_;
};

tl::expected<BaselineFacts, std::string> facts_of(const Profile& profile) {
    BaselineFacts facts;
    std::string_view found;
    for (const Part& part : profile.parts()) {
        for (const std::string_view text : part.descriptions) {
            const auto take = [&](std::string_view key, std::string& value) {
                if (text.starts_with(key)) value = text.substr(key.size());
            };
            if (text.starts_with(version_key)) found = text.substr(version_key.size());
            take(saved_key, facts.saved);
            take(note_key, facts.note);
        }
        if (facts.creator.empty()) facts.creator = original_creator(part.creator);
    }
    if (found.empty()) return tl::unexpected(std::string("not a baseline"));
    if (found != current_version)
        return tl::unexpected(
            fmt::format("baseline version {} needs a newer callcost", engine::display_name(found)));
    return facts;
}

std::string display(const fs::path& path) { return engine::display_name(path.string()); }

std::string words_of(const Error& error) { return engine::display_name(error.message()); }

}  // namespace

Result<void> write_baseline(const CallGraph& graph, const BaselineFacts& facts, const Sink& sink) {
    return gzip(sink, [&](const Sink& packed) { return BaselineWriter(graph, facts, packed).write(); });
}

tl::expected<fs::path, std::string> path_of(const std::string& directory, std::string_view name) {
    constexpr std::size_t longest = 200;
    const bool is_plain = std::none_of(name.begin(), name.end(), [](char c) {
        return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    });
    if (name.empty() || name[0] == '.' || name[0] == '-' || name.size() > longest || !is_plain)
        return tl::unexpected(fmt::format("invalid baseline name '{}'", engine::display_name(name)));
    return fs::path(directory) / (std::string(name) + std::string(suffix));
}

tl::expected<Baseline, std::string> read_baseline(const fs::path& path) {
    std::error_code missing;  // which opening reports
    if (!fs::is_regular_file(path, missing) && fs::exists(path, missing))
        return tl::unexpected(std::string("not a regular file"));  // a pipe may never say anything
    auto source = open_source(path.string());
    if (!source) return tl::unexpected(words_of(source.error()));
    auto profile = read_profile(*std::move(source), {.detail = Detail::functions});
    if (!profile) return tl::unexpected(words_of(profile.error()));
    auto facts = facts_of(*profile);
    if (!facts) return tl::unexpected(facts.error());
    auto graph = call_graph(*profile);
    if (!graph) return tl::unexpected(words_of(graph.error()));
    auto name = path.filename().string();
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
    const auto diagnostics = profile->diagnostics();
    const bool is_cut = std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.id == DiagnosticId::truncated_compression ||
               diagnostic.id == DiagnosticId::truncated_file || diagnostic.id == DiagnosticId::read_failed;
    });
    return Baseline{std::move(name), *std::move(facts), *std::move(graph), is_cut};
}

tl::expected<Baselines, std::string> read_baselines(const std::string& directory) {
    std::vector<fs::path> paths;
    const auto problem = for_each_entry(directory, [&](const std::string& name, FileKind kind) {
        if (kind == FileKind::file && name.ends_with(suffix)) paths.push_back(fs::path(directory) / name);
        return true;
    });
    if (problem) return tl::unexpected(problem.message());
    std::sort(paths.begin(), paths.end());
    Baselines found;
    for (const auto& path : paths) {
        const auto name = path.filename().string();
        if (!path_of(directory, std::string_view(name).substr(0, name.size() - suffix.size()))) continue;
        auto baseline = read_baseline(path);
        if (baseline) {
            if (baseline->is_cut) found.problems.push_back(fmt::format("{} is truncated", display(path)));
            found.all.push_back(*std::move(baseline));
        } else {
            found.problems.push_back(fmt::format("{}: {}", display(path), baseline.error()));
        }
    }
    std::stable_sort(found.all.begin(), found.all.end(), [](const Baseline& a, const Baseline& b) {
        return std::tie(a.facts.saved, a.name) < std::tie(b.facts.saved, b.name);
    });
    return found;
}

}  // namespace callcost::program
