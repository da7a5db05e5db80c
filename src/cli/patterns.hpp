/// Patterns that functions are named by on the command line: a piece of a name, or a regular expression
/// between slashes; and substitutions that give them other names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>

namespace re2 {
class RE2;
}

namespace callcost::cli {

/// Which name of a function it is about.
enum class Scope : std::uint8_t { function, file, object, any };

/// Why a text is no pattern.
struct BadPattern {
    std::string message;
};

/// Cheap to copy.
class Pattern {
  public:
    /// `text`, `/expression/` (RE2's, which takes linear time whatever the names are), each with `function:`,
    /// `file:` or `object:` before it if it is about that name; `usual` if not.
    [[nodiscard]] static tl::expected<Pattern, BadPattern> parse(std::string_view text, Scope usual);

    [[nodiscard]] bool matches(const CallGraph& graph, NodeId node) const;

  private:
    [[nodiscard]] bool matches(std::string_view name) const;

    Scope scope_ = Scope::any;
    std::string piece_;
    std::shared_ptr<const re2::RE2> expression_;  // none: piece_
};

using Patterns = std::vector<Pattern>;
[[nodiscard]] bool any_matches(const Patterns& patterns, const CallGraph& graph, NodeId node);

/// `s/OLD/NEW/`: how names are rewritten, as in Valgrind's cg_diff. Cheap to copy.
class Substitution {
  public:
    /// Any character may stand for the slashes. OLD is a regular expression (RE2), NEW may refer to its
    /// groups as `\1` or `$1`; behind them `g` (all matches) and `i` (both cases).
    [[nodiscard]] static tl::expected<Substitution, BadPattern> parse(std::string_view text);

    [[nodiscard]] std::string apply(std::string_view name) const;

  private:
    std::shared_ptr<const re2::RE2> expression_;
    std::string replacement_;
    bool everywhere_ = false;
};

}  // namespace callcost::cli
