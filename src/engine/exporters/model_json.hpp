/// The whole of a profile as JSON, in tables that name functions, files and arcs by their row numbers:
/// `callcost.profile/1` of docs/json.md. For programs that want the model without reading the format.
#pragma once

#include <cstdint>
#include <vector>

#include <callcost/call_graph.hpp>
#include <callcost/error.hpp>
#include <callcost/event_type.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// Costs, counts, lines and addresses go to 2^64; a program that reads JSON's numbers as doubles rounds
/// beyond 2^53.
enum class JsonIntegers : std::uint8_t {
    numbers,  ///< all digits, as in the rest of callcost's JSON
    strings,  ///< the same digits in quotes, whatever their size; row numbers stay numbers
};

struct ModelJsonOptions {
    /// The columns of costs. Empty: all raw event types, or the default one where there are more than 32.
    std::vector<Measure> measures{};
    JsonIntegers integers = JsonIntegers::numbers;
    /// `functions` omits the lines, calls and jumps of functions.
    Detail detail = Detail::full;
};

/// Writes the functions and arcs in the order of the file, never more than a block and the records of one
/// function in memory. Errors: needs_detail if the profile was read without the detail asked for; what the
/// sink says.
[[nodiscard]] Result<void> write_model_json(const CallGraph& graph, const ModelJsonOptions& options,
                                            const Sink& sink);

}  // namespace callcost::engine
