#include "parser/part_headers.hpp"

#include "base/numbers.hpp"
#include "profile/event_facts.hpp"

namespace callcost {

namespace {

/// F17: only these creators write `\\` and `\n` for a backslash and a line end.
bool escapes_command(std::string_view creator) {
    if (creator.starts_with("callcost-")) return true;
    if (!creator.starts_with("callgrind-")) return false;
    creator.remove_prefix(10);
    const auto take_number = [&creator] {
        std::uint64_t number = 0;
        while (!creator.empty() && is_digit(creator.front())) {
            number = std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(creator.front() - '0'),
                                             100000);
            creator.remove_prefix(1);
        }
        if (!creator.empty()) creator.remove_prefix(1);
        return number;
    };
    const std::uint64_t major = take_number();
    return major > 3 || (major == 3 && take_number() >= 11);
}

std::string unescape(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape =
            text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\\' || text[i + 1] == 'n');
        if (escape) ++i;
        result += escape && text[i] == 'n' ? '\n' : text[i];
    }
    return result;
}

/// Blanks between terms and factors mean nothing.
std::string without_blanks(std::string_view formula) {
    std::string text(formula);
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text;
}

bool same_run(const Part& a, const Part& b) {
    return !a.pid.text.empty() && a.pid.text == b.pid.text && a.creator == b.creator &&
           a.command == b.command;
}

}  // namespace

void PartHeaders::begin(bool new_profile, std::uint32_t source, std::uint32_t profile) {
    Part next;
    next.source = source;
    next.profile = profile;
    if (data_.position_lists.empty()) data_.position_lists.push_back({"line"});
    next.positions = data_.position_lists.front();
    if (!new_profile && !data_.parts.empty()) {
        const Part& before = data_.parts.back();
        next.dialect = before.dialect;
        next.version = before.version;
        next.creator = before.creator;
        next.command = before.command;
        next.pid = before.pid;
        next.positions = before.positions;
        next.events = before.events;
    }
    data_.parts.push_back(std::move(next));
    summary_.reset();
    totals_.reset();
    first_of_profile_ = new_profile;
    own_events_ = false;
    open_ = true;
}

std::string_view PartHeaders::keep(std::string_view text) { return data_.texts.emplace_back(text); }

EventId PartHeaders::event_named(std::string_view name) {
    const auto [entry, is_new] = events_.try_emplace(std::string(name), EventId(data_.events.size()));
    if (is_new) {
        EventType event;
        event.name = name;
        data_.events.push_back(std::move(event));
    }
    return entry->second;
}

HeaderNumber PartHeaders::take_number(const HeaderLine& header, DiagnosticLog& log) {
    HeaderNumber value{keep(header.value), std::nullopt};
    const ParsedNumber number = parse_unsigned(header.value);
    if (number.ok && !number.overflow) {
        value.number = number.value;
    } else if (!header.value.empty()) {
        log.add(DiagnosticId::bad_number, header.view(), header.value_place());
    }
    return value;
}

void PartHeaders::take(const HeaderLine& header, DiagnosticLog& log) {
    switch (header.key) {
        case HeaderKey::magic:
        case HeaderKey::separator:
            break;
        case HeaderKey::version:
            part().version = keep(header.value);
            break;
        case HeaderKey::creator:
            part().creator = keep(header.value);
            break;
        case HeaderKey::cmd:
            part().command = keep(header.value);
            break;
        case HeaderKey::pid:
            part().pid = take_number(header, log);
            break;
        case HeaderKey::part:
            part().part = take_number(header, log);
            break;
        case HeaderKey::thread:
            part().thread = take_number(header, log);
            break;
        case HeaderKey::desc:
        case HeaderKey::timeframe:
            take_desc(header);
            break;
        case HeaderKey::positions:
            take_positions(header);
            break;
        case HeaderKey::events:
            take_events(header);
            break;
        case HeaderKey::event:
            take_event(header, log);
            break;
        case HeaderKey::summary:
            if (header.value.empty()) break;
            summary_ = header;
            announced_cost_ += parse_cost(split_words(header.value).front()).value;
            break;
        case HeaderKey::totals:
            if (!header.value.empty()) totals_ = header;
            break;
        case HeaderKey::other:
            part().other_headers.emplace_back(header.name, header.value);
            break;
    }
}

/// F19.
void PartHeaders::take_desc(const HeaderLine& header) {
    std::string_view type = "Timerange", rest = header.value;
    if (header.key == HeaderKey::desc) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        type = trim(rest.substr(0, colon));
        rest = colon == rest.size() ? rest : trim(rest.substr(colon + 1));
    }
    if (type == "Trigger") {
        part().trigger = rest;
    } else if (type == "Timerange") {
        part().timerange = rest;
    } else if (!header.value.empty()) {
        part().descriptions.push_back(header.value);
    }
}

