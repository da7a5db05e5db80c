#include "summary/difference_summary.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "summary/entries.hpp"
#include "text/numbers.hpp"

namespace callcost::engine {
namespace {

constexpr double worth_saying_of_changes = 0.05;  // of all changes of self cost, whatever their signs
constexpr std::size_t max_in_sentence = 2;
constexpr std::size_t max_callers_in_sentence = 3;
constexpr std::size_t longest_name_in_sentence = 48;
constexpr double max_of_inlined = 1.5;  // of what calls cost: what their code costs where it is inlined

void append(DifferenceSentence& sentence, std::string text) { sentence.push_back({.text = std::move(text)}); }
void append_function(DifferenceSentence& sentence, MatchId id, std::string name) {
    sentence.push_back({.kind = DifferencePiece::Kind::function, .text = std::move(name), .function = id});
}
void append_change(DifferenceSentence& sentence, Cost change) {
    sentence.push_back({.kind = DifferencePiece::Kind::change, .change = change});
}
void append_count(DifferenceSentence& sentence, const CallCount& count) {
    sentence.push_back({.kind = DifferencePiece::Kind::count, .count = count});
}

class DifferenceSummary {
  public:
    DifferenceSummary(const Diff& diff, const ChangedFunctions& changed, const Style& style,
                      const Measuring& measuring)
        : diff_(diff),
          changed_(changed),
          style_(style),
          measuring_(measuring),
          is_inlined_(diff.functions().size()),
          has_inlined_(diff.functions().size()) {
        for (const Inlining& inlining : diff.inlinings()) {
            is_inlined_[inlining.function.value] = true;
            for (const MatchId caller : inlining.callers) has_inlined_[caller.value] = true;
        }
        for (const MatchId id : changed.self) {
            if (is_outside_functions(id)) continue;
            const Cost delta = self(id).delta();
            (delta > 0 ? more_ : less_) += delta;
            ++(delta > 0 ? risen_ : fallen_);
        }
    }

    std::vector<DifferenceSentence> write() {
        if (changed_.self.empty()) return {};
        say_how_many();
        say_what_is_outside();
        say_calls();
        say_costs_per_call();
        say_new_and_removed();
        say_inlined();
        return std::move(sentences_);
    }

  private:
    /// A change, and what it is about.
    struct Item {
        Cost change;
        DifferenceSentence pieces;
    };

    [[nodiscard]] Change self(MatchId id) const { return diff_.self(diff_.function(id)); }
    [[nodiscard]] std::string name(MatchId id) const {
        return short_name(measuring_.text(diff_.name(diff_.function(id))), longest_name_in_sentence, style_,
                          measuring_);
    }
    [[nodiscard]] Item function_and_change(MatchId id, Cost change) const {
        Item item = {change, {}};
        append_function(item.pieces, id, name(id));
        append(item.pieces, " ");
        append_change(item.pieces, change);
        return item;
    }
    [[nodiscard]] bool is_worth_saying(Cost change) const {
        const auto all = static_cast<double>(more_) - static_cast<double>(less_);
        return std::abs(static_cast<double>(change)) >= worth_saying_of_changes * all && change != 0;
    }

    [[nodiscard]] bool is_on_both_sides(MatchId id) const {
        const FunctionMatch& function = diff_.function(id);
        return !function.is_added() && !function.is_removed();
    }
    /// The least of changes that all go the same way, as a cause is never larger than what it causes; else 0.
    [[nodiscard]] static Cost least(std::initializer_list<Cost> changes) {
        const Cost first = *changes.begin();
        const bool is_one_way = std::all_of(changes.begin(), changes.end(),
                                            [&](Cost change) { return (change > 0) == (first > 0); });
        if (!is_one_way) return 0;
        return std::min(changes, [](Cost a, Cost b) { return a.magnitude() < b.magnitude(); });
    }

    [[nodiscard]] bool is_outside_functions(MatchId id) const {
        return is_outside(diff_.name(diff_.function(id)));
    }

