#include "summary/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "names/short_names.hpp"
#include "summary/code_kinds.hpp"
#include "summary/entries.hpp"
#include "text/characters.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"
#include <callcost/lines.hpp>

namespace callcost::engine {
namespace {

// Shares of the total. docs/summary.md explains each.
constexpr double worth_saying = 0.05;
constexpr double stands_out = 0.1;
constexpr double much_unknown = 0.1;
constexpr double much_of_object = 0.1;
constexpr double too_much = 1.01;  // for an inclusive cost
constexpr std::size_t max_named = 3;

constexpr std::string_view unknown_name = "???";

class Sentence {
  public:
    Sentence& text(std::string_view words) { return add(SummaryPiece::Kind::text, words); }
    Sentence& function(const CallGraph& graph, NodeId node) { return function(graph.name(node), node); }
    Sentence& function(std::string_view name, NodeId node) {
        add(SummaryPiece::Kind::function, name);
        pieces_.back().function = node;
        return *this;
    }
    Sentence& cost(Cost cost) {
        add(SummaryPiece::Kind::cost, {});
        pieces_.back().cost = cost;
        return *this;
    }
    Sentence& cycle(CycleId cycle) {
        add(SummaryPiece::Kind::cycle, "cycle " + std::to_string(cycle.value + 1));
        pieces_.back().cycle = cycle;
        return *this;
    }
    Sentence& line(const Profile& profile, const HotLine& line) {
        const auto path = profile.name(line.file);
        add(SummaryPiece::Kind::line, std::string(base_name(path)) + ":" + std::to_string(line.line));
        SummaryPiece& piece = pieces_.back();
        piece.function = line.function;
        piece.file = line.file;
        piece.line = line.line;
        return *this;
    }
    SummarySentence done() { return std::move(pieces_); }

  private:
    Sentence& add(SummaryPiece::Kind kind, std::string_view text) {
        if (kind != SummaryPiece::Kind::text || pieces_.empty() || pieces_.back().kind != kind)
            pieces_.emplace_back().kind = kind;
        pieces_.back().text += text;
        return *this;
    }

    SummarySentence pieces_;
};

std::string number_of_functions(std::size_t number) {
    return std::to_string(number) + (number == 1 ? " function" : " functions");
}

/// A cost with what it was spent for.
struct Item {
    Cost cost;
    NodeId function;
};

class Summary {
  public:
    Summary(const CallGraph& graph, const Measure& measure)
        : graph_(graph), measure_(measure), base_(percentage_base(graph, measure)) {}

    std::vector<SummarySentence> write(bool has_lines) {
        if (!measure_.additive || base_ <= 0 || graph_.size() == 0) return {};
        self_.reserve(graph_.size());
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            self_.push_back(graph_.self(NodeId(row), measure_));
            if (self_.back() < 0) return {};
        }
        entries_.emplace(graph_, measure_);
        say_what_is_outside();
        if (has_inclusive(graph_, measure_)) say_where_cost_enters();
        say_what_costs_most();
        if (has_lines) say_hottest_line();
        say_whose_code_it_is();
        say_what_is_missing();
        return std::move(sentences_);
    }

  private:
    [[nodiscard]] Cost self(NodeId node) const { return self_[node.value]; }
    [[nodiscard]] Cost inclusive(NodeId node) const { return graph_.inclusive(node, measure_); }
    [[nodiscard]] bool is_at_least(Cost cost, double share) const {
        return static_cast<double>(cost) >= share * static_cast<double>(base_);
    }
    [[nodiscard]] bool comes_before(const Item& a, const Item& b) const {
        return a.cost != b.cost ? a.cost > b.cost
                                : names_of(graph_, a.function) < names_of(graph_, b.function);
    }
    /// The most expensive ones that are worth it.
    [[nodiscard]] std::vector<Item> largest(std::vector<Item> items, double least) const {
        std::erase_if(items, [&](const Item& item) { return !is_at_least(item.cost, least); });
        std::sort(items.begin(), items.end(),
                  [&](const Item& a, const Item& b) { return comes_before(a, b); });
        if (items.size() > max_named) items.resize(max_named);
        return items;
    }

