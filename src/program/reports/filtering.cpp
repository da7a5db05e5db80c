#include "reports/filtering.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "options/command_line.hpp"
#include "query/function_hint.hpp"
#include "query/view.hpp"
#include "terminal/text_table.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

/// Whether a text is `Ir,Dr`, as --show of callgrind_annotate has it.
auto is_list_of_measures(const std::vector<Measure>& measures) {
    return [&measures](const std::string& text) {
        const auto words = listed(text);
        return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
            return std::any_of(measures.begin(), measures.end(),
                               [&](const Measure& measure) { return measure.name == word; });
        });
    };
}

}  // namespace

Filtering::Filtering(const PreparedProfile& prepared, const FilterOptions& options)
    : texts_(texts_by_option(options)), prepared_(prepared) {
    if (std::all_of(texts_.begin(), texts_.end(), [](const auto& option) { return option.second.empty(); }))
        return;
    filtered_ = std::make_shared<const engine::FilteredFunctions>(prepared.graph, patterns_of(options),
                                                                  prepared.stacks);
}

Filtering::Filtering(PreparedProfile& prepared, const FilterOptions& options, std::optional<GroupBy> by)
    : Filtering(prepared, options) {
    if (!by) return;
    auto groups = engine::groups_of(prepared.graph, *by, filtered_);
    prepared.graph = groups.view.graph;
    filtered_ = std::move(groups.filtered);
}

FilterTextsByOption texts_by_option(const FilterOptions& options) {
    return {{"focus", options.focus.texts}, {"ignore", options.ignore.texts},
            {"show", options.show.texts},   {"hide", options.hide.texts},
            {"file", options.file.texts},   {"object", options.object.texts}};
}

engine::FilterPatterns patterns_of(const FilterOptions& options) {
    return {.focus = options.focus.patterns,
            .ignore = options.ignore.patterns,
            .show = options.show.patterns,
            .hide = options.hide.patterns,
            .file = options.file.patterns,
            .object = options.object.patterns};
}

std::string filter_words(const FilterTextsByOption& filters) {
    std::string words;
    for (const auto& [option, texts] : filters) {
        for (const auto& text : texts) {
            if (!words.empty()) words += ", ";
            words.append(option).append(" '").append(text).append("'");
        }
    }
    return words;
}

CostsKept Filtering::kept() const {
    if (!filtered_) return {};
    return [this](const Measure& measure) -> const FilteredCosts& { return filtered_->costs(measure); };
}

void Filtering::say_if_empty(const Console& console) const {
    if (!filtered_ || console.quiet) return;
    const auto& listed = filtered_->costs(prepared_.measure).listed;
    std::vector<std::string> texts;
    for (const auto& [option, some] : texts_)
        if (option == "focus" || option == "show") texts.insert(texts.end(), some.begin(), some.end());
    if (std::find(listed.begin(), listed.end(), true) != listed.end()) return;
    const auto event = std::find_if(texts.begin(), texts.end(), is_list_of_measures(prepared_.measures));
    console.say(Severity::note, "no function matches the filters",
                event != texts.end()
                    ? std::string("event types are chosen by --event, of annotate and asm also by --columns")
                    : engine::function_hint(prepared_.graph, texts));
}

void Filtering::write_note(std::string& out, const engine::Style& style, Estimates estimates) const {
    if (!filtered_) return;
    const auto words = filter_words(texts_);
    const auto& graph = prepared_.graph;
    const auto& measure = prepared_.measure;
    const auto* kept = &filtered_->costs(measure);
    std::string text;
    if (measure.additive) {
        const auto share = [base = percentage_base(graph, measure)](Cost of) {
            return engine::percent(of, base);
        };
        const auto between = fmt::format("between {} and {}", share(kept->least), share(kept->most));
        const bool is_known = share(kept->least) == share(kept->most);
        text = is_known
                   ? fmt::format("{} of the total is shown", share(kept->most))
                   : fmt::format("{}{} of the total is shown ({})", about, share(kept->estimate), between);
    }
    Table facts({{}, {}});
    facts.add_row({{"filter ", engine::Tone::dim}, {engine::display_name(words), engine::Tone::strong}});
    if (!text.empty()) facts.add_row({{"shown", engine::Tone::dim}, {text, engine::Tone::strong}});
    const auto is_unknown = [&](NodeId node) {
        return !is_exact(kept->self, node) || !is_exact(kept->inclusive, node);
    };
    bool is_any_unknown = estimates == Estimates::of_others;
    for (std::size_t row = 0; estimates == Estimates::of_functions && row < graph.size(); ++row)
        is_any_unknown = is_any_unknown || (kept->listed[row] && is_unknown(NodeId(row)));
    if (is_any_unknown) {
        const auto estimated = fmt::format("{} estimated: also called by other functions", about);
        facts.add_row({{"note", engine::Tone::dim}, estimated + "; cost per caller is not recorded"});
    }
    facts.write(out, style);
}

void Filtering::write(engine::JsonWriter& json) const {
    if (!filtered_) return;
    json.key("filter");
    json.begin_object();
    for (const auto& [option, texts] : texts_) {
        json.key(option);
        json.begin_array();
        for (const auto& text : texts) json.value(text);
        json.end_array();
    }
    const auto* kept = &filtered_->costs(prepared_.measure);
    json.member("self", kept->estimate);
    json.member("self_at_least", kept->least);
    json.member("self_at_most", kept->most);
    json.end_object();
}

}  // namespace callcost::program
