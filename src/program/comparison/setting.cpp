#include "comparison/setting.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "text/names.hpp"
#include "text/profile_facts.hpp"

namespace callcost::program {
namespace {

template <class TextOf>
std::set<std::string> texts_of(const PreparedProfile& side, const TextOf& text_of) {
    std::set<std::string> texts;
    for (const PartId part : side.graph.parts()) {
        auto text = text_of(side.profile().parts()[part.value]);
        if (!text.empty()) texts.insert(std::move(text));
    }
    return texts;
}

std::string first_missing(const std::set<std::string>& all, const std::set<std::string>& others) {
    for (const auto& text : all)
        if (!others.contains(text)) return text;
    return all.empty() ? std::string() : *all.begin();
}

}  // namespace

std::string_view original_creator(std::string_view creator) {
    if (!creator.starts_with("callcost-")) return creator;
    constexpr std::string_view before = " from ";
    if (const auto at = creator.find(before); at != std::string_view::npos)
        return creator.substr(at + before.size());
    return creator;
}

std::string damage(const PreparedProfile& side) {
    for (const Diagnostic& diagnostic : side.diagnostics) {
        if (diagnostic.id != DiagnosticId::truncated_file && diagnostic.id != DiagnosticId::read_failed &&
            diagnostic.id != DiagnosticId::truncated_compression)
            continue;
        const auto sources = side.profile().sources();
        const auto source = diagnostic.places.empty() ? 0 : diagnostic.places[0].source;
        return fmt::format("{} is truncated",
                           source < sources.size() ? engine::display_name(sources[source].name) : "one");
    }
    return {};
}

std::string difference_of_commands(const PreparedProfile& before, const PreparedProfile& after) {
    const auto olds = texts_of(before, common_command), news = texts_of(after, common_command);
    if (olds == news || olds.empty() || news.empty()) return {};
    return fmt::format("different commands: '{}' and '{}'", engine::display_name(first_missing(olds, news)),
                       engine::display_name(first_missing(news, olds)));
}

std::string_view common_unit(const Diff& diff) {
    return diff.measure_before().unit == diff.measure_after().unit ? diff.measure_after().unit
                                                                   : std::string_view();
}

void warn_of_setting(const PreparedProfile& before, const PreparedProfile& after, const Diff& diff,
                     const Console& console) {
    const auto compare_texts = [&](std::string_view what, const auto& text_of) {
        const auto olds = texts_of(before, text_of), news = texts_of(after, text_of);
        if (olds == news || olds.empty() || news.empty()) return;
        console.say(Severity::warning, fmt::format("the {} differ, which affects costs: '{}' and '{}'", what,
                                                   engine::display_name(first_missing(olds, news)),
                                                   engine::display_name(first_missing(news, olds))));
    };
    compare_texts("tools", [](const Part& part) {
        return part.creator.empty() && part.dialect == Dialect::cachegrind
                   ? std::string("Cachegrind")
                   : std::string(original_creator(part.creator));
    });
    for (const std::string_view cache : cache_keys)
        compare_texts("caches", [&](const Part& part) {
            for (const auto& text : part.descriptions)
                if (text.starts_with(cache) && text.size() > cache.size() + 1)
                    return text;  // it was simulated
            return std::string();
        });
    std::set<std::string> olds, news;
    for (const Measure& measure : before.measures) olds.insert(measure.name);
    for (const Measure& measure : after.measures) news.insert(measure.name);
    if (olds != news)
        console.say(Severity::warning, "the profiles record different event types",
                    "only the common ones are compared");
    if (!diff.compares_calls())
        console.say(
            Severity::warning,
            fmt::format("the {} profile records no calls", engine::has_calls(before.graph) ? "new" : "old"),
            "only self costs are compared");
}

}  // namespace callcost::program