    /// Named apart, so that the rest is not hidden by it.
    void say_what_is_outside() {
        std::vector<Item> items;
        for (std::size_t row = 0; row < graph_.size(); ++row)
            if (is_outside(graph_.name(NodeId(row)))) {
                items.push_back({self_[row], NodeId(row)});
                outside_ += self_[row];
            }
        const auto most = largest(std::move(items), worth_saying);
        if (most.empty()) return;
        names_outside_ = true;
        Sentence sentence;
        list(sentence.text("Outside of functions: "), most);
        sentences_.push_back(sentence.done());
    }
    void list(Sentence& sentence, const std::vector<Item>& items) const {
        for (std::size_t i = 0; i < items.size(); ++i)
            sentence.text(i > 0 ? ", " : "")
                .function(graph_, items[i].function)
                .text(" ")
                .cost(items[i].cost);
        sentence.text(".");
    }

    // --- where cost enters --------------------------------------------------------------------------------

    void say_where_cost_enters() {
        const ProgramEntry first = entries_->first, main = entries_->main;
        const Cost in_threads = entries_->cost_of_threads;
        const Cost in_first = first.function.valid() ? inclusive(first.function) : Cost(0);
        if (in_threads >= in_first) say_what_threads_do(in_threads, entries_->threads);
        if (first.function.valid()) say_what_entry_does(first);
        if (main.function.valid() && main.function != first.function &&
            is_at_least(inclusive(main.function), worth_saying))
            say_what_entry_does(main);
        if (in_threads < in_first) say_what_threads_do(in_threads, entries_->threads);
    }
    void say_what_threads_do(Cost cost, const std::vector<Root>& threads) {
        if (!is_at_least(cost, worth_saying)) return;
        Sentence sentence;
        sentence.text("Threads cost ").cost(cost);
        if (threads.empty()) {
            sentence.text(".");
        } else if (static_cast<double>(threads.front().weight) >= nearly_all * static_cast<double>(cost)) {
            const NodeId begin = threads.front().node;
            say_where(sentence, begin, entries_->function_of_thread(begin));
        } else {
            std::vector<Item> parts;
            for (const Root& root : threads) {
                const NodeId end = entries_->function_of_thread(root.node);
                const bool is_known = std::any_of(parts.begin(), parts.end(),
                                                  [&](const Item& part) { return part.function == end; });
                if (!is_known) parts.push_back({inclusive(end), end});
            }
            say_parts(sentence, ": ", largest(std::move(parts), worth_saying), NodeId());
        }
        sentences_.push_back(sentence.done());
    }
    void say_what_entry_does(const ProgramEntry& entry) {
        const NodeId begin = entry.function;
        if (inclusive(begin) <= 0) return;
        Sentence sentence;
        const CycleId cycle = graph_.cycle(begin);
        if (is_at_least(cycle.valid() ? graph_.inclusive(cycle, measure_) : inclusive(begin), too_much)) {
            sentence.text("Inclusive costs are above the total in this profile, so they say little.");
        } else {
            sentence.function(entries_->plain_name(begin), begin);
            if (entry.is_unnamed_main) sentence.text(" (looks like main)");
            if (cycle.valid()) {
                sentence.text(" is in ");
                say_what_cycle_does(sentence, cycle);
            } else if (is_at_least(inclusive(begin), worth_saying)) {
                sentence.text(" costs ").cost(inclusive(begin));
                say_where(sentence, begin, entries_->chain(begin).back());
            } else {
                sentence.text(" costs only ").cost(inclusive(begin)).text(".");
            }
        }
        sentences_.push_back(sentence.done());
    }
    /// What is behind the cost of a function.
    void say_where(Sentence& sentence, NodeId begin, NodeId end) {
        const CycleId cycle = graph_.cycle(end);
        const bool is_all = !cycle.valid() && entries_->look_alike(self(end), inclusive(begin));
        const bool is_named = end != begin && !entries_->is_thread_start(end);
        if (is_named)
            sentence.text(is_all ? ", all of it in " : ", nearly all of it in ").function(graph_, end);
        if (cycle.valid()) return say_what_cycle_does(sentence.text(", which is in "), cycle);

        const bool is_by_itself =
            static_cast<double>(self(end)) >= nearly_all * static_cast<double>(inclusive(end));
        if (is_all) {
            sentence.text(is_named ? " itself." : ", all of it in its own code.");
        } else if (is_by_itself && !is_named) {
            sentence.text(", nearly all of it in its own code (").cost(self(end)).text(").");
        } else if (is_by_itself) {
            sentence.text(" itself (").cost(self(end)).text(").");
        } else {
            if (is_named && !entries_->look_alike(inclusive(end), inclusive(begin)))
                sentence.text(" (").cost(inclusive(end)).text(")");
            auto all = in_function(end);
            const auto outside = std::erase_if(all, [&](const Item& part) {
                return is_outside(graph_.name(part.function)) && is_at_least(part.cost, worth_saying);
            });
            const auto parts = largest(std::move(all), worth_saying);
            if (parts.empty() && outside == 0) sentence.text(", spread over many callees");
            say_parts(sentence, ": ", parts, end);
        }
    }
    void say_what_cycle_does(Sentence& sentence, CycleId cycle) const {
        sentence.cycle(cycle);
        sentence.text(": " + number_of_functions(graph_.members(cycle).size()) + " that call each other, ")
            .cost(graph_.inclusive(cycle, measure_));
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
            sentence.text(" ").cost(parts[i].cost);
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
        std::vector<Item> parts;
        for (const NodeId member : graph_.members(cycle)) {
            parts.push_back({self(member), member});
            for (const ArcId arc : graph_.callees(member))
                if (graph_.cycle(graph_.callee(arc)) != cycle)
                    parts.push_back({graph_.cost(arc, measure_), graph_.callee(arc)});
        }
        std::sort(parts.begin(), parts.end(),
                  [](const Item& a, const Item& b) { return a.function < b.function; });
        std::vector<Item> sums;
        for (const Item& part : parts) {
            if (sums.empty() || sums.back().function != part.function)
                sums.push_back(part);
            else
                sums.back().cost += part.cost;
        }
        return sums;
    }

