/// The columns behind a Profile. The reader fills them; after that nothing changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/made_once.hpp"
#include "base/name_table.hpp"
#include "base/paged_vector.hpp"
#include "callcost/profile.hpp"
#include "profile/call_trace.hpp"
#include "profile/cost_table.hpp"

namespace callcost {

class Stacks;
struct NameContexts;

constexpr std::uint32_t no_row = UINT32_MAX;

struct FunctionData {
    ObjectId object;
    FileId file;
    std::uint32_t name : 31 = 0;  // row of function_names
    std::uint32_t has_records : 1 = 0;
};

struct ArcData {
    FunctionId caller;
    FunctionId callee;
    std::uint64_t known_calls : 63 = 0;
    std::uint64_t at_least : 1 = 0;

    [[nodiscard]] CallCount calls() const { return {known_calls, at_least != 0}; }
    void add_calls(CallCount more) {
        CallCount sum = calls();
        sum.add(more);
        known_calls = sum.known & CallCount::most;
        at_least = sum.at_least ? 1 : 0;
    }
};

/// The blocks of a function.
struct BlockList {
    std::uint32_t first = no_row;
    std::uint32_t last = no_row;
};

/// One `fn=` block (or a piece of one) of one function: where its packed records begin, and the function's
/// next block.
struct BlockData {
    std::uint32_t chunk = 0;
    std::uint32_t offset = 0;
    std::uint32_t next = no_row;
};

/// Where jumps to other functions lead; `function` is found when everything is read.
struct JumpTarget {
    ObjectId object;
    FileId file;
    std::uint32_t name = 0;
    FunctionId function;
};

/// What records need to know of their part.
struct PartLayout {
    std::uint32_t first_block = 0;
    bool minus_one_is_no_line = false;  // F39
};

constexpr std::string_view unknown_name = "???";  // F34

/// The stacks of the traces by source.
using StacksOfTraces = MadeOnce<std::vector<std::shared_ptr<const Stacks>>>;

/// How functions are inlined. Those rows come after all others, each after the one it is in.
struct InlinedRows {
    std::uint32_t first = no_row;
    std::vector<InlinedPlace> rows;
    std::vector<FunctionId> hosts;

    [[nodiscard]] bool contains(FunctionId function) const { return function.value >= first; }
    [[nodiscard]] const InlinedPlace& operator[](FunctionId function) const {
        return rows[function.value - first];
    }
    /// The next row, of which nothing but the function around it is known.
    void add(FunctionId host) {
        InlinedPlace& place = rows.emplace_back();
        place.in = host;
        place.file = FileId(0U);
        hosts.push_back(host);
    }
    /// Whether there are some, and nothing more is known of them than `cfni=` tells (F89).
    [[nodiscard]] bool are_as_written() const {
        return !rows.empty() && std::all_of(rows.begin(), rows.end(), [this](const InlinedPlace& place) {
            return place.in.value < first && place.file.value == 0 && place.line == 0 && place.entry == 0;
        });
    }
    /// The function itself if it is not inlined.
    [[nodiscard]] FunctionId host(FunctionId function) const {
        return contains(function) ? hosts[function.value - first] : function;
    }
};

struct ProfileData {
    Detail detail = Detail::full;
    std::vector<SourceInfo> sources;
    std::vector<Part> parts;
    // What the views in parts refer to; several parts may share one.
    std::deque<std::string> texts;
    std::deque<std::vector<std::string>> position_lists;
    std::deque<std::vector<EventId>> event_lists;
    std::vector<EventType> events;
    std::vector<EventFormula> formulas;
    std::vector<Diagnostic> diagnostics;

    NameTable object_names{unknown_name};
    NameTable file_names{unknown_name};
    NameTable function_names{unknown_name};

    PagedVector<FunctionData> functions;
    CostTable self;  // a row per function
    InlinedRows inlined;
    PagedVector<ArcData> arcs;
    CostTable arc_costs;
    std::vector<Cost> total;                                 // by event
    MadeOnce<std::shared_ptr<const NameContexts>> contexts;  // of function_names: see ContextNames

    // Xdebug's calls one by one, and the functions they name. By part; null, or beyond the end: not traced.
    std::vector<std::shared_ptr<const CallTrace>> traces;
    std::vector<std::uint32_t> traced_links;  // what a function in the traces means now; empty: itself
    StacksOfTraces stacks;

    [[nodiscard]] const CallTrace* trace(PartId part) const {
        return part.value < traces.size() ? traces[part.value].get() : nullptr;
    }
    [[nodiscard]] std::uint32_t traced(std::uint32_t function) const {
        return traced_links.empty() ? function : traced_links[function];
    }

    // Detail::full. Packed records: see packed_records.hpp.
    CostTable located;                // self costs by the file they are located in (F73)
    std::vector<PartLayout> layouts;  // by part
    PagedVector<BlockData> blocks;
    PagedVector<BlockList> block_lists;                          // by function
    std::vector<std::shared_ptr<const unsigned char[]>> chunks;  // also those of other profiles
    std::vector<JumpTarget> jump_targets;
    std::vector<ArcId> arc_links;    // what an arc number in the packed records means now; empty: itself
    std::vector<FileId> file_links;  // the same for file numbers

    /// The part that a block belongs to.
    [[nodiscard]] PartId part_of(std::uint32_t block) const;
};

/// The columns of a Profile.
struct ProfileAccess {
    [[nodiscard]] static const ProfileData& data(const Profile& profile) { return *profile.data_; }
    /// The records of a function from this block of it on, as far as they are of the block's part.
    [[nodiscard]] static RecordCursor records(const Profile& profile, FunctionId function,
                                              std::uint32_t block);
};

}  // namespace callcost