    void say_how_many() {
        if (risen_ + fallen_ == 0) return;
        auto& sentence = sentences_.emplace_back();
        const auto functions = [&](std::size_t number, std::string_view verb) {
            append_count(sentence, {.known = number});
            auto text = std::string(number == 1 ? " function" : " functions");
            text += verb;
            if (number == 1 && !verb.empty()) text += 's';
            return text;
        };
        if (fallen_ == 0 || risen_ == 0) {
            const bool is_more = fallen_ == 0;
            append(sentence,
                   functions(is_more ? risen_ : fallen_, " cost") + (is_more ? " more." : " less."));
            return;
        }
        append(sentence, functions(risen_, " cost") + " more, ");
        append_change(sentence, more_);
        append(sentence, " together; ");
        append(sentence, functions(fallen_, "") + " less, ");
        append_change(sentence, less_);
        append(sentence, ".");
    }

    /// As a summary of one profile: no function's cost.
    void say_what_is_outside() {
        std::vector<Item> items;
        for (const MatchId id : changed_.self) {
            const Cost change = self(id).delta();
            if (is_outside_functions(id) && is_worth_saying(change))
                items.push_back(function_and_change(id, change));
        }
        say(std::move(items), "Outside of functions: ");
    }

    /// The calls of a function from outside of its recursion.
    struct CallsOf {
        std::size_t changed = 0;  ///< callers that call it more or less often
        std::size_t row = 0;      ///< the arc of one of them
    };
    /// What changed because something is called more or less often. Calls that only moved from one caller to
    /// another are no cause.
    void say_calls() {
        std::vector<CallsOf> calls(diff_.functions().size());
        for (std::size_t row = 0; row < diff_.arcs().size(); ++row) {
            const ArcMatch& arc = diff_.arcs()[row];
            const auto [before, after] = diff_.count(arc);
            if (before == after || is_recursive(diff_, arc)) continue;
            CallsOf& of = calls[arc.callee.value];
            ++of.changed;
            of.row = row;
        }
        std::vector<Item> items;
        for (const FunctionMatch& callee : diff_.functions()) {
            // New and removed functions have a sentence of their own; of a group the inclusive cost is not
            // known.
            if (!is_on_both_sides(callee.id) || callee.tier == MatchTier::group) continue;
            if (is_outside_functions(callee.id)) continue;
            const auto [before, after] = diff_.call_count(callee);
            const Cost whole = diff_.inclusive(callee).delta();
            if (before.at_least || after.at_least || before == after || !is_worth_saying(whole)) continue;
            const CallsOf& of = calls[callee.id.value];
            if (of.changed == 1 && is_on_both_sides(diff_.arcs()[of.row].caller))
                add_calls_by_one(items, diff_.arcs()[of.row], after.known > before.known, whole);
            else if (!is_in_cycle(callee))
                add_calls(items, callee.id, before, after,
                          least({by_count(diff_.inclusive(callee), before, after), whole}));
        }
        say(std::move(items), "");
    }
    void add_calls_by_one(std::vector<Item>& items, const ArcMatch& arc, bool is_more, Cost whole) const {
        const auto [before, after] = diff_.count(arc);
        const Change cost = diff_.cost(arc);
        const auto change = least({by_count(cost, before, after), cost.delta(), whole});
        if ((after.known > before.known) == is_more)
            add_calls(items, arc.callee, before, after, change, arc.caller);
    }
    void add_calls(std::vector<Item>& items, MatchId callee, const CallCount& before, const CallCount& after,
                   Cost change, std::optional<MatchId> caller = std::nullopt) const {
        if (!is_worth_saying(change)) return;
        Item item = {change, {}};
        if (caller) {
            append_function(item.pieces, *caller, name(*caller));
            append(item.pieces, " calls ");
        }
        append_function(item.pieces, callee, name(callee));
        append(item.pieces, caller ? " " : " is called ");
        append_count(item.pieces, after);
        append(item.pieces, " instead of ");
        append_count(item.pieces, before);
        append(item.pieces, " times: ");
        append_change(item.pieces, change);
        items.push_back(std::move(item));
    }
    /// 0 if it cannot be told.
    [[nodiscard]] static Cost by_count(const Change& cost, const CallCount& before, const CallCount& after) {
        if (before == CallCount{} && !after.at_least) return cost.delta();  // all of it is new
        const auto why = reason(cost, before, after);
        return why ? why->by_count : Cost(0);
    }
    [[nodiscard]] static Cost by_cost(const Change& cost, const CallCount& before, const CallCount& after) {
        if (goes_against_calls(cost, before, after)) return cost.delta();
        const auto why = reason(cost, before, after);
        return why ? least({why->by_cost, cost.delta()}) : Cost(0);
    }
    [[nodiscard]] bool is_in_cycle(const FunctionMatch& function) const {
        const auto any = [](const CallGraph& graph, const std::vector<NodeId>& nodes) {
            return std::any_of(nodes.begin(), nodes.end(),
                               [&](NodeId id) { return graph.cycle(id).valid(); });
        };
        return any(diff_.before(), function.before) || any(diff_.after(), function.after);
    }
    /// What changed though it is called as often: the code, or its data.
    void say_costs_per_call() {
        std::vector<Item> items;
        for (const MatchId id : changed_.self) {
            if (!is_on_both_sides(id) || is_outside_functions(id)) continue;
            if (has_inlined_[id.value] && explaining_inlining(diff_, id) != nullptr) continue;
            const auto [before, after] = diff_.call_count(diff_.function(id));
            const Cost change = by_cost(self(id), before, after);
            if (is_worth_saying(change)) items.push_back(function_and_change(id, change));
        }
        say(std::move(items), "Cost per call changed: ");
    }
    /// Of those that have one name and are on both sides, only what is left of them: they may be the same.
    void say_new_and_removed() {
        std::map<std::string_view, std::pair<MatchId, Cost>> by_name;
        std::vector<std::string_view> names;
        for (const auto* ids : {&changed_.added, &changed_.removed}) {
            for (const MatchId id : *ids) {
                if (is_inlined_[id.value] || is_outside_functions(id)) continue;
                const auto [at, is_first] = by_name.try_emplace(diff_.name(diff_.function(id)), id, Cost(0));
                at->second.second += self(id).delta();
                if (is_first) names.push_back(at->first);
            }
        }
        std::vector<Item> items;
        for (const auto of : names) {
            const auto& [id, change] = by_name[of];
            if (is_worth_saying(change)) items.push_back(function_and_change(id, change));
        }
        say(std::move(items), "New and removed: ");
    }
    void say_inlined() {
        const auto& all = diff_.inlinings();
        if (all.empty()) return;
        auto& sentence = sentences_.emplace_back();
        append(sentence, "Inlined? ");
        for (std::size_t i = 0; i < std::min(all.size(), max_in_sentence); ++i) {
            if (i > 0) append(sentence, "; ");
            for (auto& piece : inlining_pieces(diff_, all[i], measuring_, max_callers_in_sentence))
                sentence.push_back(std::move(piece));
            append(sentence, ", together ");
            append_change(sentence, all[i].together.delta());
        }
        if (all.size() > max_in_sentence)
            append(sentence, "; and " + std::to_string(all.size() - max_in_sentence) + " more");
        append(sentence, ".");
    }
    void say(std::vector<Item> items, std::string beginning) {
        std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
            return std::abs(static_cast<double>(a.change)) > std::abs(static_cast<double>(b.change));
        });
        if (items.empty()) return;
        auto& sentence = sentences_.emplace_back();
        if (!beginning.empty()) append(sentence, std::move(beginning));
        for (std::size_t i = 0; i < std::min(items.size(), max_in_sentence); ++i) {
            if (i > 0) append(sentence, "; ");
            for (auto& piece : items[i].pieces) sentence.push_back(std::move(piece));
        }
        append(sentence, ".");
    }

