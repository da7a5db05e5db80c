/// Puts scanned chunks together, in file order: names get rows, functions and arcs are found or made, costs
/// added up.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/hash.hpp"
#include "parser/name_ids.hpp"
#include "parser/part_headers.hpp"
#include "parser/scanner_types.hpp"
#include "profile/profile_data.hpp"
#include "reader/call_tracer.hpp"
#include "reader/chunk_sink.hpp"

namespace callcost {

/// A row of functions that is code of another function, inlined in this one (F89).
struct InlinedRow {
    FunctionId function, host;
};

/// What finish_profile() needs beyond the columns.
struct BuildResult {
    std::unique_ptr<ProfileData> data;
    std::vector<NameResolver::Alias> aliases;
    std::vector<std::pair<FunctionId, FunctionId>> links_by_id;  // F61 (a)
    std::vector<InlinedRow> inlined;
};

/// Where a chunk stands in its source, and who hears of oddities in it.
struct ChunkPlace {
    std::uint64_t first_line = 0;  // lines before the chunk
    std::uint64_t offset = 0;
    DiagnosticLog& log;         // counts lines and bytes from the chunk's begin
    DiagnosticLog& source_log;  // from the source's
};

class ProfileBuilder {
  public:
    explicit ProfileBuilder(Detail detail);

    void begin_source(std::uint32_t source);
    /// Adds a chunk. `text` is where its names point to; `end_names` the slots at its end.
    void add(ChunkSink& chunk, std::string_view text, const CurrentNames& end_names, const ChunkPlace& place);
    void end_source(bool minus_one_is_no_line, DiagnosticLog& log);
    /// Nothing of the source is kept; but if it had records, it was the last one and its names stay.
    void drop_source();

    /// Slots of the current names at the begin of the next chunk: carried, unknown or unset.
    [[nodiscard]] const CurrentNames& carried_names() const { return rows_.carried(); }
    /// Parts of the source so far.
    [[nodiscard]] std::span<const Part> source_parts() const {
        return std::span<const Part>(data_->parts).subspan(source_first_part_);
    }
    [[nodiscard]] bool too_large() const { return too_large_ || data_->events.size() > Columns::max_events; }
    [[nodiscard]] std::uint64_t cost_lines() const { return cost_lines_; }
    [[nodiscard]] std::uint64_t announced_cost() const { return headers_.announced_cost(); }
    [[nodiscard]] std::uint64_t first_event_cost() const { return first_event_cost_; }
    [[nodiscard]] ProfileData& data() { return *data_; }

    [[nodiscard]] BuildResult finish();

  private:
    /// What is known of a function only while reading.
    struct Work {
        std::uint32_t stamp_caller = UINT32_MAX;  // the arc from this caller ...
        std::uint32_t stamp_arc = 0;              // ... is this one
        std::uint32_t first_arc = UINT32_MAX;     // of its own arcs, see next_arc_
        std::uint32_t arc_count = 0;
        std::uint64_t id = no_id;  // in this profile: recorded under last, or called by before that (F61)
    };
    static constexpr std::uint64_t no_id = UINT64_MAX;
    struct NameUse {
        std::uint32_t first = UINT32_MAX;  // function of this name; further ones are in function_index_
        std::uint32_t last = UINT32_MAX;   // the one that was used last
    };

    void resolve_names(const ChunkSink& chunk, std::size_t from, std::size_t to, std::string_view text,
                       DiagnosticLog& log);
    void add_blocks(ChunkSink& chunk, std::size_t from, std::size_t to, std::size_t& call,
                    const ChunkPlace& place);
    void trace_block(const ChunkSink::Block& block, std::uint32_t function, const ChunkPlace& place);
    void note_misfit(DiagnosticLog& source_log);
    void record_under(std::uint32_t function, std::uint64_t id);
    void add_self(const ChunkSink& chunk, std::uint32_t function, const ChunkSink::Self& self);
    void add_costs(CostTable& table, std::size_t row, std::span<const std::int64_t> costs);
    void add_calls(ChunkSink& chunk, std::uint32_t caller, std::size_t& call, std::size_t end);
    void take_boundary(const ChunkSink& chunk, const ChunkSink::Boundary& boundary, const ChunkPlace& place);
    [[nodiscard]] std::uint64_t id_of(const ChunkSink& chunk, NameSlot slot) const;
    std::uint32_t inlined_in(std::uint32_t host, std::uint32_t file, std::uint32_t name);
    void add_inlined_costs(const ChunkSink& chunk, std::uint32_t inlined, std::size_t self,
                           std::size_t self_end, std::size_t call, std::size_t call_end);
    void call_inlined();
    void add_block(std::uint32_t function, std::uint32_t chunk, std::uint32_t offset);
    void close_part(DiagnosticLog& log);
    void end_profile();

