// What can be measured by: raw event types, the formulas of the file, the built-in ones (F69).
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "call_graph/components.hpp"
#include "call_graph/graph_data.hpp"
#include "profile/event_facts.hpp"

namespace callcost {
namespace {

constexpr std::uint32_t unknown = UINT32_MAX;
// All formulas together, written out in raw event types. More than that can only be meant as an attack.
constexpr std::size_t max_terms = std::size_t{1} << 22U;

struct BuiltIn {
    std::string_view name, long_name, formula;
};
constexpr std::array<BuiltIn, 5> built_ins{{
    {"L1m", "First-level misses", "I1mr + D1mr + D1mw"},
    {"L2m", "Second-level misses", "I2mr + D2mr + D2mw"},
    {"LLm", "Last-level misses", "ILmr + DLmr + DLmw"},
    {"Bm", "Mispredicted branches", "Bim + Bcm"},
    {"CEst", "Estimated cycles", "Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm"},
}};

bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Names that a formula may use, each with the row of what it names. The first of two equal names wins.
class FormulaNames {
  public:
    void add(std::string_view name, std::uint32_t row) {
        if (!name.empty()) names_.emplace_back(name, row);
    }
    void sort() {
        std::sort(names_.begin(), names_.end());
        const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
        names_.erase(std::unique(names_.begin(), names_.end(), same), names_.end());
    }
    [[nodiscard]] std::uint32_t find(std::string_view name) const {
        const auto at = std::lower_bound(names_.begin(), names_.end(), std::pair(name, std::uint32_t{0}));
        return at != names_.end() && at->first == name ? at->second : unknown;
    }
    /// The longest name that `text` begins with and that does not end in the middle of a word there.
    [[nodiscard]] std::optional<std::pair<std::string_view, std::uint32_t>> longest_at(
        std::string_view text) const {
        for (std::string_view rest = text; !rest.empty();) {
            auto after = std::upper_bound(names_.begin(), names_.end(), std::pair(rest, unknown));
            if (after == names_.begin()) return std::nullopt;
            const auto& [name, row] = *--after;
            const auto differs = std::mismatch(name.begin(), name.end(), rest.begin(), rest.end());
            const auto common = static_cast<std::size_t>(differs.first - name.begin());
            if (common == name.size()) {
                const bool cuts_word = common < text.size() && is_word(text[common]) && is_word(name.back());
                if (!cuts_word) return std::pair(name, row);
                rest = rest.substr(0, common - 1);
            } else {
                rest = rest.substr(0, common);  // nothing longer than what they share can be there
            }
        }
        return std::nullopt;
    }

  private:
    std::vector<std::pair<std::string_view, std::uint32_t>> names_;
};

struct Term {
    std::int64_t factor = 1;
    std::string_view name;
    std::uint32_t row = unknown;  // of the Catalogue
    std::size_t column = 0;       // in the formula, from 1
};

struct Formula {
    std::vector<Term> terms;
    std::size_t bad_column = 0;  // from 1; 0: the formula is good
};

/// [sign] term { sign term }; term: [digits ["*"]] name. Blanks anywhere between them.
class FormulaParser {
  public:
    FormulaParser(std::string_view text, const FormulaNames& names) : text_(text), names_(names) {}

    Formula parse() {
        Formula formula;
        skip_blanks();
        do {
            const bool is_minus = at_ < text_.size() && text_[at_] == '-';
            if (at_ < text_.size() && (text_[at_] == '+' || is_minus)) {
                ++at_;
                skip_blanks();
            } else if (!formula.terms.empty()) {
                formula.bad_column = at_ + 1;
                return formula;
            }
            Term term;
            if (!parse_term(term)) {
                formula.bad_column = at_ + 1;
                return formula;
            }
            if (is_minus) term.factor = -Cost(term.factor);
            formula.terms.push_back(term);
            skip_blanks();
        } while (at_ < text_.size());
        return formula;
    }

  private:
    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    }

    // A name that begins with digits is tried only where these cannot be a factor.
    bool parse_term(Term& term) {
        const std::size_t start = at_;
        const bool has_factor = parse_factor(term.factor);
        if (parse_known_name(term)) return true;
        const std::size_t after_factor = at_;
        if (has_factor) {
            const std::int64_t factor = std::exchange(term.factor, 1);
            at_ = start;
            if (parse_known_name(term)) return true;
            term.factor = factor;
            at_ = after_factor;
        }
        return parse_word(term);
    }

