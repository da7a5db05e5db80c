// How a file is written, line by line and without a model: what other readers stumble over (docs/checks.md).
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "callcost/check.hpp"
#include "parser/header_block.hpp"
#include "parser/line_tokens.hpp"
#include "parser/name_ids.hpp"

namespace callcost {
namespace {

constexpr std::size_t longest_kept = std::size_t{64} * 1024;  // of a line: no trait shows only behind that
constexpr std::uint64_t marker_limit = 2047;                  // bytes in which KCachegrind looks for a sign
constexpr std::uint64_t most_plausible_id = 1'000'000'000;

enum class Pending : std::uint8_t { nothing, call, jump };

enum class Table : std::uint8_t { objects, files, functions };

struct NameKey {
    std::string_view key;
    Table table;
};
constexpr std::array<NameKey, 12> name_keys{{{"fn", Table::functions},
                                             {"cfn", Table::functions},
                                             {"fl", Table::files},
                                             {"fi", Table::files},
                                             {"fe", Table::files},
                                             {"cfi", Table::files},
                                             {"cfl", Table::files},
                                             {"ob", Table::objects},
                                             {"cob", Table::objects},
                                             {"jfi", Table::files},
                                             {"jfn", Table::functions},
                                             {"frfn", Table::functions}}};

/// As regular expressions mean it.
constexpr bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_hexadecimal(std::string_view digits) {
    return digits.starts_with("0x") || digits.starts_with("0X");
}

/// A position column, read by both rules of F40.
struct Base {
    std::uint64_t plain = 0;  // of the last plain cost line
    std::uint64_t any = 0;    // of the last cost line of any kind, as KCachegrind and annotate have it
};

}  // namespace

struct Spelling::State {
    std::uint32_t source = 0;
    std::array<TraitUse, trait_count> traits;
    std::vector<Place> totals, summaries;

    std::string part_of_line;  // of a line that goes on in the next piece
    std::uint64_t line_size = 0;
    bool line_open = false;
    LineView line;
    std::uint64_t offset = 0;  // of the next line

    // What header lines said.
    std::size_t positions = 1, line_column = 0, events = 0;
    std::uint64_t events_lines = 0;
    bool is_callgrind = false;
    bool in_header = true, events_in_header = false, has_marker = false, last_is_summary = false;

    // Where in a function we are.
    bool has_fn = false, seen_fn = false, seen_fl = false, object_changed = false, callee_named = false;
    Pending pending = Pending::nothing;
    bool count_is_unknown = false;                // of the pending call
    bool has_cost_line = false;                   // there was one in the file
    bool has_file = false, is_undefined = false;  // the current function
    std::optional<std::uint64_t> undefined;       // the id of an earlier one
    Place calls_place;                            // of the last one
    std::optional<Place> open_call;               // got no cost line before its function ended
    std::optional<Place> forgotten_at;            // where KCachegrind forgets the event types
    Trait forgotten_by = Trait::late_header;
    std::vector<Base> bases;

    // The ids that are defined, and in which part last.
    std::array<NameIdTable, 3> ids;
    std::uint32_t part = 0;

    void use(Trait trait, const char* where = nullptr) { use(trait, place(where)); }
    void use(Trait trait, const Place& where) {
        TraitUse& entry = traits[static_cast<std::size_t>(trait)];
        if (entry.count++ == 0) entry.first = where;
    }
    [[nodiscard]] Place place(const char* where = nullptr) const {
        Place found = place_of(line, where);
        found.source = source;
        return found;
    }

    void take(std::string_view bytes);
    void end_line(std::string_view text);
    void read_line(std::string_view text);
    void header_line(std::string_view key, std::string_view value);
    void header_key(std::string_view key, bool starts_part, bool starts_profile);
    void spec_line(std::string_view key, std::string_view value);
    void name(const NameKey& key, std::string_view value);
    void id(const NameKey& key, std::string_view value);
    void calls(std::string_view value);
    void jump(std::string_view value, bool conditional);
    void cost_line(std::string_view text);
    void position(std::string_view token, std::size_t column, bool is_plain);
    void split() {
        if (pending == Pending::call) use(Trait::split_call);
    }
    /// A function or part ends: what is pending has got no cost line.
    void drop_pending() {
        if (pending == Pending::call) open_call = calls_place;
        pending = Pending::nothing;
    }
    void need_event_types() {
        if (forgotten_at) use(forgotten_by, *forgotten_at);
        forgotten_at.reset();
    }
};

void Spelling::State::take(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        line_size += piece.size();
        if (end == std::string_view::npos || line_open) {
            part_of_line += piece.substr(0, longest_kept - std::min(longest_kept, part_of_line.size()));
            line_open = true;
        }
        if (end == std::string_view::npos) return;
        end_line(line_open ? std::string_view(part_of_line) : piece.substr(0, longest_kept));
        bytes.remove_prefix(end + 1);
    }
}

