/// What formats of stacks have in common: a profile holds no stacks, so all of them get those of the
/// estimated tree (callcost/tree.hpp), and say so.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <callcost/tree.hpp>

namespace callcost::convert {

struct StackOptions {
    /// What to measure by, the one to be shown first being the first; those that do not add up (F78) are left
    /// out, and so are those behind the first `most_measures`. Empty: default_measure().
    std::vector<Measure> measures{};
    /// How the call graph is unrolled; its `measure` does not count. The limits are for programs that load
    /// all of a file: the text of a stack is as long as the stack is deep.
    TreeOptions tree = usual_tree();
    std::string name{};  ///< of the profile, such as the name of its file; may hold any bytes

    static constexpr std::size_t most_measures = 32;
    [[nodiscard]] static TreeOptions usual_tree() {
        TreeOptions options;
        options.most_frames = 50'000;
        options.most_levels = 256;
        return options;
    }
};

/// The measures that count.
[[nodiscard]] std::vector<Measure> measures_of(const CallGraph& graph, const StackOptions& options);

/// The self cost of every frame as a whole number, 0 for what is unbalanced: that is in no self cost, and
/// percentages would be wrong. They add up to exactly the whole number that the rest of Tree::inclusive is,
/// the total where everything is expanded: each is rounded down, and what is left goes to the largest
/// fractions.
[[nodiscard]] std::vector<std::int64_t> whole_self_costs(const Tree& tree);

/// How much of that is certain: `92.1%`, never rounded up.
[[nodiscard]] std::string certainty_text(const Tree& tree);

/// The functions that frames are about, each once: contexts of a function (F72) are one.
class FunctionTable {
  public:
    explicit FunctionTable(const CallGraph& graph)
        : graph_(graph), contexts_(graph.profile()), by_node_(graph.size(), unknown) {}

    struct Function {
        std::string_view name;          ///< or "(not expanded)", "(unbalanced)"
        std::string_view file, object;  ///< empty: not known
    };
    [[nodiscard]] std::uint32_t row_of(const Frame& frame);
    [[nodiscard]] const std::vector<Function>& rows() const { return rows_; }

  private:
    [[nodiscard]] std::uint32_t row_of(const Function& function);

    static constexpr std::uint32_t unknown = 0xffffffffU;

    const CallGraph& graph_;
    ContextNames contexts_;
    std::vector<Function> rows_;
    std::vector<std::uint32_t> by_node_;
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::uint32_t> known_;
};

}  // namespace callcost::convert