/// F15.
void PartHeaders::take_positions(const HeaderLine& header) {
    std::vector<std::string>& list = data_.position_lists.emplace_back();
    for (const std::string_view word : split_words(header.value)) list.emplace_back(word);
    if (list.empty()) list.emplace_back("line");
    part().positions = list;
}

/// F14.
void PartHeaders::take_events(const HeaderLine& header) {
    if (header.value.empty()) return;  // F13
    std::vector<EventId>& list = data_.event_lists.emplace_back();
    std::vector<std::string_view> words = split_words(header.value);
    words.resize(std::min(words.size(), Columns::max_events));
    for (const std::string_view word : words) list.push_back(event_named(word));
    part().events = list;
    own_events_ = true;
}

/// F27: NAME [= FORMULA] [: LONG NAME], or NAME LONG NAME.
void PartHeaders::take_event(const HeaderLine& header, DiagnosticLog& log) {
    const std::string_view value = header.value;
    std::size_t end = value.find_first_of("=:");
    std::string_view name = trim(value.substr(0, end));
    std::string_view formula, long_name;
    if (end == std::string_view::npos) {
        end = value.find_first_of(" \t");
        name = value.substr(0, end);
        if (end != std::string_view::npos) {
            log.add(DiagnosticId::event_without_colon, header.view(), header.value_place());
            long_name = trim(value.substr(end));
        }
    } else if (value[end] == ':') {
        long_name = trim(value.substr(end + 1));
    } else {
        const std::size_t colon = value.find(':', end);
        formula = trim(value.substr(end + 1, colon == std::string_view::npos ? colon : colon - end - 1));
        if (colon != std::string_view::npos) long_name = trim(value.substr(colon + 1));
    }
    if (name.empty()) return;
    bool contradicts = false;
    if (!long_name.empty()) {
        const auto [entry, is_new] = long_name_of_.try_emplace(std::string(name), long_names_.size());
        if (is_new) long_names_.emplace_back(name, long_name);
        contradicts = long_names_[entry->second].second != long_name;
    }
    bool new_formula = false;
    if (!formula.empty()) {
        std::string text = without_blanks(formula);
        const auto entry = formula_of_.find(std::string(name));
        new_formula = entry == formula_of_.end();
        if (!new_formula && entry->second != text) contradicts = true;
        if (new_formula) formula_of_.emplace(name, std::move(text));
    }
    if (contradicts) log.add(DiagnosticId::event_redefined, header.view(), header.value_place());
    if (!new_formula) return;
    Place place = place_of(header.view(), header.value_place());
    place.source = part().source;
    data_.formulas.push_back(
        {std::string(name), std::string(formula), std::string(long_name), std::move(place)});
}

std::optional<Costs> PartHeaders::costs_of(const HeaderLine& header, DiagnosticLog& log,
                                           DiagnosticId unreadable) {
    std::vector<std::pair<EventId, Cost>> costs;
    std::size_t column = 0;
    for (const std::string_view word : split_words(header.value)) {
        const ParsedNumber number = parse_cost(word);
        if (!number.ok) {
            log.add(unreadable, header.view(),
                    header.value_place(static_cast<std::size_t>(word.data() - header.value.data())));
            return std::nullopt;
        }
        if (column < part().events.size()) costs.emplace_back(part().events[column], Cost(number.value));
        ++column;
    }
    if (column > part().events.size())
        log.add(DiagnosticId::surplus_summary, header.view(), header.value_place());
    return Costs(std::move(costs));
}

void PartHeaders::end(DiagnosticLog& log) {
    if (!open_) return;
    open_ = false;
    Part& done = part();
    if (escapes_command(done.creator) && first_of_profile_) done.command = keep(unescape(done.command));
    if (done.command == "unknown" && done.creator.starts_with("callcost-")) done.command = {};
    if (summary_) done.summary = costs_of(*summary_, log, DiagnosticId::unreadable_summary);
    if (totals_) done.totals = costs_of(*totals_, log, DiagnosticId::unreadable_totals);
    for (const EventId event : own_events_ ? done.events : std::span<const EventId>{})
        event_creators_.try_emplace(data_.events[event.value].name, origin_of(done));
    if (first_of_profile_ && data_.parts.size() > 1) {
        const Part& before = data_.parts[data_.parts.size() - 2];
        if (before.source == done.source && !same_run(before, done))
            log.add_count(DiagnosticId::several_profiles, 1);
    }
}

void PartHeaders::drop(const Mark& mark) {
    open_ = false;
    for (; data_.formulas.size() > mark.formulas; data_.formulas.pop_back())
        formula_of_.erase(data_.formulas.back().name);
    for (; long_names_.size() > mark.long_names; long_names_.pop_back())
        long_name_of_.erase(long_names_.back().first);
}

void PartHeaders::finish() {
    for (const auto& [name, long_name] : long_names_)
        if (const auto event = events_.find(name); event != events_.end())
            data_.events[event->second.value].long_name = long_name;
    for (EventType& event : data_.events) describe_event(event, event_creators_[event.name]);
}

}  // namespace callcost
