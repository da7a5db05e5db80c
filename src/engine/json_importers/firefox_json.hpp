/// A profile of Firefox as tables, nothing looked up yet: a column per field, those of the file (`shared`) or
/// of a thread. Samples are added up by stack. For its importer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "encodings/json_input.hpp"
#include "tables/row_tables.hpp"
#include <callcost/error.hpp>
#include <callcost/source.hpp>

namespace callcost::engine {

/// The columns that count. `stack_offset` is how many rows above a stack its caller is; 0: it is a root.
enum class FirefoxColumn : std::uint8_t {
    stack_prefix,
    stack_offset,
    stack_frame,
    frame_location,  // Gecko's: a string
    frame_function,
    frame_line,
    frame_lib,
    function_name,
    function_file,
    function_source,
    function_line,
    function_resource,
    resource_lib,
    source_file,
    strings,  // rows of FirefoxJson::names
};
constexpr std::size_t firefox_columns = 15;

struct FirefoxTables {
    /// Numbers of rows, strings or lines; no_row: null, or none.
    std::array<std::vector<std::uint32_t>, firefox_columns> columns;

    [[nodiscard]] const std::vector<std::uint32_t>& operator[](FirefoxColumn column) const {
        return columns[static_cast<std::size_t>(column)];
    }
    [[nodiscard]] std::vector<std::uint32_t>& operator[](FirefoxColumn column) {
        return columns[static_cast<std::size_t>(column)];
    }
};

struct FirefoxLib {
    std::uint64_t start = 0, end = 0;  ///< addresses; Gecko's only
    std::uint32_t name = 0;
};

/// What samples cost, by the row of their stack in FirefoxThread::stacks.
struct FirefoxCosts {
    enum class Of : std::uint8_t { samples, cpu, js_allocations, native_allocations };
    Of of{};
    std::uint32_t unit = 0;  ///< row of names: `weightType`
    std::vector<JsonNumber> costs;
};

struct FirefoxThread {
    std::size_t process = 0;                                     ///< row of FirefoxJson::processes
    std::uint32_t name = 0, process_name = 0, pid = 0, tid = 0;  ///< rows of names
    FirefoxTables tables;
    std::vector<FirefoxLib> libs;
    std::vector<std::uint32_t> stacks;  ///< rows of the stack table that were sampled, each once
    std::vector<FirefoxCosts> costs;
    std::uint64_t samples = 0, without_stack = 0;
    std::uint64_t dropped = 0;  ///< samples of tables that a thread has again
    std::uint32_t event = 0;    ///< what callcost says of it: row of names; 0: nothing
    bool is_estimate = false;   ///< the same
};

struct FirefoxProcess {
    std::vector<FirefoxLib> libs;
};

struct FirefoxJson {
    NameRows names;
    FirefoxTables shared;
    std::vector<FirefoxProcess> processes;  ///< the first is the file's
    std::vector<FirefoxThread> threads;
    std::uint32_t cpu_unit = 0;         ///< row of names
    std::uint32_t product = 0;          ///< the same
    std::uint64_t threads_as_text = 0;  ///< of processes of old versions, which are not read
    std::uint64_t bytes = 0;            ///< of the file
};

/// Errors: of the source; empty_file; not_a_profile, with line and column where it is no JSON.
[[nodiscard]] Result<FirefoxJson> read_firefox_json(const Source& source);

}  // namespace callcost::engine
