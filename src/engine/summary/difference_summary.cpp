#include "summary/difference_summary.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "text/numbers.hpp"

namespace callcost::engine {
namespace {

constexpr double worth_saying_of_changes = 0.05;  // of all changes of self cost, whatever their signs
constexpr std::size_t most_in_sentence = 2;
constexpr std::size_t longest_name_in_sentence = 48;

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
    DifferenceSummary(const Diff& diff, const ChangedRows& rows, const Style& style,
                      const Measuring& measuring)
        : diff_(diff), rows_(rows), style_(style), measuring_(measuring) {
        for (const MatchId id : rows.self) {
            const Cost delta = self(id).delta();
            (delta > 0 ? more_ : less_) += delta;
            ++(delta > 0 ? risen_ : fallen_);
        }
    }

    std::vector<DifferenceSentence> write() {
        if (rows_.self.empty()) return {};
        say_how_many();
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
    [[nodiscard]] bool is_inlined(MatchId id) const {
        const auto& all = diff_.inlinings();
        return std::any_of(all.begin(), all.end(), [&](const Inlining& one) { return one.function == id; });
    }

    void say_how_many() {
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

    /// What changed because something is called more or less often.
    void say_calls() {
        std::vector<Item> items;
        for (const auto row : rows_.arcs) {
            const ArcMatch& arc = diff_.arcs()[row];
            // New and removed functions have a sentence of their own.
            if (!is_on_both_sides(arc.caller) || !is_on_both_sides(arc.callee)) continue;
            const auto [before, after] = diff_.count(arc);
            const auto why = reason(diff_.cost(arc), before, after);
            if (!why || !is_worth_saying(why->by_count) || is_recursive(diff_, arc)) continue;
            Item item = {why->by_count, {}};
            append_function(item.pieces, arc.caller, name(arc.caller));
            append(item.pieces, " calls ");
            append_function(item.pieces, arc.callee, name(arc.callee));
            append(item.pieces, " ");
            append_count(item.pieces, after);
            append(item.pieces, " instead of ");
            append_count(item.pieces, before);
            append(item.pieces, " times: ");
            append_change(item.pieces, why->by_count);
            items.push_back(std::move(item));
        }
        say(std::move(items), "");
    }
    /// What changed though it is called as often: the code, or its data.
    void say_costs_per_call() {
        std::vector<Item> items;
        for (const MatchId id : rows_.self) {
            if (!is_on_both_sides(id)) continue;
            const auto [before, after] = diff_.call_count(diff_.function(id));
            const auto why = reason(self(id), before, after);
            if (!why || !is_worth_saying(why->by_cost)) continue;
            items.push_back(function_and_change(id, why->by_cost));
        }
        say(std::move(items), "By the cost of a call: ");
    }
    void say_new_and_removed() {
        std::vector<Item> items;
        for (const auto* ids : {&rows_.added, &rows_.removed})
            for (const MatchId id : *ids)
                if (!is_inlined(id) && is_worth_saying(self(id).delta()))
                    items.push_back(function_and_change(id, self(id).delta()));
        say(std::move(items), "New and removed: ");
    }
    void say_inlined() {
        const auto& all = diff_.inlinings();
        if (all.empty()) return;
        auto& sentence = sentences_.emplace_back();
        append(sentence, "Inlined? ");
        for (std::size_t i = 0; i < std::min(all.size(), most_in_sentence); ++i) {
            if (i > 0) append(sentence, "; ");
            for (auto& piece : inlining_pieces(diff_, all[i], measuring_))
                sentence.push_back(std::move(piece));
        }
        if (all.size() > most_in_sentence)
            append(sentence, "; and " + std::to_string(all.size() - most_in_sentence) + " more");
        append(sentence, ".");
    }
    void say(std::vector<Item> items, std::string beginning) {
        std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
            return std::abs(static_cast<double>(a.change)) > std::abs(static_cast<double>(b.change));
        });
        if (items.empty()) return;
        auto& sentence = sentences_.emplace_back();
        if (!beginning.empty()) append(sentence, std::move(beginning));
        for (std::size_t i = 0; i < std::min(items.size(), most_in_sentence); ++i) {
            if (i > 0) append(sentence, "; ");
            for (auto& piece : items[i].pieces) sentence.push_back(std::move(piece));
        }
        append(sentence, ".");
    }

    const Diff& diff_;
    const ChangedRows& rows_;
    const Style& style_;
    const Measuring& measuring_;
    Cost more_ = 0, less_ = 0;
    std::size_t risen_ = 0, fallen_ = 0;
    std::vector<DifferenceSentence> sentences_;
};

}  // namespace

ChangedRows changed_rows(const Diff& diff) {
    ChangedRows rows;
    for (const FunctionMatch& function : diff.functions()) {
        if (diff.self(function).delta() != 0) rows.self.push_back(function.id);
        if (function.is_added()) rows.added.push_back(function.id);
        if (function.is_removed()) rows.removed.push_back(function.id);
    }
    for (std::size_t row = 0; row < diff.arcs().size(); ++row) {
        const auto [before, after] = diff.count(diff.arcs()[row]);
        if (before.known != after.known) rows.arcs.push_back(row);
    }
    return rows;
}

std::vector<DifferenceSentence> summarize_difference(const Diff& diff, const ChangedRows& rows,
                                                     const Style& style, const Measuring& measuring) {
    return DifferenceSummary(diff, rows, style, measuring).write();
}

std::string to_text(const DifferenceSentence& sentence, const Style& style) {
    std::string text;
    for (const auto& piece : sentence) {
        if (piece.kind == DifferencePiece::Kind::change)
            text += difference(piece.change, style);
        else if (piece.kind == DifferencePiece::Kind::count)
            text += calls(piece.count, style);
        else
            text += piece.text;
    }
    return text;
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

std::string number_in_group(const FunctionMatch& function) {
    if (function.tier != MatchTier::group) return {};
    return " (" + std::to_string(function.before.size()) + " before, " +
           std::to_string(function.after.size()) + " after)";
}

DifferenceSentence inlining_pieces(const Diff& diff, const Inlining& inlining, const Measuring& measuring) {
    DifferenceSentence pieces;
    append_function(pieces, inlining.function, function_name(diff, inlining.function, measuring));
    append(pieces, inlining.is_outlined ? " was outlined from " : " was inlined into ");
    bool is_first = true;
    for (const auto caller : inlining.callers) {
        if (!is_first) append(pieces, ", ");
        is_first = false;
        append_function(pieces, caller, function_name(diff, caller, measuring));
    }
    if (inlining.has_lines) append(pieces, " (its source lines are there)");
    return pieces;
}

}  // namespace callcost::engine