    // --- the functions by themselves ----------------------------------------------------------------------

    void say_what_costs_most() {
        std::vector<Item> outstanding;
        Item first{0, NodeId(0U)};
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            const Item item{self_[row], NodeId(row)};
            if (is_outside(graph_.name(item.function))) continue;
            if (is_at_least(item.cost, stands_out)) outstanding.push_back(item);
            if (item.cost >= first.cost && comes_before(item, first)) first = item;
        }
        Sentence sentence;
        if (const auto most = largest(std::move(outstanding), stands_out); !most.empty()) {
            sentence.text(most.size() > 1 ? "Most expensive by themselves: " : "Most expensive by itself: ");
            list(sentence, most);
        } else if (first.cost > 0) {
            sentence.text("No function stands out by itself: the most expensive one, ")
                .function(graph_, first.function)
                .text(", has ")
                .cost(first.cost)
                .text(names_outside_ ? "; half of the rest is in " : "; half of the cost is in ")
                .text(number_of_functions(functions_for_half()) + ".");
        } else {
            return;
        }
        sentences_.push_back(sentence.done());
    }
    /// If it stands out; only lines of known files.
    void say_hottest_line() {
        LinesOptions options;
        options.measures = {measure_};
        options.limit = 1;
        const auto lines = lines_by_cost(graph_, options);
        if (!lines || lines->rows.empty()) return;
        const HotLine& most = lines->rows.front();
        if (most.line == 0 || graph_.profile().name(most.file) == unknown_name ||
            !is_at_least(most.self.front(), worth_saying))
            return;
        sentences_.push_back(Sentence()
                                 .text("The most expensive line is ")
                                 .line(graph_.profile(), most)
                                 .text(" with ")
                                 .cost(most.self.front())
                                 .text(".")
                                 .done());
    }
    /// How many of the most expensive functions make up half of the total, or of what is not named apart.
    [[nodiscard]] std::size_t functions_for_half() const {
        std::vector<Cost> costs;
        for (std::size_t row = 0; row < self_.size(); ++row)
            if (!is_outside(graph_.name(NodeId(row)))) costs.push_back(self_[row]);
        std::make_heap(costs.begin(), costs.end());
        const double half = static_cast<double>(names_outside_ ? base_ - outside_ : base_) / 2;
        Cost sum = 0;
        std::size_t functions = 0;
        while (!costs.empty() && static_cast<double>(sum) < half) {
            std::pop_heap(costs.begin(), costs.end());
            sum += costs.back();
            costs.pop_back();
            ++functions;
        }
        return functions;
    }

