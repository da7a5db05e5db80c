/// The event types and formulas of a profile, for `info --events`.
#pragma once

#include <string>
#include <string_view>

#include "loading/preparation.hpp"
#include "text/csv.hpp"
#include "text/json.hpp"
#include "text/style.hpp"

namespace callcost::program {

/// The long name of an event type, without its unit in parentheses at the end: that is shown beside it.
[[nodiscard]] std::string meaning_of(std::string_view long_name, std::string_view unit);

void write_event_list(std::string& out, const PreparedProfile& prepared, const engine::Style& style);
/// The members of the schema callcost.events/1, behind those of write_origin().
void write_event_list(engine::JsonWriter& json, const PreparedProfile& prepared);
void write_event_list(engine::CsvWriter& csv, const PreparedProfile& prepared);

}  // namespace callcost::program
