/// What is asked of profiles, whoever asks: the page, a command, a binding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/groups.hpp>

namespace callcost::engine {

/// Why a query has no answer. docs/protocol.md lists the ids.
struct QueryError {
    std::string id = "bad-request";
    std::string message;
    std::string hint{};        ///< what to do; may be empty; names as the file has them
    std::string member{};      ///< of the query, as in the protocol; may be empty
    std::uint64_t column = 0;  ///< in that member's text, from 1; 0: none
};
template <class Value>
using QueryResult = tl::expected<Value, QueryError>;

/// Patterns as they were written.
struct FilterTexts {
    std::vector<std::string> focus, ignore, show, hide, file, object;

    [[nodiscard]] bool is_any() const {
        return !(focus.empty() && ignore.empty() && show.empty() && hide.empty() && file.empty() &&
                 object.empty());
    }
};

struct Query {
    Selection selection{};
    /// Of the old profile; `rows` empty: the parts that are the same as those of the new one.
    std::vector<std::uint64_t> rows_before{};
    bool has_rows_before = false;
    std::string event{};                 ///< event type or formula; empty: the default
    std::vector<std::string> columns{};  ///< empty: `event`
    FilterTexts filters{};
    std::optional<GroupBy> level{};  ///< nodes of the graph are groups of functions; not by cycle
    bool has_cycles = true;          ///< see `cycles` in docs/protocol.md
    bool compares = false;
};

/// An event type or a formula of a profile. `member` is where the text is from; `others` are words that may
/// have been meant, too.
[[nodiscard]] QueryResult<Measure> find_measure(const Profile& profile, const Measures& measures,
                                                std::string_view text, std::string_view member,
                                                std::span<const std::string_view> others = {});

/// Why there is no call graph of a selection; `names` are those that it was chosen by.
[[nodiscard]] QueryError selection_error(const Error& error, std::string_view names);

}  // namespace callcost::engine
