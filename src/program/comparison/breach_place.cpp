#include "comparison/breach_place.hpp"

#include <span>

#include <fmt/format.h>

#include "text/characters.hpp"
#include "text/names.hpp"
#include <callcost/lines.hpp>

namespace callcost::program {
namespace {

std::optional<SourcePlace> costliest_line(const Diff& diff, const FunctionMatch& function,
                                          const std::function<bool(std::string_view)>& usable) {
    std::optional<SourcePlace> place;
    Cost most = 0;
    for (const NodeId node : function.after) {
        const auto files = function_lines(diff.after(), node, std::span(&diff.measure_after(), 1));
        if (!files) continue;
        for (const FileLines& file : *files) {
            const auto name = diff.after().profile().name(file.file);
            if (!usable(name)) continue;
            for (const LineCost& line : file.lines) {
                if (line.line == 0 || line.self[0] <= most) continue;
                most = line.self[0];
                place = {name, line.line};
            }
        }
    }
    return place;
}

}  // namespace

std::optional<MatchId> blamed_function(const RuleBreach& breach) {
    return breach.function ? breach.function : breach.changed_most;
}

std::optional<SourcePlace> breach_line(const Comparison& comparison, const RuleBreach& breach,
                                       const std::function<bool(std::string_view file)>& usable) {
    const auto function = blamed_function(breach);
    if (!function) return std::nullopt;
    const bool is_less = breach.change.delta() < 0;
    const auto changed_more = [&](const LineChange& a, const LineChange& b) {
        return is_less ? a.self.delta() < b.self.delta() : a.self.delta() > b.self.delta();
    };
    const LineChange* worst = nullptr;
    for (const auto& [id, line] : comparison.lines) {
        if (id != *function || line.after == 0 || !usable(line.file)) continue;
        if (worst == nullptr || changed_more(line, *worst)) worst = &line;
    }
    if (worst != nullptr) return SourcePlace{worst->file, worst->after};
    return costliest_line(comparison.diff, comparison.diff.function(*function), usable);
}

std::string blame_text(const Comparison& comparison, const RuleBreach& breach) {
    if (breach.function || !breach.changed_most) return {};
    return ", most in " + function_name(comparison.diff, *breach.changed_most);
}

std::string place_text(const Comparison& comparison, const RuleBreach& breach) {
    auto text = blame_text(comparison, breach);
    if (const auto place = breach_line(comparison, breach))
        text += fmt::format(" ({}:{})", engine::display_name(engine::base_name(place->file)), place->line);
    return text;
}

}  // namespace callcost::program
