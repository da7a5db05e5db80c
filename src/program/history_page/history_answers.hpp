/// The page's questions about a store, answered as JSON: docs/protocol.md.
#pragma once

#include <string>
#include <string_view>

#include "history/store.hpp"
#include "session/question.hpp"
#include "text/json.hpp"

namespace callcost::program {

[[nodiscard]] bool is_history_question(std::string_view ask);

/// `name`: of the store, for people.
[[nodiscard]] std::string answer_about_history(Store& store, const std::string& name,
                                               engine::Question& question);

/// The name of the series that reads as this text.
[[nodiscard]] Stored<std::string> series_named(Store& store, std::string_view text);

/// What the page is told about an entry, as one object.
void write_page_entry(engine::JsonWriter& json, const Entry& entry);

}  // namespace callcost::program