    bool parse_factor(std::int64_t& factor) {
        if (at_ >= text_.size() || !is_digit(text_[at_])) return false;
        const std::size_t start = at_;
        std::uint64_t value = 0;
        for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
            value = value * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
            if (value > static_cast<std::uint64_t>(INT64_MAX) || at_ - start > 30) {
                at_ = start;
                return false;
            }
        }
        factor = static_cast<std::int64_t>(value);
        skip_blanks();
        if (at_ < text_.size() && text_[at_] == '*') {
            ++at_;
            skip_blanks();
        }
        return true;
    }

    bool parse_known_name(Term& term) {
        const auto found = names_.longest_at(text_.substr(at_));
        if (!found) return false;
        take_name(term, found->first.size());
        term.row = found->second;
        return true;
    }

    bool parse_word(Term& term) {
        std::size_t end = at_;
        while (end < text_.size() && is_word(text_[end])) ++end;
        if (end == at_ || is_digit(text_[at_])) return false;
        take_name(term, end - at_);
        return true;
    }

    void take_name(Term& term, std::size_t length) {
        term.name = text_.substr(at_, length);
        term.column = at_ + 1;
        at_ += length;
    }

    std::string_view text_;
    const FormulaNames& names_;
    std::size_t at_ = 0;
};

/// Everything that has a name: raw event types, then the formulas of the file, then the built-in ones.
class Catalogue {
  public:
    enum class State : std::uint8_t { good, bad_formula, cycle, hidden };
    struct Entry {
        std::string_view name, long_name;
        std::string_view text{};
        State state = State::good;
        std::size_t bad_column = 0;
        std::vector<Term> parsed{};
        std::vector<std::pair<EventId, std::int64_t>> terms{};
        std::vector<std::string_view> missing{};  // names in the formula that mean nothing
        bool has_input = false;
    };

    explicit Catalogue(const Profile& profile) : profile_(profile), raw_(profile.events().size()) {
        for (std::size_t row = 0; row < raw_; ++row) {
            const EventType& event = profile.events()[row];
            entries_.push_back({.name = event.name,
                                .long_name = event.long_name,
                                .terms = {{EventId(row), 1}},
                                .has_input = true});
        }
        for (const EventFormula& formula : profile.formulas())
            entries_.push_back(
                {.name = formula.name, .long_name = formula.long_name, .text = trim(formula.formula)});
        for (const BuiltIn& built_in : built_ins)
            entries_.push_back(
                {.name = built_in.name, .long_name = built_in.long_name, .text = built_in.formula});
        for (std::uint32_t row = 0; row < entries_.size(); ++row) names_.add(entries_[row].name, row);
        names_.sort();
        parse_all();
        write_out_all();
    }

    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    [[nodiscard]] const FormulaNames& names() const { return names_; }
    [[nodiscard]] std::size_t raw_count() const { return raw_; }

    [[nodiscard]] bool is_offered(std::size_t row) const {
        return entries_[row].state == State::good && (!is_built_in(row) || entries_[row].has_input);
    }
    /// Not the built-in formulas that are one event type here, such as CEst = Ir.
    [[nodiscard]] bool is_listed(std::size_t row) const {
        const auto& terms = entries_[row].terms;
        return is_offered(row) && !(is_built_in(row) && terms.size() == 1 && terms.front().second == 1);
    }

    [[nodiscard]] Measure measure(std::size_t row) const {
        const Entry& entry = entries_[row];
        Measure measure{.name = std::string(entry.name),
                        .long_name = std::string(entry.long_name),
                        .unit = {},
                        .formula = std::string(entry.text),
                        .terms = entry.terms};
        describe(measure);
        return measure;
    }

    /// Unit and additivity are those of the inputs.
    void describe(Measure& measure) const {
        const auto events = profile_.events();
        for (std::size_t i = 0; i < measure.terms.size(); ++i) {
            const EventType& event = events[measure.terms[i].first.value];
            if (event.aggregation != Aggregation::sum) measure.additive = false;
            if (i == 0) measure.unit = event.unit;
            if (event.unit != measure.unit) measure.unit.clear();
        }
    }

    /// Adds what the term means in raw event types; `terms` is put in order by `merge`.
    void write_out(const Term& term, std::vector<std::pair<EventId, std::int64_t>>& terms) const {
        for (const auto& [event, factor] : entries_[term.row].terms)
            terms.emplace_back(event, Cost(factor) * term.factor);
    }
    static void merge(std::vector<std::pair<EventId, std::int64_t>>& terms) {
        std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::size_t size = 0;
        for (const auto& [event, factor] : terms) {
            if (size != 0 && terms[size - 1].first == event) {
                terms[size - 1].second += factor;
            } else {
                terms[size++] = {event, factor};
            }
        }
        terms.resize(size);
        std::erase_if(terms, [](const auto& term) { return term.second == 0; });
    }

