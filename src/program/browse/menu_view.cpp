#include "browse/menu_view.hpp"

#include <array>
#include <memory>
#include <utility>

#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {

std::unique_ptr<ListView> event_menu(const BrowsedProfile& profile) {
    std::vector<std::vector<Cell>> rows;
    std::size_t now = 0;
    for (const auto& measure : profile.measures()) {
        if (measure.name == profile.measure().name) now = rows.size();
        const auto total = measure.additive
                               ? engine::cost(profile.graph().total(measure), measure.unit, profile.style())
                               : std::string();
        const auto& words = measure.long_name.empty() ? measure.formula : measure.long_name;
        rows.push_back(
            {{total},
             {engine::display_name(measure.name), engine::Tone::plain, {engine::display_name(words)}}});
    }
    return std::make_unique<MenuView>(std::vector<Column>{{"total", Align::right}, {"event type"}},
                                      std::move(rows), now, "Enter chooses the event type");
}

std::unique_ptr<ListView> key_list() {
    struct Line {
        const char *keys, *what;
    };
    static constexpr std::array lines = {
        Line{"f", "functions"},
        Line{"c Enter", "callers and callees of the selected function"},
        Line{"t", "call tree"},
        Line{"s", "source of the selected function"},
        Line{"d", "what changed (browse NEW --diff OLD)"},
        Line{"Backspace Esc", "back to the list before"},
        Line{"arrows, Page, Home, End", "select a row; also j, k, Space, g, G"},
        Line{"/ n N", "search part of a name, or /expression/"},
        Line{"F I S H", "filters: focus, ignore, show, hide; R removes all"},
        Line{"o", "sort by another column (*)"},
        Line{"e", "event type"},
        Line{"%", "percentages or numbers"},
        Line{"Enter Right Left *", "tree: open or close, open, close, open all below"},
        Line{"v", "tree: turn it round, callers below"},
        Line{"Enter h Tab Left Right", "source: called function, hot line, file, text aside"},
        Line{"mouse", "click on lists and rows; on the selected row: Enter"},
        Line{"q Ctrl-C", "end; Ctrl-Z stops, Ctrl-L draws anew"},
    };
    std::vector<std::vector<Cell>> rows;
    for (const auto& [keys, what] : lines) {
        Cell text(what);
        text.is_prose = true;
        rows.push_back({{keys, engine::Tone::strong}, text});
    }
    return std::make_unique<MenuView>(std::vector<Column>{{"key"}, {"does"}}, std::move(rows), 0,
                                      "Backspace goes back");
}

}  // namespace callcost::program
