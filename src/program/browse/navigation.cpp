#include "browse/navigation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "browse/call_tree_view.hpp"
#include "browse/change_view.hpp"
#include "browse/function_view.hpp"
#include "browse/menu_view.hpp"
#include "browse/neighbour_view.hpp"
#include "browse/source_line_view.hpp"
#include "options/patterns.hpp"
#include "reports/filtering.hpp"
#include "text/input_names.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"

namespace callcost::program {
namespace {

constexpr std::size_t lines_above = 3;  // of a list: title, tabs, heading
constexpr std::size_t wheel = 3;        // rows

std::string utf8(char32_t character) {
    const auto byte = [](char32_t bits) { return static_cast<char>(static_cast<unsigned char>(bits)); };
    if (character < 0x80) return {byte(character)};
    if (character < 0x800) return {byte(0xc0 | (character >> 6U)), byte(0x80 | (character & 0x3fU))};
    if (character < 0x10000)
        return {byte(0xe0 | (character >> 12U)), byte(0x80 | ((character >> 6U) & 0x3fU)),
                byte(0x80 | (character & 0x3fU))};
    return {byte(0xf0 | (character >> 18U)), byte(0x80 | ((character >> 12U) & 0x3fU)),
            byte(0x80 | ((character >> 6U) & 0x3fU)), byte(0x80 | (character & 0x3fU))};
}

void remove_last_character(std::string& text) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80U) text.pop_back();
    if (!text.empty()) text.pop_back();
}

bool is_same(const std::optional<engine::FunctionAt>& a, const std::optional<engine::FunctionAt>& b) {
    return a && b && a->node == b->node && a->is_before == b->is_before;
}

}  // namespace

Navigation::Navigation(BrowsedProfile& profile, SortBy sort) : profile_(profile), settings_{.sort = sort} {
    visit(ListKind::functions);
}

std::unique_ptr<ListView> Navigation::make(const Stop& stop) {
    switch (stop.kind) {
        case ListKind::functions:
            break;
        case ListKind::neighbours:
            return std::make_unique<NeighbourView>(profile_, stop.function.value());
        case ListKind::tree:
            return std::make_unique<CallTreeView>(profile_, settings_);
        case ListKind::source:
            return std::make_unique<SourceLineView>(profile_, stop.function.value());
        case ListKind::changes:
            return std::make_unique<ChangeView>(profile_, settings_);
        case ListKind::events:
            return event_menu(profile_);
        case ListKind::keys:
            return key_list();
    }
    return std::make_unique<FunctionView>(profile_, settings_);
}

Navigation::Stop& Navigation::here() {
    auto& stop = stops_.back();
    if (stop.list) return stop;
    stop.list = make(stop);
    const auto size = stop.list->size();
    if (stop.anchor) {
        std::size_t row = 0;
        while (row < size && !is_same(stop.list->function(row), stop.anchor)) ++row;
        if (row < size) stop.selected = row;
        stop.anchor.reset();
    }
    stop.selected = std::min(stop.selected, size > 0 ? size - 1 : 0);
    return stop;
}

std::optional<engine::FunctionAt> Navigation::selected_function() {
    const auto& stop = here();
    if (stop.list->size() == 0) return std::nullopt;
    return stop.list->function(stop.selected);
}

void Navigation::visit(ListKind kind, std::optional<engine::FunctionAt> function) {
    constexpr std::size_t most = 100;
    if (stops_.size() == most) stops_.erase(stops_.begin() + 1);
    Stop stop{.kind = kind, .function = function};
    stop.list = make(stop);
    stop.selected = stop.list->first_row();
    stops_.push_back(std::move(stop));
}

void Navigation::visit_selected(ListKind kind) {
    const auto function = selected_function();
    if (!function) {
        message_ = "no function is selected";
    } else if (here().kind != kind || !is_same(here().function, function)) {
        visit(kind, function);
    }
}

void Navigation::enter() {
    switch (here().kind) {
        case ListKind::functions:
        case ListKind::changes:
        case ListKind::neighbours:
            return visit_selected(ListKind::neighbours);
        case ListKind::source:
            return visit_selected(ListKind::source);
        case ListKind::events: {
            auto query = profile_.query();
            query.event = profile_.measures()[here().selected].name;
            go_back();
            return ask(std::move(query));
        }
        case ListKind::keys:
            return go_back();
        case ListKind::tree:  // which has opened a branch
            return;
    }
}

