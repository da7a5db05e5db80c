#include "reports/filtering.hpp"

#include <algorithm>

#include "reports/function_list.hpp"

namespace callcost::program {

Filtering::Filtering(const Prepared& prepared, const FilterOptions& options)
    : texts_{{"focus", options.focus.texts},
             {"ignore", options.ignore.texts},
             {"show", options.show.texts},
             {"hide", options.hide.texts}} {
    if (std::all_of(texts_.begin(), texts_.end(), [](const auto& option) { return option.second.empty(); }))
        return;
    const auto predicate = [&](const Filter& filter) -> Filters::Predicate {
        if (filter.patterns.empty()) return {};
        return [&](NodeId node) { return any_matches(filter.patterns, prepared.graph, node); };
    };
    const Filters filters = {predicate(options.focus), predicate(options.ignore), predicate(options.show),
                             predicate(options.hide)};
    filtered_ = filter(prepared.graph, filters, prepared.measure);
}

std::function<bool(NodeId)> Filtering::predicate() const {
    if (!filtered_) return {};
    return [this](NodeId node) { return filtered_->listed[node.value]; };
}

void Filtering::say_if_empty(const Console& console) const {
    if (!filtered_ || console.quiet) return;
    const auto& listed = filtered_->listed;
    if (std::find(listed.begin(), listed.end(), true) == listed.end())
        console.say(Severity::note, "no function matches the filters");
}

void Filtering::write_note(std::string& out, const Prepared& prepared, const engine::Style& style) const {
    if (!filtered_) return;
    std::string words;
    for (const auto& [option, texts] : texts_) {
        for (const auto& text : texts) {
            if (!words.empty()) words += ", ";
            words.append(option).append(" '").append(text).append("'");
        }
    }
    write_filter_note(out, prepared.graph, prepared.measure, {words, &*filtered_}, style);
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
    json.member("self_at_least", filtered_->least);
    json.member("self_at_most", filtered_->most);
    json.end_object();
}

}  // namespace callcost::program