  private:
    [[nodiscard]] bool is_built_in(std::size_t row) const {
        return row >= entries_.size() - built_ins.size();
    }

    void parse_all() {
        for (auto row = static_cast<std::uint32_t>(raw_); row < entries_.size(); ++row) {
            Entry& entry = entries_[row];
            Formula formula = FormulaParser(entry.text, names_).parse();
            if (formula.bad_column != 0) {
                entry.state = State::bad_formula;
                entry.bad_column = formula.bad_column;
            } else if (names_.find(entry.name) != row) {
                entry.state = State::hidden;
            }
            entry.parsed = std::move(formula.terms);
        }
    }

    void write_out_all() {
        std::vector<std::uint32_t> offsets{0};
        std::vector<std::uint32_t> targets;
        for (const Entry& entry : entries_) {
            if (entry.state == State::good)
                for (const Term& term : entry.parsed)
                    if (term.row != unknown) targets.push_back(term.row);
            offsets.push_back(static_cast<std::uint32_t>(targets.size()));
        }
        const Components components = strong_components(offsets, targets);
        std::vector<std::uint32_t> size(components.count, 0);
        for (const std::uint32_t component : components.of) ++size[component];
        // An edge leads to a component with a smaller number: what a formula needs comes before it.
        const auto by_component = group_by<EventId>(components.count, entries_.size(),
                                                    [&](std::size_t row) { return components.of[row]; });
        std::size_t budget = max_terms;
        for (const EventId next : by_component.rows) {
            Entry& entry = entries_[next.value];
            if (next.value < raw_ || entry.state != State::good) continue;
            const bool uses_itself = std::any_of(entry.parsed.begin(), entry.parsed.end(),
                                                 [&](const Term& term) { return term.row == next.value; });
            if (uses_itself || size[components.of[next.value]] > 1) {
                entry.state = State::cycle;
                continue;
            }
            write_out_entry(entry, budget);
        }
    }

    void write_out_entry(Entry& entry, std::size_t& budget) {
        for (const Term& term : entry.parsed) {
            if (term.row == unknown || entries_[term.row].state != State::good) {
                entry.missing.push_back(term.name);  // counts as 0
                continue;
            }
            const Entry& input = entries_[term.row];
            entry.has_input |= input.has_input;
            if (input.terms.size() > budget) {
                entry.state = State::bad_formula;
                entry.bad_column = term.column;
                entry.terms.clear();
                return;
            }
            budget -= input.terms.size();
            write_out(term, entry.terms);
        }
        merge(entry.terms);
    }

    const Profile& profile_;
    std::size_t raw_;
    std::vector<Entry> entries_;
    FormulaNames names_;
};

/// With the names there are.
tl::unexpected<Error> unknown_event(const Catalogue& catalogue, std::string_view name,
                                    std::size_t column = 0) {
    constexpr int most = 20;
    Error error{.code = ErrorCode::unknown_event, .column = column, .detail = std::string(name)};
    int listed = 0;
    for (std::size_t row = 0; row < catalogue.entries().size() && listed <= most; ++row) {
        if (!catalogue.is_listed(row)) continue;
        error.advice += listed == 0 ? "available: " : ", ";
        error.advice += listed++ == most ? "..." : catalogue.entries()[row].name;
    }
    return tl::unexpected(std::move(error));
}

/// A formula typed by a person: here names have aliases, and an unknown one is an error.
Result<Measure> measure_of_formula(const Catalogue& catalogue, std::string_view text) {
    Formula formula = FormulaParser(text, catalogue.names()).parse();
    if (formula.bad_column != 0) {
        // Not even the look of a formula: a mistyped name.
        if (text.find_first_of(" \t+*") == std::string_view::npos) return unknown_event(catalogue, text);
        return tl::unexpected(
            Error{.code = ErrorCode::bad_formula, .column = formula.bad_column, .detail = std::string(text)});
    }
    Measure measure{
        .name = std::string(text), .long_name = {}, .unit = {}, .formula = std::string(text), .terms = {}};
    for (Term& term : formula.terms) {
        const auto& entries = catalogue.entries();
        if (term.row == unknown || !catalogue.is_offered(term.row)) {
            const auto same = [&](const Catalogue::Entry& entry) {
                return event_alias(entry.name) == event_alias(term.name);
            };
            const auto alias = std::find_if(entries.begin(), entries.end(), same);
            const auto row = static_cast<std::size_t>(alias - entries.begin());
            if (alias == entries.end() || !catalogue.is_offered(row))
                return unknown_event(catalogue, term.name, formula.terms.size() > 1 ? term.column : 0);
            term.row = static_cast<std::uint32_t>(row);
        }
        catalogue.write_out(term, measure.terms);
    }
    Catalogue::merge(measure.terms);
    catalogue.describe(measure);
    return measure;
}

}  // namespace