    const Diff& diff_;
    const ChangedFunctions& changed_;
    const Style& style_;
    const Measuring& measuring_;
    std::vector<bool> is_inlined_, has_inlined_;  // of functions; has_inlined_: others went in or came out
    Cost more_ = 0, less_ = 0;
    std::size_t risen_ = 0, fallen_ = 0;
    std::vector<DifferenceSentence> sentences_;
};

}  // namespace

std::vector<DifferenceSentence> summarize_difference(const Diff& diff, const ChangedFunctions& changed,
                                                     const Style& style, const Measuring& measuring) {
    return DifferenceSummary(diff, changed, style, measuring).write();
}

std::string to_text(const DifferenceSentence& sentence, std::string_view unit, const Style& style) {
    std::string text;
    for (const auto& piece : sentence) {
        if (piece.kind == DifferencePiece::Kind::change)
            text += difference(piece.change, unit, style);
        else if (piece.kind == DifferencePiece::Kind::count)
            text += calls(piece.count, style);
        else
            text += piece.text;
    }
    return text;
}

bool goes_against_calls(const Change& cost, const CallCount& before, const CallCount& after) {
    if (before.at_least || after.at_least || before.known == 0) return false;
    return after.known > before.known ? cost.delta() < 0 : after.known < before.known && cost.delta() > 0;
}

