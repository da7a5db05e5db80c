/// What is known about event types by their names and producers (F68, F78).
#pragma once

#include <string_view>

#include "callcost/event_type.hpp"
#include "callcost/profile.hpp"

namespace callcost {

/// Fills in long name (if the file gave none), unit and aggregation of a raw event type that this creator
/// wrote.
void describe_event(EventType& event, std::string_view creator);

/// Nothing need be written for it: every reader has the same one.
[[nodiscard]] bool has_usual_long_name(const EventType& event);

/// Who measured: the creator, or what stands behind "from" in a file that callcost wrote
/// from another one.
[[nodiscard]] std::string_view origin_of(std::string_view creator);

/// The same by all that the header says: Xdebug 2.0 and 2.1 write no creator, but a `version:` of their own.
[[nodiscard]] std::string_view origin_of(const Part& part);

/// A `desc:` of files that callcost wrote without some of the functions: their calls are in no balance.
constexpr std::string_view left_out_note = "Option: some functions are left out";

/// A `desc:` of files in which inlined code is written as functions.
constexpr std::string_view inlined_note = "Option: inlined code is in the functions that it is from";

/// The modern name of an event type that has two (`I2mr` is `ILmr`), otherwise the name itself.
[[nodiscard]] std::string_view event_alias(std::string_view name);

}  // namespace callcost