    // --- own code and that of others ----------------------------------------------------------------------

    [[nodiscard]] static std::string_view file_name(std::string_view path) { return base_name(path); }
    /// The object that the command names; empty if it is not known.
    [[nodiscard]] std::string_view program() const {
        auto command = first_text(selected_part_facts(graph_), &Part::command);
        command = command.substr(0, command.find(' '));
        return file_name(command);
    }
    using Shares = std::vector<std::pair<Cost, std::string>>;
    /// Other objects than the program's, by the cost of code in them of which the kind is not known; the most
    /// expensive ones.
    [[nodiscard]] Shares libraries(const std::map<std::string_view, Cost>& by_name) const {
        constexpr std::size_t longest_name = 60;
        Shares most;
        for (const auto& [name, cost] : by_name)
            if (is_at_least(cost, much_of_object) && name.size() <= longest_name)
                most.emplace_back(cost, name);
        std::stable_sort(most.begin(), most.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        if (most.size() > max_named) most.resize(max_named);
        return most;
    }
    void say_whose_code_it_is() {
        const auto program = this->program();
        std::array<Cost, code_kinds> by_kind{};
        std::map<std::string_view, Cost> by_object;
        Cost own = 0;
        struct Object {
            CodeKind kind;
            bool is_program;
            Cost* other;  // where the cost of its other code is added up; null: nowhere
        };
        std::vector<std::optional<Object>> objects(graph_.profile().object_count());
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            const NodeId node(row);
            if (self(node) == 0) continue;
            auto& object = objects[graph_.profile().object(graph_.function(node)).value];
            if (!object) {
                const auto name = graph_.object(node);
                const bool is_program = !program.empty() && file_name(name) == program;
                const bool is_named = name != unknown_name && !file_name(name).empty();
                object = {kind_of_object(name), is_program,
                          is_program || !is_named ? nullptr : &by_object[file_name(name)]};
            }
            const auto kind = kind_of_function(graph_.name(node), object->kind);
            if (kind == CodeKind::unknown && object->is_program) own += self(node);
            if (kind == CodeKind::unknown && object->other != nullptr) *object->other += self(node);
            by_kind.at(static_cast<std::size_t>(kind)) += self(node);
        }
        // Where nothing else tells what objects are, they may be processes.
        const bool any_known =
            own > 0 || std::any_of(by_kind.begin() + 1, by_kind.end(), [](Cost cost) { return cost > 0; });
        auto others = any_known ? libraries(by_object) : Shares();
        for (std::size_t kind = 1; kind < code_kinds; ++kind)
            if (is_at_least(by_kind.at(kind), worth_saying))
                others.emplace_back(by_kind.at(kind), to_string(static_cast<CodeKind>(kind)));
        if (others.empty()) return;
        std::stable_sort(others.begin(), others.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        Sentence sentence;
        for (std::size_t i = 0; i < others.size(); ++i)
            sentence.text(i == 0 ? "Spent in " : ", ").text(others[i].second + " ").cost(others[i].first);
        if (!entries_->look_alike(own, 0))
            sentence.text("; in " + std::string(program) + " itself ").cost(own);
        sentences_.push_back(sentence.text(".").done());
    }

    // --- what the profile lacks ---------------------------------------------------------------------------

    /// By object. Debug information that is apart names files of inlined code and of lines only; of each
    /// object a limited number of records is looked at, as a program without any may have hundreds of
    /// millions.
    static std::vector<bool> objects_with_files(const Profile& profile) {
        constexpr FileId unknown_file(0U);
        constexpr unsigned max_records = 5'000;
        std::vector<bool> has_files(profile.object_count());
        for (std::size_t row = 0; row < profile.function_count(); ++row) {
            const FunctionId function(row);
            if (profile.file(function) != unknown_file) has_files[profile.object(function).value] = true;
        }
        if (profile.detail() != Detail::full) return has_files;
        std::vector<unsigned> looked_at(profile.object_count());
        for (std::size_t row = 0; row < profile.function_count(); ++row) {
            const FunctionId function(row);
            const auto object = profile.object(function).value;
            auto cursor = profile.records(function);
            for (Record record; !has_files[object] && looked_at[object] < max_records && cursor.next(record);
                 ++looked_at[object])
                has_files[object] = record.file != unknown_file;
        }
        return has_files;
    }

    void say_what_is_missing() {
        Cost without_name = 0, without_file = 0, most_lost = 0;
        NodeId loser;
        const Profile& profile = graph_.profile();
        // An object with one source file was compiled with debug information; what has none in it is
        // something else.
        const auto has_files = objects_with_files(profile);
        const std::vector<Cost> lost = unrecorded_callees(graph_, measure_);
        for (std::size_t row = 0; row < graph_.size(); ++row) {
            const NodeId node(row);
            if (lost[row] > most_lost) {
                most_lost = lost[row];
                loser = node;
            }
            if (self(node) == 0) continue;
            if (is_address(graph_.name(node)))
                without_name += self(node);
            else if (!has_files[profile.object(graph_.function(node)).value])
                without_file += self(node);
        }
        const auto parts = selected_part_facts(graph_);
        const bool is_compiled = std::all_of(parts.begin(), parts.end(), [](const Part* part) {
            return part->dialect == Dialect::callgrind || part->dialect == Dialect::cachegrind;
        });
        Sentence sentence;
        bool is_empty = true;
        const auto next = [&]() -> Sentence& {
            return std::exchange(is_empty, false) ? sentence : sentence.text(" ");
        };
        if (is_at_least(without_name, much_unknown))
            next()
                .cost(without_name)
                .text(" is in functions without names: their symbols are not installed or were stripped.");
        if (is_compiled && is_at_least(without_file, much_unknown))
            next()
                .cost(without_file)
                .text(" is in code without debug information: compile it with -g for source lines.");
        if (is_at_least(most_lost, much_unknown))
            next()
                .text("Callees of ")
                .function(graph_, loser)
                .text(" that cost ")
                .cost(most_lost)
                .text(" were not recorded.");
        if (!is_empty) sentences_.push_back(sentence.done());
    }
    const CallGraph& graph_;
    const Measure& measure_;
    Cost base_;
    std::vector<Cost> self_;  // by node
    Cost outside_ = 0;        // of functions
    bool names_outside_ = false;
    std::optional<Entries> entries_;
    std::vector<SummarySentence> sentences_;
};

/// The text of each piece as it may be shown.
std::vector<std::vector<std::string>> texts_of(const std::vector<SummarySentence>& summary,
                                               const Style& style, const Measuring& measuring) {
    constexpr std::size_t longest_name = 60;
    std::deque<std::string> names;
    std::vector<NameToShorten> rooms;
    for (const auto& sentence : summary)
        for (const auto& piece : sentence)
            if (piece.kind == SummaryPiece::Kind::function)
                rooms.push_back({names.emplace_back(measuring.text(piece.text)), longest_name});
    auto shorts = short_names(rooms, style, measuring);
    auto name = shorts.begin();
    std::vector<std::vector<std::string>> texts;
    for (const auto& sentence : summary) {
        auto& pieces = texts.emplace_back();
        for (const auto& piece : sentence)
            pieces.push_back(piece.kind == SummaryPiece::Kind::function ? std::move(*name++)
                                                                        : measuring.text(piece.text));
    }
    return texts;
}

}  // namespace

std::vector<SummarySentence> summarize(const CallGraph& graph, const Measure& measure, bool has_lines) {
    return Summary(graph, measure).write(has_lines);
}

std::vector<std::vector<std::string>> page_texts(const std::vector<SummarySentence>& summary) {
    return texts_of(summary, {.unicode = true}, by_characters());
}

std::string to_text(const std::vector<SummarySentence>& summary, Cost base, const Style& style) {
    const auto texts = texts_of(summary, style, by_columns());
    std::string text;
    for (std::size_t i = 0; i < summary.size(); ++i) {
        std::string sentence;
        for (std::size_t k = 0; k < summary[i].size(); ++k)
            sentence += summary[i][k].kind == SummaryPiece::Kind::cost ? percent(summary[i][k].cost, base)
                                                                       : texts[i][k];
        text += wrapped(sentence, 0, style, 0) + '\n';
    }
    return text;
}

}  // namespace callcost::engine
