/// One function per question of docs/protocol.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "answers/call_paths.hpp"
#include "query/view.hpp"
#include "session/question.hpp"
#include "session/session.hpp"
#include "text/json.hpp"
#include <callcost/groups.hpp>

namespace callcost::engine {

/// The largest cost of a column, before and after, and its largest change; magnitudes.
struct LargestOf {
    Cost cost = 0, change = 0;
    void take(const Change& of) {
        const auto size = [](Cost value) { return value < 0 ? 0 - value : value; };
        cost = std::max({cost, size(of.before), size(of.after)});
        change = std::max(change, size(of.delta()));
    }
};
struct Largest {
    LargestOf self, inclusive;
};

/// A list, of which the page fetches some rows at a time.
struct RowList {
    std::vector<std::uint32_t> rows;      ///< sorted as far as requested
    std::vector<Cost> self, self_before;  ///< of all of them, by column
    std::vector<Largest> largest;         ///< by column
};

/// A question and its context.
struct Request {
    Question& question;
    Profiles& profiles;
    const Host& host;
    Recent<RowList>& lists;
    Recent<CallPaths>& paths;

    // Nothing if the question is refused.
    [[nodiscard]] std::optional<View> view() const;
    /// The one of an id that the question has.
    [[nodiscard]] std::optional<FunctionAt> function(const char* member, const View& view) const;
};

/// The member `direction`.
[[nodiscard]] TreeDirection direction_of(Question& question);

/// Which names match, as a member of the question says: a piece of them in either case, or an
/// `/expression/`. Refuses the question if that is wrong.
class Search {
  public:
    Search(Question& question, const char* member, const Host& host);
    [[nodiscard]] bool finds(std::string_view name) const;
    /// The piece of names; empty for an expression.
    [[nodiscard]] std::string_view piece() const { return piece_; }

  private:
    std::string piece_;
    Host::Matcher expression_;
};

// Each writes one JSON object, or refuses the question: then what it has written is of no use.
void answer_profile(Request& request, JsonWriter& json);
void answer_parts(Request& request, JsonWriter& json);
void answer_summary(Request& request, JsonWriter& json);
void answer_functions(Request& request, JsonWriter& json);
void answer_groups(Request& request, JsonWriter& json);
void answer_find(Request& request, JsonWriter& json);
void answer_search(Request& request, JsonWriter& json);
void answer_function(Request& request, JsonWriter& json);
void answer_tree(Request& request, JsonWriter& json);
void answer_call_tree(Request& request, JsonWriter& json);
void answer_graph(Request& request, JsonWriter& json);
void answer_difference(Request& request, JsonWriter& json);
void answer_changed_lines(Request& request, JsonWriter& json);
void answer_source(Request& request, JsonWriter& json);
void answer_files(Request& request, JsonWriter& json);
void answer_lines(Request& request, JsonWriter& json);
void answer_instructions(Request& request, JsonWriter& json);
void answer_export(Request& request, JsonWriter& json);

}  // namespace callcost::engine