void Navigation::go_back() {
    if (stops_.size() > 1) stops_.pop_back();
}

void Navigation::make_all_anew() {
    for (auto& stop : stops_) {
        if (stop.list && stop.selected < stop.list->size()) stop.anchor = stop.list->function(stop.selected);
        stop.list.reset();
    }
}

void Navigation::ask(engine::Query query) {
    const auto asked = profile_.ask(std::move(query));
    if (asked) return make_all_anew();
    message_ = asked.error().message;
    if (!asked.error().hint.empty()) message_ += "; " + asked.error().hint;
}

// --- keys -------------------------------------------------------------------------------------------------

bool Navigation::press(const Key& key) {
    if (key.kind != Key::Kind::redraw) message_.clear();
    if (prompt_ != Prompt::none) {
        press_in_prompt(key);
        return true;
    }
    auto& stop = here();
    if (stop.list->size() > 0 && stop.list->press(key, stop.selected)) return true;
    if (move(key)) return true;
    switch (key.kind) {
        case Key::Kind::click:
            click(key);
            return true;
        case Key::Kind::enter:
            enter();
            return true;
        case Key::Kind::escape:
        case Key::Kind::backspace:
            go_back();
            return true;
        case Key::Kind::character:
            return command(key.character);
        default:
            return true;
    }
}

bool Navigation::move(const Key& key) {
    const auto page = static_cast<std::ptrdiff_t>(rows_);
    const auto all = static_cast<std::ptrdiff_t>(here().list->size());
    switch (key.kind) {
        case Key::Kind::up:
            move_by(-1);
            return true;
        case Key::Kind::down:
            move_by(1);
            return true;
        case Key::Kind::wheel_up:
            move_by(-static_cast<std::ptrdiff_t>(wheel));
            return true;
        case Key::Kind::wheel_down:
            move_by(static_cast<std::ptrdiff_t>(wheel));
            return true;
        case Key::Kind::page_up:
            here().first -= std::min(here().first, rows_);
            move_by(-page);
            return true;
        case Key::Kind::page_down:
            here().first += rows_;
            move_by(page);
            return true;
        case Key::Kind::home:
            move_by(-all);
            return true;
        case Key::Kind::end:
            move_by(all);
            return true;
        default:
            return false;
    }
}

void Navigation::move_by(std::ptrdiff_t rows) {
    auto& stop = here();
    const auto last = std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(stop.list->size()) - 1, 0);
    stop.selected = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(stop.selected) + rows, 0, last));
}

void Navigation::click(const Key& key) {
    if (key.row == 1) {
        const auto tab = std::find_if(tabs_.begin(), tabs_.end(),
                                      [&](const auto& each) { return key.column < each.first; });
        if (tab != tabs_.end()) (void)command(tab->second);
        return;
    }
    auto& stop = here();
    if (key.row < lines_above || key.row >= lines_above + rows_) return;
    const auto row = stop.first + key.row - lines_above;
    if (row >= stop.list->size()) return;
    if (row == stop.selected) {
        (void)press({.kind = Key::Kind::enter});
    } else {
        stop.selected = row;
    }
}

bool Navigation::command(char32_t character) {
    switch (character) {
        case U'q':
            return false;
        case U'j':
            return press({.kind = Key::Kind::down});
        case U'k':
            return press({.kind = Key::Kind::up});
        case U' ':
            return press({.kind = Key::Kind::page_down});
        case U'g':
            return press({.kind = Key::Kind::home});
        case U'G':
            return press({.kind = Key::Kind::end});
        case U'f':
            stops_.resize(1);
            break;
        case U'c':
            visit_selected(ListKind::neighbours);
            break;
        case U't':
            if (here().kind != ListKind::tree) visit(ListKind::tree);
            break;
        case U's':
            visit_selected(ListKind::source);
            break;
        case U'd':
            if (!profile_.is_compared()) {
                message_ = "there is nothing to compare with: callcost browse NEW --diff OLD";
            } else if (here().kind != ListKind::changes) {
                visit(ListKind::changes);
            }
            break;
        case U'e':
            if (here().kind != ListKind::events) visit(ListKind::events);
            break;
        case U'?':
            if (here().kind != ListKind::keys) visit(ListKind::keys);
            break;
        case U'%':
            profile_.switch_shares();
            break;
        case U'/':
            open_prompt(Prompt::search);
            break;
        case U'n':
        case U'N':
            if (pattern_.empty()) {
                message_ = "nothing was searched yet: / searches";
            } else {
                find(pattern_, here().selected, character == U'N' ? Direction::backward : Direction::forward);
            }
            break;
        case U'F':
            open_prompt(Prompt::focus);
            break;
        case U'I':
            open_prompt(Prompt::ignore);
            break;
        case U'S':
            open_prompt(Prompt::show);
            break;
        case U'H':
            open_prompt(Prompt::hide);
            break;
        case U'R': {
            auto query = profile_.query();
            query.filters = {};
            ask(std::move(query));
            break;
        }
        default:
            message_ = "? shows the keys";
    }
    return true;
}