    std::uint32_t function_at(NameSlot object, NameSlot file, NameSlot name) {
        SlotUse& use = slot_uses_[name];
        if (use.object != object || use.file != file)
            use = {object, file, function_of(rows_[object], rows_[file], rows_[name])};
        return use.function;
    }
    /// Of rows whose numbers the file determines.
    [[nodiscard]] std::uint64_t hash_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
        return mix((a << 32U | b) + mix(c + seed_));
    }
    std::uint32_t function_of(std::uint32_t object, std::uint32_t file, std::uint32_t name);
    std::uint32_t add_function(std::uint32_t object, std::uint32_t file, std::uint32_t name);
    void open_caller(std::uint32_t caller);
    std::uint32_t arc_to(std::uint32_t callee);
    void index_arc(std::uint32_t arc);
    void keep_packed(ChunkSink& chunk);
    std::uint32_t jump_target(std::uint32_t object, std::uint32_t file, std::uint32_t name);

    std::uint64_t seed_;
    std::unique_ptr<ProfileData> data_;
    NameResolver names_;
    PartHeaders headers_;

    std::uint32_t source_ = 0;
    std::uint32_t profiles_ = 0;
    std::size_t source_first_part_ = 0;
    std::uint32_t source_first_profile_ = 0;
    std::size_t source_first_function_ = 0;
    PartHeaders::Mark headers_before_source_;
    NameResolver::Mark names_before_source_;
    SlotRows rows_;
    bool events_in_order_ = false;  // the part's columns are the profile's first ones
    /// The function that a name slot last meant in this chunk.
    struct SlotUse {
        NameSlot object = unset_slot, file = unset_slot;
        std::uint32_t function = 0;
    };
    std::vector<SlotUse> slot_uses_;

    PagedVector<Work> work_;
    PagedVector<NameUse> name_uses_;             // by function name row
    std::vector<std::uint32_t> function_index_;  // open addressing; function + 1
    std::size_t indexed_functions_ = 0;
    PagedVector<std::uint32_t> next_arc_;
    std::vector<std::uint32_t> arc_index_;  // of callers with many arcs; open addressing; arc + 1
    std::size_t indexed_arcs_ = 0;
    std::vector<bool> many_arcs_;  // callers whose arcs are in arc_index_
    std::uint32_t caller_ = UINT32_MAX;
    // Functions of this profile with an id: called before they had records, and recorded. Work has the id;
    // of a function that has been recorded under several, the last one.
    PagedVector<std::uint32_t> called_only_, recorded_;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> other_ids_;
    std::array<std::uint64_t, current_count> carried_ids_{};  // of the names the chunk began with
    std::vector<std::pair<FunctionId, FunctionId>> links_by_id_;
    std::vector<std::uint32_t> jump_index_;  // open addressing; row of data_->jump_targets + 1
    std::size_t indexed_jumps_ = 0;

    // Inlined code (F89).
    std::vector<InlinedRow> inlined_;
    std::vector<std::uint32_t> inlined_index_;  // open addressing; row of inlined_ + 1
    std::size_t indexed_inlined_ = 0;
    std::vector<std::uint32_t> inlined_in_part_;  // rows of inlined_
    std::vector<std::uint32_t> place_in_part_;    // of a row of inlined_ among those; UINT32_MAX: none
    CostTable inlined_costs_;                     // of those, with all that they call, by column of the part

    CallTracer tracer_;
    bool source_fits_ = true;      // with what the tracer expects
    bool part_has_begun_ = false;  // it has blocks
    CallTracer::Line next_block_;  // the fn= line that the last chunk ended with, as that of a source

    std::uint32_t chunk_number_ = 0;  // of the chunk that is added
    std::vector<Cost> part_self_;     // by column of the part
    std::vector<Cost> part_inclusive_;
    std::uint64_t cost_lines_ = 0;
    std::uint64_t first_event_cost_ = 0;
    bool too_large_ = false;
};

}  // namespace callcost
