#include "reader/profile_builder.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "profile/event_facts.hpp"

namespace callcost {

namespace {

constexpr std::uint32_t max_rows = UINT32_MAX - 2;
/// Arcs of a function with at most so many are found by walking over them, those of others by a hash index.
constexpr std::uint32_t few_arcs = 16;

/// Open addressing over row numbers + 1. `same(row)` tells whether a row is the one sought; `hash(row)` is
/// for growth.
template <class Same>
std::uint32_t find_row(const std::vector<std::uint32_t>& index, std::uint64_t hash, Same same) {
    if (index.empty()) return UINT32_MAX;
    const std::size_t mask = index.size() - 1;
    for (std::size_t slot = static_cast<std::size_t>(hash) & mask; index[slot] != 0; slot = (slot + 1) & mask)
        if (same(index[slot] - 1)) return index[slot] - 1;
    return UINT32_MAX;
}

template <class Hash>
void insert_row(std::vector<std::uint32_t>& index, std::size_t& used, std::uint32_t row, Hash hash) {
    const auto put = [&hash](std::vector<std::uint32_t>& to, std::uint32_t entry) {
        const std::size_t mask = to.size() - 1;
        std::size_t slot = static_cast<std::size_t>(hash(entry - 1)) & mask;
        while (to[slot] != 0) slot = (slot + 1) & mask;
        to[slot] = entry;
    };
    if (2 * (used + 1) > index.size()) {
        std::vector<std::uint32_t> larger(std::max<std::size_t>(64, 2 * index.size()), 0);
        for (const std::uint32_t entry : index)
            if (entry != 0) put(larger, entry);
        index.swap(larger);
    }
    put(index, row + 1);
    ++used;
}

}  // namespace

ProfileBuilder::ProfileBuilder(Detail detail)
    : seed_(seed_for(this)),
      data_(std::make_unique<ProfileData>()),
      names_(data_->object_names, data_->file_names, data_->function_names),
      headers_(*data_) {
    data_->detail = detail;
}

void ProfileBuilder::begin_source(std::uint32_t source) {
    source_ = source;
    source_first_part_ = data_->parts.size();
    source_first_profile_ = profiles_;
    source_first_function_ = data_->functions.size();
    headers_before_source_ = headers_.mark();
    headers_.begin_source();
    names_before_source_ = names_.mark();
    carried_ids_.fill(no_id);
    cost_lines_ = first_event_cost_ = 0;
    rows_.begin_source();
    source_fits_ = true;
    next_block_ = {};
}

void ProfileBuilder::resolve_names(const ChunkSink& chunk, std::size_t from, std::size_t to,
                                   std::string_view text, DiagnosticLog& log) {
    const std::vector<NameRef>& names = chunk.names.names();
    names_.resolve(std::span(names).subspan(from, to - from), rows_.own() + from, text,
                   static_cast<std::uint32_t>(data_->parts.size()), log);
    // What is known of functions is scattered over more memory than any cache holds: fetch all of it at once.
    name_uses_.grow(data_->function_names.size(), {});
    for (std::size_t i = from; i < to; ++i)
        if (names[i].kind == NameKind::function) name_uses_.prefetch(rows_.own()[i]);
    for (std::size_t i = from; i < to; ++i) {
        if (names[i].kind != NameKind::function) continue;
        const std::uint32_t last = name_uses_[rows_.own()[i]].last;
        if (last == UINT32_MAX) continue;
        data_->functions.prefetch(last);
        work_.prefetch(last);
        data_->self.prefetch(last);
    }
}

std::uint32_t ProfileBuilder::add_function(std::uint32_t object, std::uint32_t file, std::uint32_t name) {
    FunctionData function;
    function.object = ObjectId(object);
    function.file = FileId(file);
    function.name = name & 0x7fffffffU;
    const std::size_t row = data_->functions.push_back(function);
    if (row >= max_rows) too_large_ = true;
    data_->self.new_row();
    work_.push_back({});
    if (data_->detail == Detail::full) data_->block_lists.push_back({});
    return static_cast<std::uint32_t>(row);
}

/// The row of a function (F71). Most names belong to one function, so the hash index holds only the second
/// and further ones of a name.
std::uint32_t ProfileBuilder::function_of(std::uint32_t object, std::uint32_t file, std::uint32_t name) {
    const auto is = [&](std::uint32_t row) {
        const FunctionData& function = data_->functions[row];
        return function.file.value == file && function.object.value == object && function.name == name;
    };
    if (name >= name_uses_.size()) name_uses_.grow(data_->function_names.size(), {});
    NameUse& use = name_uses_[name];
    if (use.first == UINT32_MAX) return use.first = use.last = add_function(object, file, name);
    if (is(use.last)) return use.last;
    if (is(use.first)) return use.last = use.first;
    const auto hash = [this](std::uint32_t row) {
        const FunctionData& function = data_->functions[row];
        return hash_of(function.object.value, function.file.value, function.name);
    };
    use.last = find_row(function_index_, hash_of(object, file, name), is);
    if (use.last == UINT32_MAX) {
        use.last = add_function(object, file, name);
        insert_row(function_index_, indexed_functions_, use.last, hash);
    }
    return use.last;
}

void ProfileBuilder::index_arc(std::uint32_t arc) {
    insert_row(arc_index_, indexed_arcs_, arc, [this](std::uint32_t row) {
        return hash_of(data_->arcs[row].caller.value, data_->arcs[row].callee.value, 0);
    });
}

/// From now on arc_to means arcs of this caller. All its arcs are stamped on their callees, or else in the
/// index.
void ProfileBuilder::open_caller(std::uint32_t caller) {
    if (caller == caller_) return;
    caller_ = caller;
    const Work& work = work_[caller];
    if (work.arc_count <= few_arcs) {
        for (std::uint32_t arc = work.first_arc; arc != UINT32_MAX; arc = next_arc_[arc]) {
            Work& callee = work_[data_->arcs[arc].callee.value];
            callee.stamp_caller = caller;
            callee.stamp_arc = arc;
        }
        return;
    }
    if (many_arcs_.size() <= caller) many_arcs_.resize(data_->functions.size(), false);
    if (many_arcs_[caller]) return;
    many_arcs_[caller] = true;
    for (std::uint32_t arc = work.first_arc; arc != UINT32_MAX; arc = next_arc_[arc]) index_arc(arc);
}

std::uint32_t ProfileBuilder::arc_to(std::uint32_t callee) {
    Work& target = work_[callee];
    if (target.stamp_caller == caller_) return target.stamp_arc;
    const bool many = caller_ < many_arcs_.size() && many_arcs_[caller_];
    std::uint32_t arc = UINT32_MAX;
    if (many) {
        arc = find_row(arc_index_, hash_of(caller_, callee, 0), [&](std::uint32_t row) {
            return data_->arcs[row].caller.value == caller_ && data_->arcs[row].callee.value == callee;
        });
    }
    if (arc == UINT32_MAX) {
        ArcData row;
        row.caller = FunctionId(caller_);
        row.callee = FunctionId(callee);
        arc = static_cast<std::uint32_t>(data_->arcs.push_back(row));
        if (arc >= max_rows) too_large_ = true;
        data_->arc_costs.new_row();
        next_arc_.push_back(work_[caller_].first_arc);
        work_[caller_].first_arc = arc;
        ++work_[caller_].arc_count;
        if (many) index_arc(arc);
    }
    target.stamp_caller = caller_;
    target.stamp_arc = arc;
    return arc;
}

/// Costs of the part's event types.
inline void ProfileBuilder::add_costs(CostTable& table, std::size_t row,
                                      std::span<const std::int64_t> costs) {
    const auto& events = data_->parts.back().events;
    if (costs.size() == 1) return table.add(row, events[0].value, costs[0]);
    if (events_in_order_) return table.add_row(row, costs);
    for (std::size_t i = 0; i < costs.size(); ++i) table.add(row, events[i].value, costs[i]);
}

void ProfileBuilder::add_calls(ChunkSink& chunk, std::uint32_t caller, std::size_t& call, std::size_t end) {
    if (call == end) return;
    open_caller(caller);
    Part& part = data_->parts.back();
    for (; call < end; ++call) {
        const ChunkSink::Call& row = chunk.calls[call];
        const std::size_t known = data_->functions.size();
        const std::uint32_t callee = function_at(row.object, row.file, row.name);
        if (callee >= known)
            if (const std::uint64_t id = id_of(chunk, row.name); id != no_id) {
                work_[callee].id = id;
                called_only_.push_back(callee);
            }
        const std::uint32_t arc = arc_to(callee);
        ArcData& data = data_->arcs[arc];
        data.add_calls(CallCount::of(row.count));
        const auto costs = chunk.costs_of(row.cost);
        add_costs(data_->arc_costs, arc, costs);
        if (part_inclusive_.size() < costs.size()) part_inclusive_.resize(costs.size(), 0);
        for (std::size_t i = 0; i < costs.size(); ++i) part_inclusive_[i] += costs[i];
        if (row.counted) {
            ++part.call_records;
            part.call_count += row.count;
        }
        part.calls_at_least = part.calls_at_least || CallCount::of(row.count).at_least;
        if (tracer_.is_on()) tracer_.add_callee(rows_[row.name], row.count, costs);
        if (chunk.detail()) put_u32(chunk.packer.data() + row.packed, arc);
    }
}

inline void ProfileBuilder::add_self(const ChunkSink& chunk, std::uint32_t function,
                                     const ChunkSink::Self& self) {
    const auto costs = chunk.costs_of(self.costs);
    add_costs(data_->self, function, costs);
    if (tracer_.is_on()) tracer_.add_self(costs);
    if (chunk.detail()) add_costs(data_->located, rows_[self.file], costs);
    if (part_self_.size() < costs.size()) part_self_.resize(costs.size(), 0);
    for (std::size_t k = 0; k < costs.size(); ++k) part_self_[k] += costs[k];
    first_event_cost_ += static_cast<std::uint64_t>(costs[0]);
}

inline void ProfileBuilder::record_under(std::uint32_t function, std::uint64_t id) {
    std::uint64_t& last = work_[function].id;
    if (data_->functions[function].has_records == 0) last = no_id;
    data_->functions[function].has_records = 1;
    if (id == last || id == no_id) return;
    if (last == no_id) {
        recorded_.push_back(function);
    } else {
        other_ids_.emplace_back(function, last);
    }
    last = id;
}

namespace {

/// Who writes a block for every call (F66). What callcost wrote from such a file has one per function.
bool writes_calls(const Part& part) {
    return part.creator.empty() ? !origin_of(part).empty() : part.creator.starts_with("xdebug ");
}

}  // namespace

void ProfileBuilder::trace_block(const ChunkSink::Block& block, std::uint32_t function,
                                 const ChunkPlace& place) {
    const CallTracer::Line line =
        block.begin.line == 0
            ? next_block_
            : CallTracer::Line{place.first_line + block.begin.line, place.offset + block.begin.offset};
    if (line.number != 0 || !tracer_.has_open_call()) tracer_.begin_call(function, rows_[block.name], line);
    next_block_ = {};
}

/// From here on, and back to its beginning, nothing is known of the source's call tree.
void ProfileBuilder::note_misfit(DiagnosticLog& source_log) {
    const auto line = tracer_.take_misfit();
    if (!line) return;
    source_fits_ = false;
    data_->traces.resize(std::min(data_->traces.size(), source_first_part_));
    source_log.add(DiagnosticId::call_tree_misfit, {{}, line->number, line->offset});
}

namespace {

std::unique_ptr<unsigned char[]> copy_of(RecordPacker& packer) {
    std::unique_ptr<unsigned char[]> packed(new unsigned char[packer.size()]);
    if (packer.size() != 0) std::memcpy(packed.get(), packer.data(), packer.size());
    return packed;
}

}  // namespace

inline void ProfileBuilder::add_block(std::uint32_t function, std::uint32_t chunk, std::uint32_t offset) {
    const auto number = static_cast<std::uint32_t>(data_->blocks.push_back({chunk, offset, no_row}));
    if (number >= max_rows) too_large_ = true;
    BlockList& list = data_->block_lists[function];
    if (list.first == no_row) {
        list.first = number;
    } else {
        data_->blocks[list.last].next = number;
    }
    list.last = number;
}

/// The row of inlined_ for code of a function in another one. What debug information had no name for is
/// written as if it were one.
std::uint32_t ProfileBuilder::inlined_in(std::uint32_t host, std::uint32_t file, std::uint32_t name) {
    const std::string_view text = data_->function_names[name];
    if (text == "UnknownInlinedFun" || text == "AbsOriFnNameNotFound") name = 0;
    const auto is = [&](std::uint32_t row) {
        const FunctionData& function = data_->functions[inlined_[row].function.value];
        return inlined_[row].host.value == host && function.file.value == file && function.name == name;
    };
    const std::uint32_t known = find_row(inlined_index_, hash_of(host, file, name), is);
    if (known != UINT32_MAX) return known;
    const auto row = static_cast<std::uint32_t>(inlined_.size());
    const std::uint32_t function = add_function(data_->functions[host].object.value, file, name);
    data_->functions[function].has_records = 1;
    inlined_.push_back({FunctionId(function), FunctionId(host)});
    place_in_part_.push_back(UINT32_MAX);
    insert_row(inlined_index_, indexed_inlined_, row, [this](std::uint32_t other) {
        const FunctionData& its = data_->functions[inlined_[other].function.value];
        return hash_of(inlined_[other].host.value, its.file.value, its.name);
    });
    return row;
}

/// What a block of inlined code costs is the cost of a call, too: that which it takes the place of.
void ProfileBuilder::add_inlined_costs(const ChunkSink& chunk, std::uint32_t inlined, std::size_t self,
                                       std::size_t self_end, std::size_t call, std::size_t call_end) {
    if (inlined_in_part_.empty()) {
        inlined_costs_ = CostTable();
        inlined_costs_.set_columns(data_->parts.back().events.size());
    }
    std::uint32_t& place = place_in_part_[inlined];
    if (place == UINT32_MAX) {
        place = static_cast<std::uint32_t>(inlined_in_part_.size());
        inlined_in_part_.push_back(inlined);
        inlined_costs_.new_row();
    }
    const auto add = [&](ChunkSink::Range range) {
        const auto costs = chunk.costs_of(range);
        for (std::size_t i = 0; i < costs.size(); ++i) inlined_costs_.add(place, i, costs[i]);
    };
    for (; self < self_end; ++self) add(chunk.self[self].costs);
    for (; call < call_end; ++call) add(chunk.calls[call].cost);
}

/// The calls that the part's inlined code takes the place of: nobody counted them.
void ProfileBuilder::call_inlined() {
    if (inlined_in_part_.empty()) return;
    const bool detail = data_->detail == Detail::full;
    const auto& events = data_->parts.back().events;
    RecordPacker packer;
    std::vector<Cost> costs(events.size());
    const auto chunk = static_cast<std::uint32_t>(data_->chunks.size());
    for (std::size_t i = 0; i < inlined_in_part_.size(); ++i) {
        const InlinedRow& inlined = inlined_[inlined_in_part_[i]];
        place_in_part_[inlined_in_part_[i]] = UINT32_MAX;
        open_caller(inlined.host.value);
        const std::uint32_t arc = arc_to(inlined.function.value);
        data_->arcs[arc].add_calls(CallCount::of(0));
        for (std::size_t column = 0; column < events.size(); ++column) {
            costs[column] = inlined_costs_.get(i, column);
            data_->arc_costs.add(arc, events[column].value, costs[column]);
        }
        if (!detail) continue;
        add_block(inlined.host.value, chunk, packer.begin_block(events.size()));
        const PackedPlace unknown;
        packer.call(&unknown, arc, 0, nullptr, false, costs);
        packer.end_block();
    }
    inlined_in_part_.clear();
    if (detail) data_->chunks.push_back(copy_of(packer));
}

void ProfileBuilder::add_blocks(ChunkSink& chunk, std::size_t from, std::size_t to, std::size_t& call,
                                const ChunkPlace& place) {
    if (from == to) return;
    Part& part = data_->parts.back();
    if (!part_has_begun_ && source_fits_ && writes_calls(part)) tracer_.begin_part();
    part_has_begun_ = true;
    events_in_order_ = true;
    for (std::size_t i = 0; i < part.events.size(); ++i)
        events_in_order_ = events_in_order_ && part.events[i].value == i;
    if (chunk.detail()) data_->located.grow(data_->file_names.size());
    std::size_t self = from == 0 ? 0 : chunk.blocks[from - 1].self_end;
    for (std::size_t i = from; i < to; ++i) {
        const ChunkSink::Block& block = chunk.blocks[i];
        const std::uint32_t host = function_at(block.object, block.file, block.name);
        record_under(host, id_of(chunk, block.name));
        if (tracer_.is_on()) trace_block(block, host, place);
        std::uint32_t row = host;
        if (rows_[block.inlined] != 0) [[unlikely]] {
            const std::uint32_t inlined = inlined_in(host, rows_[block.inlined_file], rows_[block.inlined]);
            add_inlined_costs(chunk, inlined, self, block.self_end, call, block.calls_end);
            row = inlined_[inlined].function.value;
        }
        for (; self < block.self_end; ++self) add_self(chunk, row, chunk.self[self]);
        part.cost_lines += block.cost_lines;
        cost_lines_ += block.cost_lines;
        part.jumps += block.jumps;
        if (chunk.detail()) add_block(row, chunk_number_, block.packed);
        add_calls(chunk, row, call, block.calls_end);
    }
}

void ProfileBuilder::close_part(DiagnosticLog& log) {
    if (data_->parts.size() == source_first_part_) return;
    call_inlined();
    Part& part = data_->parts.back();
    const auto costs_of = [&part](const std::vector<Cost>& sums) {
        std::vector<std::pair<EventId, Cost>> cells;
        for (std::size_t i = 0; i < sums.size(); ++i) cells.emplace_back(part.events[i], sums[i]);
        return Costs(std::move(cells));
    };
    part.self = costs_of(part_self_);
    part.inclusive_sum = costs_of(part_inclusive_);
    data_->total.resize(data_->events.size(), 0);
    for (const auto& [event, cost] : part.self.cells()) data_->total[event.value] += cost;
    part_self_.clear();
    part_inclusive_.clear();
    headers_.end(log);
    if (auto trace = tracer_.end_part(part.summary.has_value())) {
        data_->traces.resize(data_->parts.size());
        data_->traces.back() = std::move(trace);
    }
    note_misfit(log);
    part_has_begun_ = false;
}

/// The id a name was written with; no_id if with none.
std::uint64_t ProfileBuilder::id_of(const ChunkSink& chunk, NameSlot slot) const {
    if (const NameRef* const name = chunk.names.at(slot)) return name->has_id ? name->id : no_id;
    return slot == unknown_slot ? no_id : carried_ids_[slot - carried_slot(Current::object)];
}

/// What an id meant is known now: which recorded function a function is that was called by that id only (F61
/// a).
void ProfileBuilder::end_profile() {
    constexpr std::uint32_t none = UINT32_MAX, several = UINT32_MAX - 1;
    std::unordered_map<std::uint64_t, std::uint32_t, SeededHash> wanted;
    const auto is_called_only = [this](std::uint32_t row) { return data_->functions[row].has_records == 0; };
    called_only_.for_each([&](std::uint32_t row) {
        if (is_called_only(row)) wanted.emplace(work_[row].id, none);
    });
    const auto found = [&wanted](std::uint32_t row, std::uint64_t id) {
        if (const auto entry = wanted.find(id); entry != wanted.end())
            entry->second = entry->second == none || entry->second == row ? row : several;
    };
    for (const auto& [row, id] : other_ids_) found(row, id);
    recorded_.for_each([&](std::uint32_t row) {
        found(row, work_[row].id);
        work_[row].id = no_id;
    });
    called_only_.for_each([&](std::uint32_t row) {
        if (!is_called_only(row)) return;
        const std::uint32_t recorded = wanted[work_[row].id];
        if (recorded < several) links_by_id_.emplace_back(FunctionId(row), FunctionId(recorded));
    });
    recorded_.truncate(0);
    called_only_.truncate(0);
    other_ids_.clear();
    names_.clear();
}

void ProfileBuilder::take_boundary(const ChunkSink& chunk, const ChunkSink::Boundary& boundary,
                                   const ChunkPlace& place) {
    using Kind = ChunkSink::Boundary::Kind;
    switch (boundary.kind) {
        case Kind::part:
        case Kind::profile:
            close_part(place.source_log);
            if (boundary.kind == Kind::profile) {
                end_profile();
                ++profiles_;
            }
            headers_.begin(boundary.kind == Kind::profile, source_, profiles_ - 1);
            data_->layouts.push_back({static_cast<std::uint32_t>(data_->blocks.size()), false});
            break;
        case Kind::header: {
            HeaderLine header = chunk.headers[boundary.header];
            header.number += place.first_line;
            header.offset += place.offset;
            headers_.take(header, place.source_log);
        }
            data_->self.set_columns(data_->events.size());
            data_->located.set_columns(data_->events.size());
            data_->arc_costs.set_columns(data_->events.size());
            break;
        case Kind::dialect:
            data_->parts.back().dialect = boundary.dialect;
            break;
    }
}

std::uint32_t ProfileBuilder::jump_target(std::uint32_t object, std::uint32_t file, std::uint32_t name) {
    const std::uint32_t known = find_row(jump_index_, hash_of(object, file, name), [&](std::uint32_t row) {
        const JumpTarget& target = data_->jump_targets[row];
        return target.object.value == object && target.file.value == file && target.name == name;
    });
    if (known != UINT32_MAX) return known;
    JumpTarget target;
    target.object = ObjectId(object);
    target.file = FileId(file);
    target.name = name;
    const auto row = static_cast<std::uint32_t>(data_->jump_targets.size());
    data_->jump_targets.push_back(target);
    insert_row(jump_index_, indexed_jumps_, row, [this](std::uint32_t other) {
        const JumpTarget& its = data_->jump_targets[other];
        return hash_of(its.object.value, its.file.value, its.name);
    });
    return row;
}

/// Writes rows where the chunk has slots, and keeps a copy of the right size.
void ProfileBuilder::keep_packed(ChunkSink& chunk) {
    unsigned char* const bytes = chunk.packer.data();
    for (const std::uint32_t at : chunk.file_numbers) {
        const unsigned char* from = bytes + at;
        put_u32(bytes + at, rows_[get_u32(from)]);
    }
    for (const ChunkSink::JumpNumber& jump : chunk.jump_numbers) {
        const unsigned char* from = bytes + jump.at;
        const std::uint32_t file = rows_[get_u32(from)];
        const NameSlot function = get_u32(from);
        put_u32(bytes + jump.at, file);
        if (function != unset_slot)
            put_u32(bytes + jump.at + 4, jump_target(rows_[jump.object], file, rows_[function]));
    }
    data_->chunks[chunk_number_] = copy_of(chunk.packer);
}

void ProfileBuilder::add(ChunkSink& chunk, std::string_view text, const CurrentNames& end_names,
                         const ChunkPlace& place) {
    names_.add_input(text.size());
    rows_.begin_chunk(chunk.names);
    slot_uses_.assign(rows_.size(), {});
    if (chunk.detail()) {
        chunk_number_ = static_cast<std::uint32_t>(data_->chunks.size());
        data_->chunks.emplace_back();
    }

    std::size_t name = 0, block = 0, call = 0;
    for (const ChunkSink::Boundary& boundary : chunk.boundaries) {
        resolve_names(chunk, name, boundary.names, text, place.log);
        add_blocks(chunk, block, boundary.blocks, call, place);
        name = boundary.names;
        block = boundary.blocks;
        take_boundary(chunk, boundary, place);
    }
    resolve_names(chunk, name, chunk.names.names().size(), text, place.log);
    add_blocks(chunk, block, chunk.blocks.size(), call, place);
    if (const LineStart line = chunk.begin_of_next_block(); line.line != 0)
        next_block_ = {place.first_line + line.line, place.offset + line.offset};
    note_misfit(place.source_log);
    if (chunk.detail()) keep_packed(chunk);

    std::array<std::uint64_t, current_count> ids{};
    for (std::size_t i = 0; i < current_count; ++i)
        ids[i] = end_names[i] == unset_slot ? no_id : id_of(chunk, end_names[i]);
    carried_ids_ = ids;
    rows_.end_chunk(end_names);
}

void ProfileBuilder::end_source(bool minus_one_is_no_line, DiagnosticLog& log) {
    close_part(log);
    end_profile();
    for (std::size_t part = source_first_part_; part < data_->layouts.size(); ++part)
        data_->layouts[part].minus_one_is_no_line = minus_one_is_no_line;
}

void ProfileBuilder::drop_source() {
    tracer_.stop();
    part_has_begun_ = false;
    data_->traces.resize(std::min(data_->traces.size(), source_first_part_));
    data_->parts.resize(source_first_part_);
    data_->layouts.resize(source_first_part_);
    part_self_.clear();
    part_inclusive_.clear();
    for (const std::uint32_t inlined : inlined_in_part_) place_in_part_[inlined] = UINT32_MAX;
    inlined_in_part_.clear();
    headers_.drop(headers_before_source_);
    profiles_ = source_first_profile_;
    end_profile();
    if (data_->functions.size() == source_first_function_) names_.drop(names_before_source_);
}

BuildResult ProfileBuilder::finish() {
    data_->total.resize(data_->events.size(), 0);
    headers_.finish();
    return {std::move(data_), names_.take_aliases(), std::move(links_by_id_), std::move(inlined_)};
}

}  // namespace callcost
