#include "summary/entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "summary/code_kinds.hpp"
#include "text/names.hpp"
#include "text/numbers.hpp"
#include "text/profile_facts.hpp"

namespace callcost::engine {
namespace {

constexpr std::string_view below_main = "(below main)";

/// The first character tells for nearly all functions.
bool begins_with(std::string_view name, std::string_view beginning) {
    return !name.empty() && name.front() == beginning.front() && name.starts_with(beginning);
}

}  // namespace

bool is_address(std::string_view name) {
    constexpr std::string_view beginning = "0x";
    return begins_with(name, beginning) && name.size() > beginning.size() &&
           name.find_first_not_of("0123456789abcdefABCDEF", beginning.size()) == std::string_view::npos;
}

bool is_outside(std::string_view name) {
    return begins_with(name, "(") &&
           (name == "(idle)" || name == "(garbage collector)" || name == "(program)");
}

Entries::Entries(const CallGraph& graph, const Measure& measure)
    : graph_(graph), measure_(measure), base_(percentage_base(graph, measure)) {
    if (graph.arc_count() == 0) return;  // cost enters nowhere in particular
    for (const Root& root : roots(graph, measure)) {
        if (is_outside(graph.name(root.node))) continue;
        (is_thread_start(root.node) ? threads : others_).push_back(root);
    }
    for (const Root& root : threads) cost_of_threads += root.weight;
    if (threads.empty()) cost_of_threads = cost_of_thread_parts();
    first = main = main_entry();
    if (others_.empty()) return;
    const Root& most = others_.front();
    const bool is_main = main.function.valid() &&
                         (root_of(main.function) == most.node || inclusive(main.function) >= most.weight);
    if (!is_main) first = {named(most.node)};
}

/// Without contexts, which take a pass over all names to know, and are marked by a quote.
std::string_view Entries::plain_name(NodeId node) {
    const auto name = graph_.name(node);
    if (name.find('\'') == std::string_view::npos) return name;
    if (!contexts_) contexts_.emplace(graph_.profile());
    return contexts_->split(graph_.function(node)).name;
}

/// What runs before a program's main: the loader, the C library's start, the Go runtime's.
bool Entries::is_startup(NodeId node) {
    constexpr std::array<std::string_view, 6> names = {below_main,  "_start",       "start",
                                                       "_dl_start", "runtime.main", "runtime.goexit"};
    const auto name = plain_name(node);
    return is_address(name) || name.starts_with("__libc_start_") ||
           kind_of_object(graph_.object(node)) == CodeKind::dynamic_linking ||
           std::find(names.begin(), names.end(), name) != names.end();
}

/// Of the C libraries of Linux, macOS and Android, and what libstdc++ calls first.
bool Entries::is_thread_start(NodeId node) {
    constexpr std::array<std::string_view, 9> names = {
        "clone",          "clone3",          "__clone",
        "__clone3",       "start_thread",    "thread_start",
        "_pthread_start", "__pthread_start", "execute_native_thread_routine"};
    const auto name = plain_name(node);
    return std::find(names.begin(), names.end(), name.substr(0, name.find('@'))) != names.end();
}

/// A function that is one by its name is one if only startup code, or what passes nearly all of its cost
/// on to it, is between it and a root: there are coroutines that are called main, too.
ProgramEntry Entries::main_entry() {
    constexpr std::array<std::string_view, 4> names = {"main", "{main}", "main.main", "<module>"};
    std::array<NodeId, names.size()> mains;  // by name, the one that costs most
    std::vector<NodeId> below_mains;
    for (std::size_t row = 0; row < graph_.size(); ++row) {
        const NodeId node(row);
        const auto name = graph_.name(node);
        if (begins_with(name, below_main)) below_mains.push_back(node);
        for (std::size_t i = 0; i < names.size(); ++i) {
            // Contexts are at the end, so the beginning is enough for nearly all functions.
            if (!begins_with(name, names.at(i)) || plain_name(node) != names.at(i)) continue;
            if (!mains.at(i).valid() || inclusive(node) > inclusive(mains.at(i))) mains.at(i) = node;
        }
    }
    for (const NodeId candidate : mains)
        if (candidate.valid() && inclusive(candidate) > 0 && root_of(candidate).valid()) return {candidate};
    return {called_by(below_mains), true};
}

/// The root that leads to a function through what only starts it or passes on nearly all of its cost;
/// none if others call it.
NodeId Entries::root_of(NodeId function) {
    std::vector<NodeId> seen;
    for (NodeId at = function; std::find(seen.begin(), seen.end(), at) == seen.end();) {
        seen.push_back(at);
        if (std::any_of(others_.begin(), others_.end(), [&](const Root& root) {
                return root.node == at &&
                       2.0 * static_cast<double>(root.weight) >= static_cast<double>(inclusive(at));
            }))
            return at;
        NodeId caller;
        Cost most = 0;
        for (const ArcId arc : graph_.callers(at)) {
            const Cost cost = graph_.cost(arc, measure_);
            if (graph_.recursive(arc) || cost <= most) continue;
            most = cost;
            caller = graph_.caller(arc);
        }
        if (!caller.valid()) return {};
        const bool passes_on =
            static_cast<double>(most) >= nearly_all * static_cast<double>(inclusive(caller));
        if (!passes_on && !is_startup(caller)) return {};
        at = caller;
    }
    return {};
}

/// What a root is there for: the first function with a name that it leads to.
NodeId Entries::named(NodeId root) {
    const auto chain = this->chain(root);
    const auto found =
        std::find_if(chain.begin(), chain.end(), [&](NodeId node) { return !is_address(plain_name(node)); });
    return found != chain.end() ? *found : chain.front();
}

/// What Callgrind's `(below main)` in the C library calls besides exit(): a main of which the symbol was
/// stripped.
NodeId Entries::called_by(const std::vector<NodeId>& below_mains) {
    NodeId found;
    Cost most = 0;
    for (const NodeId node : below_mains) {
        if (plain_name(node) != below_main || kind_of_object(graph_.object(node)) != CodeKind::c_library)
            continue;
        for (const ArcId arc : graph_.callees(node)) {
            const Cost cost = graph_.cost(arc, measure_);
            if (cost <= most || !is_address(plain_name(graph_.callee(arc)))) continue;
            found = graph_.callee(arc);
            most = cost;
        }
    }
    return found;
}

/// From a function to the one that it, or what it calls, only passes calls on to.
std::vector<NodeId> Entries::chain(NodeId begin) const {
    std::vector<bool> seen(graph_.size());
    seen[begin.value] = true;
    std::vector<NodeId> chain = {begin};
    NodeId at = begin;
    while (!graph_.cycle(at).valid()) {
        NodeId next;
        const auto share = nearly_all * static_cast<double>(inclusive(at));  // takes time for every call
        for (const ArcId arc : graph_.callees(at)) {
            if (!graph_.recursive(arc) && static_cast<double>(graph_.cost(arc, measure_)) >= share)
                next = graph_.callee(arc);
        }
        if (!next.valid() || seen[next.value] || is_outside(graph_.name(next))) break;
        // Others call it, too: what it costs is not what was spent for this one.
        if (inclusive(next) > inclusive(at) && !look_alike(inclusive(next), inclusive(at))) break;
        seen[next.value] = true;
        at = next;
        chain.push_back(at);
    }
    return chain;
}

NodeId Entries::function_of_thread(NodeId start) {
    const auto chain = this->chain(start);
    const auto own = std::find_if(chain.begin(), chain.end(), [&](NodeId node) {
        return kind_of_object(graph_.object(node)) == CodeKind::unknown && !is_thread_start(node) &&
               !plain_name(node).starts_with("std::");
    });
    return own != chain.end() ? *own : chain.back();
}

/// Whether they are the same percentage.
bool Entries::look_alike(Cost a, Cost b) const {
    const auto rounded = [&](Cost cost) {
        constexpr double hundredths = 10'000;
        return std::llround(static_cast<double>(cost) / static_cast<double>(base_) * hundredths);
    };
    return rounded(a) == rounded(b);
}

/// What parts of other threads than the first one cost, if the first one is there, too.
Cost Entries::cost_of_thread_parts() const {
    Cost cost = 0;
    bool has_first = false;
    for (const Part* part : selected_part_facts(graph_)) {
        const bool is_first = part->thread.number.value_or(1) == 1;
        has_first = has_first || is_first;
        if (is_first) continue;
        for (const auto& [event, factor] : measure_.terms) cost += part->self[event] * factor;
    }
    return has_first ? cost : Cost(0);
}

}  // namespace callcost::engine
