/// Patterns that functions are named by on the command line: part of a name, or a regular expression
/// between slashes; and substitutions that give them other names.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>

namespace re2 {
class RE2;
}

namespace callcost::program {

/// As the library's NamePattern wants it: RE2's expressions, which take linear time whatever the names are.
[[nodiscard]] tl::expected<NamePattern::Matcher, std::string> compile_expression(std::string_view expression);

/// Why a text is no pattern.
struct BadPattern {
    std::string message;
};
[[nodiscard]] tl::expected<NamePattern, BadPattern> parse_pattern(std::string_view text, NameScope usual);

using Patterns = std::vector<NamePattern>;

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

/// The name after all substitutions, in their order.
[[nodiscard]] std::string rewritten(const std::vector<Substitution>& substitutions, std::string_view name);

/// Functions by patterns; none: not asked for.
struct Filter {
    std::vector<std::string> texts;  ///< as they were written
    Patterns patterns;
};

/// Which functions count, and which are listed.
struct FilterOptions {
    Filter focus, ignore, show, hide, file, object;
};

}  // namespace callcost::program