// --- prompts ----------------------------------------------------------------------------------------------

std::vector<std::string>* Navigation::filter_of(Prompt prompt, engine::FilterTexts& filters) {
    switch (prompt) {
        case Prompt::focus:
            return &filters.focus;
        case Prompt::ignore:
            return &filters.ignore;
        case Prompt::show:
            return &filters.show;
        case Prompt::hide:
            return &filters.hide;
        case Prompt::none:
        case Prompt::search:
            break;
    }
    return nullptr;
}

void Navigation::open_prompt(Prompt prompt) {
    prompt_ = prompt;
    auto filters = profile_.query().filters;
    const auto* const filter = filter_of(prompt, filters);
    text_ = filter != nullptr && !filter->empty() ? filter->front() : std::string();
    search_from_ = here().selected;
}

void Navigation::press_in_prompt(const Key& key) {
    const bool is_search = prompt_ == Prompt::search;
    switch (key.kind) {
        case Key::Kind::character:
            text_ += utf8(key.character);
            break;
        case Key::Kind::backspace:
            if (is_search && text_.empty()) prompt_ = Prompt::none;
            remove_last_character(text_);
            break;
        case Key::Kind::enter:
            return finish_prompt();
        case Key::Kind::escape:
            prompt_ = Prompt::none;
            if (is_search) here().selected = search_from_;
            return;
        default:
            return;
    }
    if (is_search) find(text_, search_from_, Direction::from_here);
}

void Navigation::finish_prompt() {
    const auto prompt = std::exchange(prompt_, Prompt::none);
    if (prompt == Prompt::search) {
        if (text_.empty()) text_ = pattern_;
        pattern_ = text_;
        return find(pattern_, search_from_, Direction::from_here);
    }
    auto query = profile_.query();
    auto& filter = *filter_of(prompt, query.filters);
    if (!filter.empty()) filter.erase(filter.begin());  // which was shown; others stay
    if (!text_.empty()) filter.insert(filter.begin(), text_);
    ask(std::move(query));
}

void Navigation::find(const std::string& text, std::size_t from, Direction direction) {
    if (text.empty()) return;
    const auto pattern = parse_pattern(text, NameScope::function);
    if (!pattern) {
        message_ = pattern.error().message;
        return;
    }
    auto& stop = here();
    const auto finds = [&] {
        const auto size = stop.list->size();
        for (std::size_t i = direction == Direction::from_here ? 0 : 1; i <= size && size > 0; ++i) {
            const auto row = (direction == Direction::backward ? from + size - i : from + i) % size;
            if (!pattern->matches(stop.list->names(row))) continue;
            stop.selected = row;
            return true;
        }
        return false;
    };
    const bool is_typed = prompt_ != Prompt::none;  // and searched again with the next character
    if (!finds() && (is_typed || !stop.list->list_all() || !finds()))
        message_ = fmt::format("'{}' is in no row", text);
}

// --- the screen -------------------------------------------------------------------------------------------

ScreenLine Navigation::title_line() const {
    ScreenLine line{.ground = ScreenLine::Ground::bar};
    const auto& sources = profile_.graph().profile().sources();
    std::string files = sources.empty() ? std::string() : engine::source_name(sources.front());
    if (sources.size() > 1) files += fmt::format(" and {} more", sources.size() - 1);
    const auto& measure = profile_.measure();
    const auto& filters = profile_.query().filters;
    line.add(measure.name, engine::Tone::strong);
    if (measure.additive)
        line.add(" " + engine::cost(profile_.graph().total(measure), measure.unit, profile_.style()));
    const auto words = filter_words({{"focus", filters.focus},
                                     {"ignore", filters.ignore},
                                     {"show", filters.show},
                                     {"hide", filters.hide},
                                     {"file", filters.file},
                                     {"object", filters.object}});
    if (!words.empty()) line.add("  " + words, engine::Tone::strong);
    line.add("  " + files);
    return line;
}

