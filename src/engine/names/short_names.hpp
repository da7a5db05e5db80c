/// Names that are made short by what they are made of, so that what is left still names the function.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/style.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::engine {

/// How the bytes of a name become text, how wide that is, and how its middle is left out.
struct Measuring {
    std::string (*text)(std::string_view bytes);
    std::size_t (*width)(std::string_view text);
    std::string (*shorten)(std::string_view text, std::size_t width, const Style& style);
};
/// As terminals have it: `display_width`.
[[nodiscard]] const Measuring& by_columns();
/// Each character is one column: for the page, which measures by itself and has no tables of Unicode.
[[nodiscard]] const Measuring& by_characters();

/// At most `width` columns of a name that is text (`display_name`). As much as is needed goes, in this order:
/// a return type; parameters become `(…)`, template arguments `<…>`, ` [clone .part.0]` and the like ` […]`;
/// of `<T as Trait>` what T is in; `const`; then the outer namespaces become `…::`, one after the other. Of
/// `Class::method` all brackets go, then the middle of the class, before the class does. The function's own
/// name stays; its middle goes only if it alone is wider than `width`.
[[nodiscard]] std::string short_name(std::string_view name, std::size_t width, const Style& style,
                                     const Measuring& measuring = by_columns());

/// The same with all its namespaces, for what can be broken into lines: it may be wider than `width`.
[[nodiscard]] std::string short_name_with_scopes(std::string_view name, std::size_t width,
                                                 const Style& style);

/// All that `short_name` would make of it for less and less width, each shorter than the one before, the
/// function's own name last; without the name itself.
[[nodiscard]] std::vector<std::string> shorter_names(std::string_view name, const Style& style,
                                                     const Measuring& measuring = by_columns());

/// The context of a name for people, behind it (F72): " ← malloc ← alloc" of `f'malloc'alloc`, "'2" of `f'2`.
/// Names of callers are shortened to `width` columns (0: not at all).
[[nodiscard]] std::string context_text(const ContextName& name, std::size_t width, const Style& style,
                                       const Measuring& measuring = by_columns());

struct NameToShorten {
    std::string_view name;
    std::size_t width = 0;     ///< columns; 0: as many as it takes
    std::string_view match{};  ///< a piece of it, in either case, that stays: what somebody looked for
};

/// The same of many names that stand together. Where different names would look alike, what they differ in
/// stays, rather than namespaces.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<NameToShorten>& names,
                                                   const Style& style,
                                                   const Measuring& measuring = by_columns());

}  // namespace callcost::engine
