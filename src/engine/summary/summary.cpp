#include "summary/summary.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "names/short_names.hpp"
#include "summary/code_kinds.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

// Shares of the total. docs/summary.md explains each.
constexpr double nearly_all = 0.9;  // of a function: it only passes calls on
constexpr double worth_saying = 0.05;
constexpr double stands_out = 0.1;
constexpr double much_unknown = 0.1;
constexpr double too_much = 1.01;  // for an inclusive cost
constexpr std::size_t most_named = 3;

constexpr std::string_view unknown_name = "???";

class Sentence {
  public:
    Sentence& text(std::string_view words) {
        if (pieces_.empty() || pieces_.back().kind != SummaryPiece::Kind::text)
            pieces_.push_back({.text = std::string(words)});
        else
            pieces_.back().text += words;
        return *this;
    }
    Sentence& function(const CallGraph& graph, NodeId node) {
        pieces_.push_back({SummaryPiece::Kind::function, std::string(graph.name(node)), node, {}});
        return *this;
    }
    Sentence& cycle(CycleId cycle) {
        pieces_.push_back({SummaryPiece::Kind::cycle, "cycle " + std::to_string(cycle.value + 1), {}, cycle});
        return *this;
    }
    SummarySentence done() { return std::move(pieces_); }

  private:
    SummarySentence pieces_;
};

/// A cost with what it was spent for.
struct Item {
    Cost cost;
    NodeId function;
};

class Summary {
  public:
    Summary(const CallGraph& graph, const Measure& measure)
        : graph_(graph), measure_(measure), base_(percentage_base(graph, measure)) {}

    std::vector<SummarySentence> write() {
        if (!measure_.additive || base_ <= 0 || graph_.size() == 0) return {};
        for (std::size_t row = 0; row < graph_.size(); ++row)
            if (self(NodeId(row)) < 0) return {};
        if (has_inclusive(graph_, measure_)) say_what_main_does();
        say_what_costs_most();
        say_whose_code_it_is();
        say_what_is_missing();
        return std::move(sentences_);
    }

  private:
    [[nodiscard]] Cost self(NodeId node) const { return graph_.self(node, measure_); }
    [[nodiscard]] Cost inclusive(NodeId node) const { return graph_.inclusive(node, measure_); }
    [[nodiscard]] bool is_at_least(Cost cost, double share) const {
        return static_cast<double>(cost) >= share * static_cast<double>(base_);
    }
    [[nodiscard]] std::string percent(Cost cost) const { return engine::percent(cost, base_); }

    [[nodiscard]] bool comes_before(const Item& a, const Item& b) const {
        return a.cost != b.cost ? a.cost > b.cost
                                : names_of(graph_, a.function) < names_of(graph_, b.function);
    }
    /// The most expensive ones that are worth it.
    [[nodiscard]] std::vector<Item> largest(std::vector<Item> items, double least) const {
        std::erase_if(items, [&](const Item& item) { return !is_at_least(item.cost, least); });
        std::sort(items.begin(), items.end(),
                  [&](const Item& a, const Item& b) { return comes_before(a, b); });
        if (items.size() > most_named) items.resize(most_named);
        return items;
    }

    // --- what main does -----------------------------------------------------------------------------------

    /// Where the program's own work begins: main by the names that languages have for it, else what was
    /// entered most.
    [[nodiscard]] NodeId entry() const {
        const ContextNames contexts(graph_.profile());
        constexpr std::array<std::string_view, 4> names = {"main", "{main}", "main.main", "<module>"};
        NodeId found;
        for (const auto name : names) {
            for (std::size_t row = 0; row < graph_.size(); ++row) {
                const NodeId node(row);
                if (graph_.name(node) == name && (!found.valid() || inclusive(node) > inclusive(found)))
                    found = node;
            }
            if (found.valid() && inclusive(found) > 0) return found;
        }
        const auto entered = roots(graph_, measure_);
        return entered.empty() ? NodeId() : entered.front().node;
    }

    /// From a function to the one that it, or what it calls, only passes calls on to.
    [[nodiscard]] NodeId end_of_chain(NodeId begin) const {
        std::set<NodeId> seen = {begin};
        NodeId at = begin;
        while (!graph_.cycle(at).valid()) {
            NodeId next;
            for (const ArcId arc : graph_.callees(at)) {
                const auto share = nearly_all * static_cast<double>(inclusive(at));
                if (!graph_.recursive(arc) && static_cast<double>(graph_.cost(arc, measure_)) >= share)
                    next = graph_.callee(arc);
            }
            if (!next.valid() || !seen.insert(next).second) break;
            at = next;
        }
        return at;
    }

