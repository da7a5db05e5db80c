/// Paths of calls as a tree, of one profile or of two that are compared: for pictures as a whole, for a table
/// as far as its rows are unfolded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "query/view.hpp"
#include <callcost/tree.hpp>

namespace callcost::engine {

/// Rounded, as the page has it.
[[nodiscard]] Cost whole_cost(double cost);

/// A path, which ends in a frame of the new profile, of the old one, or of both.
struct CallPath {
    std::uint32_t after = Frame::none, before = Frame::none;
    std::uint32_t parent = Frame::none;  ///< row of the path without its last function
    /// There may be such a frame, but the tree has omitted what is this light.
    bool is_after_unknown = false, is_before_unknown = false;
    std::uint32_t end = 0;  ///< row behind the last path that begins with this one
};

struct CallPaths {
    Tree after;
    std::optional<Tree> before;  ///< with `compare`
    std::vector<CallPath> rows;  ///< in preorder

    [[nodiscard]] bool is_estimated() const { return !after.exact || (before && !before->exact); }
    /// That of the new profile, if it has one.
    [[nodiscard]] const Frame& frame(std::uint32_t row) const;
    [[nodiscard]] FunctionAt function(std::uint32_t row) const {
        return {frame(row).node, rows[row].after == Frame::none};
    }
    [[nodiscard]] bool is_function(std::uint32_t row) const { return frame(row).kind == FrameKind::function; }
    /// Those one call longer, the most expensive first; Frame::none: the first functions of all paths.
    [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t row) const;
};

struct PathOptions {
    TreeOptions tree{};    ///< measure and root are those of the query
    double min_share = 0;  ///< of the total: lighter paths are not expanded
    std::optional<FunctionAt> root{};
};
[[nodiscard]] CallPaths call_paths(const View& view, const PathOptions& options);

/// A path by its functions, from where the tree begins.
using FunctionPath = std::vector<FunctionAt>;

/// What a path leads on to: complete, or as far as filters let it be known.
struct PathStep {
    FunctionPath path;
    std::shared_ptr<const CallPaths> tree;
    std::uint32_t row = Frame::none;  ///< of the path in that tree
};

/// The same tree as that of call_paths, unfolded where it is asked for, however deep and however light.
class UnfoldedPaths {
  public:
    /// Trees are kept in `recent` under the key, which must tell queries apart. View and `recent` must
    /// outlive this.
    UnfoldedPaths(const View& view, PathOptions options, Recent<CallPaths>& recent, std::string key);

    [[nodiscard]] const CallPaths& tree() const { return *tree_; }  ///< of the heaviest paths
    /// In the order of the paths; those that there are not are left out.
    [[nodiscard]] std::vector<PathStep> unfold(std::span<const FunctionPath> paths) const;
    /// The path, and on to the most expensive function each time, until more is spent in the last one itself,
    /// or the next has less than this share of the whole tree; at most 100.
    [[nodiscard]] std::vector<FunctionPath> hottest(const FunctionPath& from, double min_share) const;
    /// All that lead to the most expensive of the paths that end in one of these functions, none of them
    /// below another.
    [[nodiscard]] std::vector<FunctionPath> leading_to(const std::function<bool(FunctionAt)>& is_wanted,
                                                       std::size_t most) const;

  private:
    [[nodiscard]] bool is_same(FunctionAt a, FunctionAt b) const;
    [[nodiscard]] std::optional<std::uint32_t> find(const CallPaths& tree, const FunctionPath& path) const;
    [[nodiscard]] bool can_unfold() const;
    /// The tree of these paths, and of so many frames of the heaviest ones beyond them.
    [[nodiscard]] std::shared_ptr<const CallPaths> along(std::span<const FunctionPath> paths,
                                                         std::size_t beyond) const;

    const View& view_;
    PathOptions options_;
    Recent<CallPaths>& recent_;
    std::string key_;
    std::shared_ptr<const CallPaths> tree_;
};

/// How many calls of its last function a path stands for, in the new profile.
struct PathCalls {
    double count = 0;
    bool is_estimated = false;  ///< shared out among paths by cost, or some are not counted
};
/// Of these paths, which are all below the same one; nothing where no calls are counted.
[[nodiscard]] std::vector<std::optional<PathCalls>> calls_of(const View& view, const CallPaths& tree,
                                                             std::span<const std::uint32_t> rows);

}  // namespace callcost::engine