struct Measures::Known {
    explicit Known(Profile of) : profile(std::move(of)), catalogue(profile) {}
    Profile profile;
    Catalogue catalogue;
};

Measures::Measures(const Profile& profile) : known_(std::make_shared<const Known>(profile)) {}

std::vector<Measure> Measures::all() const {
    const Catalogue& catalogue = known_->catalogue;
    std::vector<Measure> listed;
    for (std::size_t row = 0; row < catalogue.entries().size(); ++row)
        if (catalogue.is_listed(row)) listed.push_back(catalogue.measure(row));
    return listed;
}

namespace {

template <class TotalOf>
Measure usual_measure(const Profile& profile, TotalOf total_of) {
    const auto events = profile.events();
    if (events.empty()) return {};
    const auto measure = [&](std::size_t row) -> Measure {
        const EventType& event = events[row];
        return {.name = event.name,
                .long_name = event.long_name,
                .unit = event.unit,
                .formula = {},
                .additive = event.aggregation == Aggregation::sum,
                .terms = {{EventId(row), 1}}};
    };
    std::optional<Measure> first_sum;
    for (std::size_t row = 0; row < events.size(); ++row) {
        if (events[row].aggregation != Aggregation::sum) continue;
        if (total_of(EventId(row)) != 0) return measure(row);
        if (!first_sum) first_sum = measure(row);
    }
    return first_sum ? *std::move(first_sum) : measure(0);
}

}  // namespace

Measure default_measure(const Profile& profile) {
    return usual_measure(profile, [&](EventId event) { return profile.total(event); });
}

Measure default_measure(const CallGraph& graph) {
    return usual_measure(graph.profile(), [&](EventId event) { return data_of(graph).total[event]; });
}

Result<Measure> Measures::find(std::string_view text) const {
    text = trim(text);
    const Catalogue& catalogue = known_->catalogue;
    const auto& entries = catalogue.entries();
    if (const std::uint32_t row = catalogue.names().find(text); row != unknown) {
        const Catalogue::Entry& entry = entries[row];
        if (catalogue.is_offered(row)) return catalogue.measure(row);
        if (entry.state == Catalogue::State::cycle)
            return tl::unexpected(Error{.code = ErrorCode::formula_cycle, .detail = std::string(text)});
        if (entry.state == Catalogue::State::bad_formula)
            return tl::unexpected(Error{.code = ErrorCode::bad_formula,
                                        .column = entry.bad_column,
                                        .detail = std::string(entry.text)});
    }
    for (std::size_t row = 0; row < catalogue.raw_count(); ++row)
        if (event_alias(entries[row].name) == event_alias(text)) return catalogue.measure(row);
    return measure_of_formula(catalogue, text);
}

std::vector<Diagnostic> Measures::diagnostics() const {
    constexpr std::size_t max_listed = 10;
    const Catalogue& catalogue = known_->catalogue;
    std::array<Diagnostic, 3> found;
    found[0].id = DiagnosticId::formula_cycle;
    found[1].id = DiagnosticId::bad_formula;
    found[2].id = DiagnosticId::unknown_event_in_formula;
    const auto report = [](Diagnostic& diagnostic, const Place& place) {
        ++diagnostic.count;
        if (diagnostic.places.size() < max_listed) diagnostic.places.push_back(place);
    };
    const auto formulas = known_->profile.formulas();
    for (std::size_t i = 0; i < formulas.size(); ++i) {
        const Catalogue::Entry& entry = catalogue.entries()[catalogue.raw_count() + i];
        if (entry.state == Catalogue::State::cycle) report(found[0], formulas[i].place);
        if (entry.state == Catalogue::State::bad_formula) report(found[1], formulas[i].place);
        if (!entry.missing.empty()) report(found[2], formulas[i].place);
    }
    std::vector<Diagnostic> diagnostics;
    for (Diagnostic& diagnostic : found)
        if (diagnostic.count != 0) diagnostics.push_back(std::move(diagnostic));
    return diagnostics;
}

std::vector<Measure> measures(const Profile& profile) { return Measures(profile).all(); }
Result<Measure> find_measure(const Profile& profile, std::string_view text) {
    return Measures(profile).find(text);
}
std::vector<Diagnostic> formula_diagnostics(const Profile& profile) {
    return Measures(profile).diagnostics();
}

}  // namespace callcost