void Spelling::State::end_line(std::string_view text) {
    ++line.number;
    line.offset = offset;
    offset += line_size + 1;
    if (text.ends_with('\r')) text.remove_suffix(1);
    line.text = text;
    read_line(text);
    part_of_line.clear();
    line_open = false;
    line_size = 0;
}

/// F7.
void Spelling::State::read_line(std::string_view text) {
    if (line.number == 1 && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::string_view trimmed = trim(text);
    if (trimmed.empty()) return split();
    if (trimmed.front() == '#') {
        if (trimmed == "# callgrind format") header_key("magic", false, true);
        return split();
    }
    if (is_blank(text.front())) use(Trait::indented_line, text.data());
    const char first = trimmed.front();
    const bool is_cost = is_digit(first) || first == '+' || first == '-' || first == '*';
    last_is_summary = false;
    if (is_cost) return cost_line(text);
    if (trimmed.starts_with("==== NEW PROFILING FILE")) {
        use(Trait::odd_header);
        return header_key("separator", false, true);
    }
    const std::size_t equals = trimmed.find('=');
    const std::size_t colon = trimmed.find(':');
    if (equals < colon) {
        split();
        return spec_line(trim(trimmed.substr(0, equals)), trimmed.substr(equals + 1));
    }
    split();
    if (colon == std::string_view::npos) return;
    header_line(trim(trimmed.substr(0, colon)), trim(trimmed.substr(colon + 1)));
}

/// The boundaries of F21, as far as they matter to ids.
void Spelling::State::header_key(std::string_view key, bool starts_part, bool starts_profile) {
    if (!in_header && (starts_part || starts_profile)) {
        in_header = true;
        events_in_header = false;
        ++part;
        has_fn = seen_fl = object_changed = callee_named = false;
        drop_pending();
        std::fill(bases.begin(), bases.end(), Base{});
    }
    if (starts_profile && part > 0)
        for (auto& table : ids) table.clear();
    const bool is_sign = key == "magic" || key == "creator" || key == "events";
    if (is_sign && line.offset + line.text.size() <= marker_limit) has_marker = true;
}

void Spelling::State::header_line(std::string_view key, std::string_view value) {
    const bool is_profile = key == "version" || key == "creator" || key == "cmd";
    const bool is_late_part = key == "pid" || key == "part" || key == "thread" || key == "positions";
    if (is_profile || is_late_part || key == "events" || key == "desc")
        header_key(key, !is_profile, is_profile);
    if (!std::all_of(key.begin(), key.end(), is_word)) use(Trait::odd_header);
    if (is_late_part && events_lines > 0 && !forgotten_at) {
        forgotten_at = place();
        forgotten_by = events_in_header ? Trait::late_header : Trait::part_without_events;
    }
    if (value.empty()) return;  // F13
    if (key == "creator") {
        is_callgrind = value.starts_with("callgrind-");
    } else if (key == "positions") {
        const auto words = split_words(value);
        positions = words.size();
        line_column = static_cast<std::size_t>(std::find(words.begin(), words.end(), "line") - words.begin());
        if (positions > 1 || words.front() != "line") use(Trait::address_column, value.data());
        if (std::find(words.begin(), words.end(), "bb") != words.end())
            use(Trait::block_column, value.data());
        if (words.size() > 1 && events_in_header && part == 0) use(Trait::late_addresses, value.data());
        bases.clear();
    } else if (key == "events") {
        if (value.find("  ") != std::string_view::npos || value.find('\t') != std::string_view::npos)
            use(Trait::spaced_events, value.data());
        forgotten_at.reset();
        events = split_words(value).size();
        events_in_header = true;
        if (++events_lines > 1) use(Trait::second_events_line);
    } else if (key == "summary") {
        if (forgotten_at && forgotten_by == Trait::late_header) need_event_types();
        if (events_lines == 0 || forgotten_at) use(Trait::early_summary);
        summaries.push_back(place(value.data()));
        last_is_summary = true;
    } else if (key == "totals") {
        totals.push_back(place(value.data()));
    }
}

void Spelling::State::spec_line(std::string_view key, std::string_view value) {
    in_header = false;
    if (key == "calls" || key == "rcalls") return calls(trim(value));
    if (key == "jump" || key == "jcnd") return jump(trim(value), key == "jcnd");
    const auto* const key_line = std::find_if(name_keys.begin(), name_keys.end(),
                                              [&](const NameKey& candidate) { return candidate.key == key; });
    if (key_line != name_keys.end()) return name(*key_line, value);
    if (key == "cfni") use(Trait::inlined_function);
}

void Spelling::State::name(const NameKey& key, std::string_view value) {
    if (!value.empty() && (is_blank(value.front()) || is_blank(value.back())))
        use(Trait::padded_name, value.data());
    value = trim(value);
    const auto control = std::find_if(
        value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (control != value.end()) use(Trait::control_byte, value.data() + (control - value.begin()));

    if (key.key == "fn") {
        has_fn = seen_fn = true;
        object_changed = callee_named = is_undefined = false;
        drop_pending();
    } else if (key.key == "fl") {
        seen_fl = true;
    } else if (key.key == "fi" || key.key == "fe") {
        if (!seen_fn) use(Trait::file_before_function);
        if (has_fn && seen_fl && key.key == "fi") use(Trait::inlined_code);
    } else if (key.key == "ob") {
        object_changed = has_fn;
    } else if (key.key == "cfn") {
        callee_named = true;
    } else if (key.key == "cob" || key.key == "cfi" || key.key == "cfl") {
        if (callee_named) use(Trait::late_callee_place);
        if (key.key == "cfl") use(Trait::cfl_key);
    }

    const bool is_file = key.key == "fl" || key.key == "fi" || key.key == "fe";
    has_file = has_file || is_file;
    id(key, value);
}

/// F30 to F32.
void Spelling::State::id(const NameKey& key, std::string_view value) {
    if (value.empty() || value.front() != '(') return;
    const std::size_t close = value.find(')');
    if (close == std::string_view::npos) return;
    const std::string_view digits = value.substr(1, close - 1);
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return;
    const std::uint64_t id = parse_unsigned(digits).value;
    auto& table = ids[static_cast<std::size_t>(key.table)];
    if (id > most_plausible_id) use(Trait::huge_id, value.data());
    if (!trim(value.substr(close + 1)).empty()) {
        if (table.find(id) != NameIdTable::none) use(Trait::id_defined_again, value.data());
        table.set(id, part, part);
        return;
    }
    const auto defined_in = table.find(id);
    if (defined_in == NameIdTable::none) {
        use(Trait::id_undefined, value.data());
        if (key.key == "fn") {
            if (undefined && *undefined != id) use(Trait::undefined_functions, value.data());
            undefined = id;
            is_undefined = true;
        }
    } else if (defined_in != part) {
        use(Trait::id_undefined_in_part, value.data());
    }
}

/// F57.
void Spelling::State::calls(std::string_view value) {
    const std::string_view count = take_token(value);
    const ParsedNumber number = parse_cost(count);
    count_is_unknown = !number.ok || number.negative || number.value == 0;
    if (count_is_unknown) use(Trait::unknown_call_count, count.data());
    if (is_hexadecimal(count)) use(Trait::hex_count, count.data());
    pending = Pending::call;
    calls_place = place();
    open_call.reset();
}

/// F62.
void Spelling::State::jump(std::string_view value, bool conditional) {
    use(Trait::jump);
    const std::string_view counts = take_token(value);
    const std::size_t slash = counts.find('/');
    if (conditional && slash != std::string_view::npos) {
        const ParsedNumber followed = parse_unsigned(counts.substr(0, slash));
        const ParsedNumber executed = parse_unsigned(counts.substr(slash + 1));
        if (followed.ok && executed.ok && followed.value > executed.value)
            use(Trait::impossible_jump, counts.data());
    }
    pending = Pending::jump;
    open_call.reset();
}

void Spelling::State::cost_line(std::string_view text) {
    in_header = false;
    if (const std::size_t tab = text.find('\t'); tab != std::string_view::npos)
        use(Trait::tab, text.data() + tab);
    if (is_blank(text.back())) use(Trait::trailing_blank, text.data() + text.size() - 1);

    std::string_view rest = text;
    std::size_t column = 0;
    std::string_view costs = text;
    for (; column < positions && !take_token(costs).empty(); ++column) {
    }
    std::size_t count = 0;
    bool is_zero = true;
    for (std::string_view token = take_token(costs); !token.empty(); token = take_token(costs)) {
        ++count;
        if (is_hexadecimal(token)) use(Trait::hex_cost, token.data());
        is_zero = is_zero && parse_cost(token).value == 0;
    }
    const bool is_jump = pending == Pending::jump && count == 0;
    const bool is_call = pending == Pending::call;
    const bool is_plain = !is_jump && !is_call;
    if (bases.size() < column) bases.resize(column);
    for (std::size_t i = 0; i < column; ++i) position(take_token(rest), i, is_plain);

    has_cost_line = true;
    need_event_types();
    if (is_plain && open_call) use(Trait::call_without_cost, *open_call);
    open_call.reset();

    if (is_plain && count < events) use(Trait::missing_costs);
    if (!is_jump && count == 0) use(Trait::costless_line);
    if (is_plain && object_changed) use(Trait::cost_after_object);
    if (is_call && count_is_unknown && !is_zero) use(Trait::unknown_calls_with_cost);
    pending = Pending::nothing;
    callee_named = false;
}

/// F38, F40.
void Spelling::State::position(std::string_view token, std::size_t column, bool is_plain) {
    const char first = token.front();
    const bool is_relative = first == '+' || first == '-' || first == '*';
    const std::string_view digits = first == '+' || first == '-' ? token.substr(1) : token;
    if (is_hexadecimal(digits)) {
        if (column > 0) {
            use(Trait::hex_second_position, token.data());
        } else if (is_relative || digits[1] == 'X') {
            use(Trait::hex_difference, token.data());
        } else if (column == line_column) {
            use(Trait::hex_position, token.data());
        }
    }
    if (!has_cost_line && (first == '-' || first == '*')) use(Trait::early_relative, token.data());
    const std::uint64_t number = parse_unsigned(digits).value;
    Base& base = bases[column];
    std::uint64_t plain = number;
    std::uint64_t any = number;
    if (is_relative) {
        const std::uint64_t difference = first == '*' ? 0 : first == '-' ? 0 - number : number;
        plain = (is_callgrind ? base.plain : base.any) + difference;
        any = base.any + difference;
        if (plain != any) use(Trait::shifted_positions, token.data());
    }
    base.any = any;
    if (is_plain) base.plain = plain;
}

// --- the class --------------------------------------------------------------------------------------------

Spelling::Spelling(std::uint32_t source) : state_(std::make_unique<State>()) { state_->source = source; }
Spelling::Spelling(Spelling&&) noexcept = default;
Spelling& Spelling::operator=(Spelling&&) noexcept = default;
Spelling::~Spelling() = default;

void Spelling::take(std::span<const char> bytes) { state_->take({bytes.data(), bytes.size()}); }

void Spelling::finish() {
    if (state_->line_open) state_->end_line(state_->part_of_line);
    state_->line = {};
    if (!state_->has_marker) state_->use(Trait::late_marker);
    if (state_->is_undefined) state_->use(Trait::undefined_functions);
    if (!state_->has_file && state_->seen_fn && state_->has_cost_line) state_->use(Trait::no_file);
}

void Spelling::note_compressed() { state_->use(Trait::compressed); }

const TraitUse& Spelling::operator[](Trait trait) const {
    return state_->traits[static_cast<std::size_t>(trait)];
}
std::span<const Place> Spelling::totals_lines() const { return state_->totals; }
std::span<const Place> Spelling::summary_lines() const { return state_->summaries; }
bool Spelling::ends_with_summary() const { return state_->last_is_summary; }

}  // namespace callcost