bool is_recursive(const Diff& diff, const ArcMatch& arc) {
    const auto any = [](const CallGraph& graph, std::span<const ArcId> arcs) {
        return std::any_of(arcs.begin(), arcs.end(), [&](ArcId id) { return graph.recursive(id); });
    };
    return any(diff.before(), arc.before) || any(diff.after(), arc.after);
}

std::string function_name(const Diff& diff, MatchId id, const Measuring& measuring) {
    const FunctionMatch& function = diff.function(id);
    auto name = measuring.text(diff.name(function)) + number_in_group(function);
    if (!function.is_renamed()) return name;
    return measuring.text(diff.before().name(function.before[0])) + " -> " + name;
}

std::string_view inlining_change(const Diff& diff, const FunctionMatch& function) {
    constexpr double hardly = 0.1;  // of its cost
    if (function.is_added() || function.is_removed()) return {};
    const Change self = diff.self(function), inlined = diff.inlined_self(function);
    if (self.before == 0 || self.after == 0) return {};
    const auto share = [](Cost part, Cost whole) {
        return static_cast<double>(part.magnitude()) / static_cast<double>(whole.magnitude());
    };
    const double more = share(inlined.after, self.after) - share(inlined.before, self.before);
    if (std::abs(more) < hardly) return {};
    if (inlined.after == 0) return "not inlined in the new build";
    if (inlined.after == self.after) return "inlined in the new build";
    return more > 0 ? "inlined more in the new build" : "inlined less in the new build";
}

std::string number_in_group(const FunctionMatch& function) {
    if (function.tier != MatchTier::group) return {};
    return " (" + std::to_string(function.before.size()) + " before, " +
           std::to_string(function.after.size()) + " after)";
}

const Inlining* explaining_inlining(const Diff& diff, MatchId caller) {
    const Inlining* first = nullptr;
    double inlined = 0;
    for (const Inlining& inlining : diff.inlinings()) {
        const auto at = std::find(inlining.callers.begin(), inlining.callers.end(), caller);
        if (at == inlining.callers.end()) continue;
        if (first == nullptr) first = &inlining;
        const auto cost =
            static_cast<double>(inlining.costs[static_cast<std::size_t>(at - inlining.callers.begin())]);
        inlined += inlining.is_outlined ? -cost : cost;
    }
    const auto changed = static_cast<double>(diff.self(diff.function(caller)).delta());
    const bool is_one_way = (changed > 0) == (inlined > 0);
    return is_one_way && std::abs(changed) <= max_of_inlined * std::abs(inlined) ? first : nullptr;
}

DifferenceSentence inlining_pieces(const Diff& diff, const Inlining& inlining, const Measuring& measuring,
                                   std::size_t max_callers) {
    DifferenceSentence pieces;
    append_function(pieces, inlining.function, function_name(diff, inlining.function, measuring));
    append(pieces, inlining.is_outlined ? " was outlined from " : " was inlined into ");
    const auto shown = std::min(inlining.callers.size(), max_callers);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) append(pieces, ", ");
        append_function(pieces, inlining.callers[i], function_name(diff, inlining.callers[i], measuring));
    }
    if (shown < inlining.callers.size())
        append(pieces, " and " + std::to_string(inlining.callers.size() - shown) + " more");
    if (inlining.has_lines) append(pieces, " (its source lines are there)");
    return pieces;
}

}  // namespace callcost::engine
