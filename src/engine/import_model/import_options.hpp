/// What whoever imports a file chooses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/budget.hpp"
#include <callcost/source.hpp>
#include <callcost/tree.hpp>

namespace callcost::engine {

/// How many numbers end a line of folded stacks.
enum class FoldedColumns : std::uint8_t {
    automatic,  ///< two if the first lines all have two
    one,
    two,
};

/// What becomes the root of the stacks of `perf script`.
enum class ProcessRoot : std::uint8_t {
    none,  ///< the outermost frame
    name,  ///< a frame of the process's name
};

/// Code of a file, as the map of a process lists it.
struct MappedCode {
    std::string_view file;
    std::uint64_t offset = 0, size = 0;  ///< in the file
    std::uint64_t inode = 0;             ///< the file's; 0: not known
};
struct AddressInCode {
    std::size_t code = 0;      ///< row of MappedCode
    std::uint64_t offset = 0;  ///< in the file
};
struct NamesOfAddresses {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::string> names{};
    std::vector<std::uint32_t> rows{};  ///< by address: of `names`; none: not known. May be empty
    std::vector<std::string> newer{};   ///< files that are not asked, as they are newer than the profile
};
using FindNames =
    std::function<NamesOfAddresses(std::span<const MappedCode>, std::span<const AddressInCode>)>;

/// Where stacks go, and those of which threads: a Stacks has no threads.
struct WantedStacks {
    WantedStacks(Stacks* all_of_them = nullptr) : to(all_of_them) {}  // NOLINT(google-explicit-constructor)

    Stacks* to;
    /// By the numbers of process and thread as the Callgrind file has them; empty: all.
    std::function<bool(std::optional<std::uint64_t> process, std::uint64_t thread)> of_thread{};
};

struct ImportOptions {
    FoldedColumns folded_columns = FoldedColumns::automatic;
    ProcessRoot process_root = ProcessRoot::none;
    WantedStacks stacks{};   ///< gets every stack, too
    FindNames find_names{};  ///< for functions that the input has only addresses of; empty: they keep these
    std::uint64_t longest_line = default_longest_line;  ///< bytes; a longer line is skipped
    /// For readers that take calls of an unknown number for self cost (W11).
    bool unknown_count_as_one = false;
    Budget budget = memory_budget;  ///< of memory
};

}  // namespace callcost::engine