ScreenLine Navigation::tab_line() {
    struct Tab {
        char32_t key;
        std::string_view name;
        std::optional<ListKind> kind{};
    };
    static constexpr std::array tabs = {
        Tab{U'f', "functions", ListKind::functions}, Tab{U'c', "callers", ListKind::neighbours},
        Tab{U't', "tree", ListKind::tree},           Tab{U's', "source", ListKind::source},
        Tab{U'd', "difference", ListKind::changes},  Tab{U'e', "events", ListKind::events},
        Tab{U'?', "keys", ListKind::keys},           Tab{U'q', "quit"}};
    ScreenLine line;
    tabs_.clear();
    for (const auto& tab : tabs) {
        if (tab.key == U'd' && !profile_.is_compared()) continue;
        line.add(utf8(tab.key), engine::Tone::strong);
        line.add(fmt::format(" {}", tab.name),
                 tab.kind == here().kind ? engine::Tone::strong : engine::Tone::dim);
        line.add("  ");
        tabs_.emplace_back(line.width(), tab.key);
    }
    return line;
}

std::vector<ScreenLine> Navigation::last_lines(ScreenSize size, const engine::Style& style) {
    static constexpr std::array<std::string_view, 6> questions = {
        "", "/", "focus on: ", "ignore: ", "show only: ", "hide: "};
    ScreenLine line;
    if (prompt_ != Prompt::none) {
        line.add(std::string(questions[static_cast<std::size_t>(prompt_)]) + text_, engine::Tone::strong);
        if (!message_.empty()) line.add("  " + message_, engine::Tone::note);
        return {line};
    }
    const auto& stop = here();
    const bool is_message = !message_.empty();
    const auto place = is_message ? std::string()
                                  : fmt::format("{}/{}  ", std::min(stop.selected + 1, stop.list->size()),
                                                stop.list->size());
    const auto text = engine::wrapped(engine::display_name(is_message ? message_ : stop.list->note()), 0,
                                      style, engine::display_width(place));
    std::vector<ScreenLine> lines;
    const auto max_lines = std::max<std::size_t>(size.rows / 3, 1);
    for (std::size_t at = 0; at <= text.size() && lines.size() < max_lines;) {
        const auto end = std::min(text.find('\n', at), text.size());
        auto& next = lines.emplace_back();
        if (at == 0) next.add(place, engine::Tone::dim);
        next.add(text.substr(at, end - at), is_message ? engine::Tone::note : engine::Tone::dim);
        at = end + 1;
    }
    return lines;
}

/// So that the selected row is seen: as little as can be, or to the middle if it is far.
void Navigation::scroll(Stop& stop) const {
    const auto last = stop.list->size() - std::min(stop.list->size(), rows_);  // first row of the last page
    stop.first = std::min(stop.first, last);
    const auto middle = std::min(stop.selected - std::min(stop.selected, rows_ / 2), last);
    if (stop.selected < stop.first)
        stop.first = stop.selected + wheel < stop.first ? middle : stop.selected;
    else if (stop.selected >= stop.first + rows_)
        stop.first = stop.selected >= stop.first + rows_ + wheel ? middle : stop.selected + 1 - rows_;
}

Screen Navigation::draw(ScreenSize size) {
    auto style = profile_.style();
    style.width = size.columns;
    auto& stop = here();
    const auto bottom = last_lines(size, style);
    const auto others = lines_above + bottom.size();
    rows_ = std::max(size.rows, others + 1) - others;
    scroll(stop);

    Screen screen;
    screen.lines = {title_line(), tab_line()};
    for (auto& line : list_lines(*stop.list, stop.first, rows_, stop.selected, size.columns, style))
        screen.lines.push_back(std::move(line));
    screen.lines.resize(size.rows);
    std::copy_n(bottom.end() - static_cast<std::ptrdiff_t>(std::min(bottom.size(), size.rows)),
                std::min(bottom.size(), size.rows),
                screen.lines.end() - static_cast<std::ptrdiff_t>(std::min(bottom.size(), size.rows)));
    for (auto& line : screen.lines) line.fit(size.columns, style);
    if (prompt_ != Prompt::none && size.columns > 0 && size.rows > 0)
        screen.cursor =
            std::min(engine::display_width(screen.lines.back().texts.front().text), size.columns - 1);
    return screen;
}

}  // namespace callcost::program
