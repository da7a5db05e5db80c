/// Calls of a graph by caller and by callee, and its strongly connected components. For imported_graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tables/row_tables.hpp"

namespace callcost::engine {

/// Functions and calls are rows; a call's key has those of caller and callee.
class GraphLinks {
  public:
    GraphLinks(std::size_t functions, const KeyRows& calls);

    [[nodiscard]] std::size_t functions() const { return out_begins_.size() - 1; }
    [[nodiscard]] std::uint32_t caller(std::uint32_t call) const { return first_of((*calls_)[call]); }
    [[nodiscard]] std::uint32_t callee(std::uint32_t call) const { return second_of((*calls_)[call]); }
    [[nodiscard]] std::span<const std::uint32_t> out(std::uint32_t f) const {
        return std::span(out_).subspan(out_begins_[f], out_begins_[f + 1] - out_begins_[f]);
    }
    [[nodiscard]] std::span<const std::uint32_t> in(std::uint32_t f) const {
        return std::span(in_).subspan(in_begins_[f], in_begins_[f + 1] - in_begins_[f]);
    }

  private:
    const KeyRows* calls_;
    std::vector<std::uint32_t> out_, in_, out_begins_, in_begins_;
};

/// Callees before their callers.
class GraphComponents {
  public:
    explicit GraphComponents(const GraphLinks& links);

    [[nodiscard]] std::size_t size() const { return begins_.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> members(std::size_t component) const {
        return std::span(members_).subspan(begins_[component], begins_[component + 1] - begins_[component]);
    }
    /// Whether caller and callee are in one.
    [[nodiscard]] bool are_one(std::uint32_t call) const {
        return of_[links_->caller(call)] == of_[links_->callee(call)];
    }
    [[nodiscard]] std::uint32_t of(std::uint32_t function) const { return of_[function]; }
    /// How many members the component of a function has.
    [[nodiscard]] std::size_t of_size(std::uint32_t function) const { return members(of_[function]).size(); }

    struct Step {
        std::uint32_t function = 0;
        std::uint32_t call = no_row;  ///< from, or to, a function that stands before it
    };
    /// Ways from the first member to all others of its component, and from these to it.
    struct Trees {
        std::vector<Step> from_root, to_root;
    };
    [[nodiscard]] Trees trees(std::span<const std::uint32_t> members);

  private:
    [[nodiscard]] std::vector<Step> tree(std::uint32_t root, bool forwards);

    const GraphLinks* links_;
    std::vector<std::uint32_t> members_, begins_, of_;
    std::vector<std::uint32_t> seen_;  // by function: the last tree
    std::uint32_t trees_ = 0;
};

}  // namespace callcost::engine
