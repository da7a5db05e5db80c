#include "browse/change_view.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/function_list.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

constexpr std::array<std::string_view, 5> order_words = {"change", "relative change", "increase", "decrease",
                                                         "name"};

}  // namespace

Cell change_cell(const BrowsedProfile& profile, const Change& cost) {
    const auto tone = cost.delta() > 0   ? engine::Tone::hot
                      : cost.delta() < 0 ? engine::Tone::good
                                         : engine::Tone::dim;
    return {cost.delta() == 0 ? std::string() : profile.change(cost), tone};
}

ChangeView::ChangeView(const BrowsedProfile& profile, ListSettings& settings)
    : profile_(profile), settings_(settings) {
    list();
}

void ChangeView::list() {
    rows_ =
        engine::changed_functions(engine::filtered_difference(profile_.view()), settings_.change_order).self;
}

std::vector<Column> ChangeView::columns() const {
    return {{"before", Align::right},
            {"after", Align::right},
            {"change", Align::right},
            {"relative", Align::right},
            {"function"}};
}

std::vector<Cell> ChangeView::row(std::size_t row) const {
    const auto& function = diff().function(rows_[row]);
    const auto self = engine::filtered_difference(profile_.view()).self_change(rows_[row]);
    const auto change = change_cell(profile_, self);
    NameText name{.name = engine::display_name(diff().name(function))};
    if (function.is_added()) name.after = " (new)";
    if (function.is_removed()) name.after = " (removed)";
    if (function.is_renamed()) name.after = " (renamed?)";
    const auto of = this->function(row).value();
    const auto relative = self.before == 0
                              ? std::string()
                              : (self.delta() > 0 ? "+" : "") + engine::percent(self.delta(), self.before);
    return {
        profile_.figure(self.before, true, true),
        profile_.figure(self.after),
        change,
        {relative, change.tone},
        {name, engine::Tone::plain, location_texts(profile_.side_of(of).graph(), of.node, profile_.style())}};
}

FunctionNames ChangeView::names(std::size_t row) const {
    const auto& function = diff().function(rows_[row]);
    return {diff().name(function), diff().object(function), diff().file(function)};
}

std::optional<engine::FunctionAt> ChangeView::function(std::size_t row) const {
    const auto& function = diff().function(rows_[row]);
    return function.is_removed() ? engine::FunctionAt{function.before.front(), true}
                                 : engine::FunctionAt{function.after.front(), false};
}

std::string ChangeView::note() const {
    const auto total = diff().total();
    const auto text = [&](Cost cost) {
        return engine::cost(cost, profile_.measure().unit, profile_.style());
    };
    std::string words = fmt::format("total {} before, {} after", text(total.before), text(total.after));
    if (total.before != 0)
        words += fmt::format(" ({}{})", total.delta() > 0 ? "+" : "",
                             engine::percent(total.delta(), total.before));
    if (const auto kept = engine::filtered_difference(profile_.view()); kept.is_filtered()) {
        const auto listed = kept.total();
        const auto* const mark = listed.is_exact() ? "" : "~";
        words += fmt::format("; listed {0}{1} before, {0}{2} after", mark, text(listed.estimate.before),
                             text(listed.estimate.after));
    }
    return words + fmt::format("; by {}", order_words[static_cast<std::size_t>(settings_.change_order)]);
}

bool ChangeView::press(const Key& key, std::size_t& row) {
    if (key.kind != Key::Kind::character || key.character != U'o') return false;
    const auto next = (static_cast<std::size_t>(settings_.change_order) + 1) % order_words.size();
    settings_.change_order = static_cast<engine::ChangeOrder>(next);
    row = 0;
    list();
    return true;
}

}  // namespace callcost::program