    void say_what_main_does() {
        const NodeId begin = entry();
        if (!begin.valid() || inclusive(begin) <= 0) return;
        Sentence sentence;
        if (is_at_least(inclusive(begin), too_much)) {
            sentence.text("Inclusive costs are above the total in this profile, so they say little.");
        } else {
            sentence.function(graph_, begin);
            if (is_at_least(inclusive(begin), worth_saying))
                say_what_it_does(sentence, begin);
            else
                sentence.text(" costs only " + percent(inclusive(begin)) + ".");
        }
        sentences_.push_back(sentence.done());
    }
    void say_what_it_does(Sentence& sentence, NodeId begin) const {
        const NodeId end = end_of_chain(begin);
        const CycleId cycle = graph_.cycle(end);
        sentence.text(" costs " + percent(inclusive(begin)));
        if (end != begin) sentence.text(", nearly all of it in ").function(graph_, end);
        if (cycle.valid()) return say_what_cycle_does(sentence, cycle);

        const bool is_by_itself =
            static_cast<double>(self(end)) >= nearly_all * static_cast<double>(inclusive(end));
        if (is_by_itself && end == begin) {
            sentence.text(", nearly all of it in its own code (" + percent(self(end)) + ").");
        } else if (is_by_itself) {
            sentence.text(" itself (" + percent(self(end)) + ").");
        } else {
            if (inclusive(end) != inclusive(begin)) sentence.text(" (" + percent(inclusive(end)) + ")");
            const auto parts = largest(in_function(end), worth_saying);
            if (parts.empty()) sentence.text(", spread over many callees");
            say_parts(sentence, ": ", parts, end);
        }
    }
    void say_what_cycle_does(Sentence& sentence, CycleId cycle) const {
        sentence.text(", which is in ").cycle(cycle);
        sentence.text(": " + counted(graph_.members(cycle).size(), "function", separated_) +
                      " that call each other, " + percent(graph_.inclusive(cycle, measure_)));
        say_parts(sentence, "; in it ", largest(in_cycle(cycle), worth_saying), NodeId());
    }
    void say_parts(Sentence& sentence, std::string_view beginning, const std::vector<Item>& parts,
                   NodeId itself) const {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            sentence.text(i == 0 ? beginning : ", ");
            if (parts[i].function == itself)
                sentence.text("its own code");
            else
                sentence.function(graph_, parts[i].function);
            sentence.text(" " + percent(parts[i].cost));
        }
        sentence.text(".");
    }
    /// Its own code, and what it calls.
    [[nodiscard]] std::vector<Item> in_function(NodeId function) const {
        std::vector<Item> parts = {{self(function), function}};
        for (const ArcId arc : graph_.callees(function))
            if (!graph_.recursive(arc)) parts.push_back({graph_.cost(arc, measure_), graph_.callee(arc)});
        return parts;
    }
    /// Its members' own code, and what they call outside of it.
    [[nodiscard]] std::vector<Item> in_cycle(CycleId cycle) const {
        std::map<NodeId, Cost> costs;
        for (const NodeId member : graph_.members(cycle)) {
            costs[member] += self(member);
            for (const ArcId arc : graph_.callees(member))
                if (graph_.cycle(graph_.callee(arc)) != cycle)
                    costs[graph_.callee(arc)] += graph_.cost(arc, measure_);
        }
        std::vector<Item> parts;
        parts.reserve(costs.size());
        for (const auto& [function, cost] : costs) parts.push_back({cost, function});
        return parts;
    }

    // --- the functions by themselves ----------------------------------------------------------------------

    void say_what_costs_most() {
        std::vector<Item> all;
        all.reserve(graph_.size());
        for (std::size_t row = 0; row < graph_.size(); ++row) all.push_back({self(NodeId(row)), NodeId(row)});
        Sentence sentence;
        if (const auto most = largest(all, stands_out); !most.empty()) {
            sentence.text(most.size() > 1 ? "Most expensive by themselves: " : "Most expensive by itself: ");
            for (std::size_t i = 0; i < most.size(); ++i) {
                if (i > 0) sentence.text(", ");
                sentence.function(graph_, most[i].function).text(" " + percent(most[i].cost));
            }
            sentence.text(".");
        } else if (const Item first =
                       *std::max_element(all.begin(), all.end(),
                                         [&](const Item& a, const Item& b) { return comes_before(b, a); });
                   first.cost > 0) {
            sentence.text("No function stands out by itself: the most expensive one, ")
                .function(graph_, first.function)
                .text(", has " + percent(first.cost) + "; half of the cost is in " +
                      counted(half_of(all), "function", separated_) + ".");
        } else {
            return;
        }
        sentences_.push_back(sentence.done());
    }
    /// How many of the most expensive functions make up half of the total.
    [[nodiscard]] std::size_t half_of(const std::vector<Item>& all) const {
        std::vector<Cost> costs;
        costs.reserve(all.size());
        for (const Item& item : all) costs.push_back(item.cost);
        std::make_heap(costs.begin(), costs.end());
        Cost sum = 0;
        std::size_t functions = 0;
        while (!costs.empty() && !is_at_least(sum, 0.5)) {
            std::pop_heap(costs.begin(), costs.end());
            sum += costs.back();
            costs.pop_back();
            ++functions;
        }
        return functions;
    }

    // --- own code and that of others ----------------------------------------------------------------------

    [[nodiscard]] static std::string_view file_name(std::string_view path) {
        return path.substr(path.find_last_of("/\\") + 1);
    }
    /// The object that the command names; empty if it is not known.
    [[nodiscard]] std::string_view program() const {
        auto command = first_text(selected_part_facts(graph_), &Part::command);
        command = command.substr(0, command.find(' '));
        return file_name(command);
    }
    void say_whose_code_it_is() {
        const auto program = this->program();
        std::array<Cost, code_kinds> by_kind{};
        Cost own = 0;
        struct Object {
            CodeKind kind;
            bool is_program;
        };
        std::unordered_map<std::string_view, Object> objects;
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            const NodeId node(row);
            const auto [found, is_new] = objects.try_emplace(graph_.object(node));
            if (is_new)
                found->second = {kind_of_object(found->first),
                                 !program.empty() && file_name(found->first) == program};
            const auto kind = kind_of_function(graph_.name(node), found->second.kind);
            if (kind == CodeKind::unknown && found->second.is_program) own += self(node);
            by_kind.at(static_cast<std::size_t>(kind)) += self(node);
        }
        std::vector<std::pair<Cost, std::string>> others;
        for (std::size_t kind = 1; kind < code_kinds; ++kind)
            if (is_at_least(by_kind.at(kind), worth_saying))
                others.emplace_back(by_kind.at(kind), to_string(static_cast<CodeKind>(kind)));
        if (others.empty()) return;
        std::stable_sort(others.begin(), others.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        Sentence sentence;
        std::string text = "Spent in ";
        for (std::size_t i = 0; i < others.size(); ++i) {
            if (i > 0) text += ", ";
            text += others[i].second + " " + percent(others[i].first);
        }
        if (own > 0) text += "; in " + std::string(program) + " itself " + percent(own);
        sentence.text(text + ".");
        sentences_.push_back(sentence.done());
    }

    // --- what the profile lacks ---------------------------------------------------------------------------

    void say_what_is_missing() {
        Cost without_name = 0, without_file = 0, most_lost = 0;
        NodeId loser;
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            const NodeId node(row);
            if (is_address(graph_.name(node)))
                without_name += self(node);
            else if (graph_.file(node) == unknown_name)
                without_file += self(node);
            if (const Cost lost = graph_.unrecorded_callees(node, measure_); lost > most_lost) {
                most_lost = lost;
                loser = node;
            }
        }
        std::string text;
        const auto add = [&](std::string_view words) {
            text += text.empty() ? "" : " ";
            text += words;
        };
        if (is_at_least(without_name, much_unknown))
            add(percent(without_name) +
                " is in functions without names: their symbols are not installed or were stripped.");
        const auto parts = selected_part_facts(graph_);
        const bool is_compiled = std::all_of(parts.begin(), parts.end(), [](const Part* part) {
            return part->dialect == Dialect::callgrind || part->dialect == Dialect::cachegrind;
        });
        if (is_compiled && is_at_least(without_file, much_unknown))
            add(percent(without_file) +
                " is in code without debug information: compile it with -g for source lines.");
        Sentence sentence;
        if (is_at_least(most_lost, much_unknown)) {
            add("Callees of ");
            sentence.text(text)
                .function(graph_, loser)
                .text(" that cost " + percent(most_lost) + " were not recorded.");
        } else if (!text.empty()) {
            sentence.text(text);
        } else {
            return;
        }
        sentences_.push_back(sentence.done());
    }
    static bool is_address(std::string_view name) {
        constexpr std::string_view beginning = "0x";
        return name.starts_with(beginning) && name.size() > beginning.size() &&
               name.find_first_not_of("0123456789abcdefABCDEF", beginning.size()) == std::string_view::npos;
    }

    const CallGraph& graph_;
    const Measure& measure_;
    Cost base_;
    Style separated_{.separators = true};
    std::vector<SummarySentence> sentences_;
};

}  // namespace

std::vector<SummarySentence> summarize(const CallGraph& graph, const Measure& measure) {
    return Summary(graph, measure).write();
}

std::string to_text(const std::vector<SummarySentence>& summary, const Style& style) {
    constexpr std::size_t longest_name = 60;
    std::deque<std::string> names;
    std::vector<NameToShorten> rooms;
    for (const auto& sentence : summary)
        for (const auto& piece : sentence)
            if (piece.kind == SummaryPiece::Kind::function)
                rooms.push_back({names.emplace_back(display_name(piece.text)), longest_name});
    const auto shorts = short_names(rooms, style);
    std::string text;
    auto name = shorts.begin();
    for (const auto& sentence : summary) {
        std::string words;
        for (const auto& piece : sentence)
            words += piece.kind == SummaryPiece::Kind::function ? *name++ : display_name(piece.text);
        text += wrapped(words, 0, style, 0) + '\n';
    }
    return text;
}

}  // namespace callcost::engine
