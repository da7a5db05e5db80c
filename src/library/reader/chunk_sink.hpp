/// What a chunk of text says, in columns with names still as written: the scanner's result when a Profile is
/// built. It depends on the chunk alone, so chunks are scanned in any order and on any thread; ProfileBuilder
/// takes them in file order.
#pragma once

#include <cstdint>
#include <vector>

#include "parser/chunk_names.hpp"
#include "parser/header_block.hpp"
#include "parser/scanner_types.hpp"
#include "profile/cost_table.hpp"
#include "profile/packed_records.hpp"

namespace callcost {

class ChunkSink {
  public:
    struct Range {
        std::uint32_t begin = 0, size = 0;
    };
    /// Records of one function, from one fn= line or the begin of the chunk.
    struct Block {
        NameSlot object = 0, file = 0, name = 0;
        NameSlot inlined_file = 0, inlined = 0;  // it is this function's code in that one; unknown: its own
        std::uint32_t self_end = 0;              // of its self costs
        std::uint32_t calls_end = 0;
        std::uint32_t packed = 0;
        std::uint32_t cost_lines = 0;
        std::uint32_t jumps = 0;
        LineStart begin;  // of its fn=; no line: it goes on with the function that was in force
    };
    /// What a block costs in one file; without detail, in all of them.
    struct Self {
        NameSlot file = 0;
        Range costs;
    };
    struct Call {
        NameSlot object = 0, file = 0, name = 0;
        bool counted = true;
        std::uint64_t count = 0;
        Range cost;                // in costs
        std::uint32_t packed = 0;  // offset of the arc number
    };
    /// Something that changes how what follows is understood.
    struct Boundary {
        enum class Kind : std::uint8_t { part, profile, header, dialect };
        Kind kind = Kind::part;
        Dialect dialect = Dialect::generic;
        std::uint32_t names = 0, blocks = 0;  // how many came before
        std::uint32_t header = 0;
    };

    explicit ChunkSink(bool detail) : detail_(detail) {}

    void clear() {
        names.clear();
        blocks.clear();
        self.clear();
        calls.clear();
        boundaries.clear();
        headers.clear();
        costs.clear();
        file_numbers.clear();
        jump_numbers.clear();
        packer.clear();
        open_ = false;
        begin_ = {};
        function_ = {carried_slot(Current::function_object), carried_slot(Current::function_file),
                     carried_slot(Current::function), carried_slot(Current::inlined_file),
                     carried_slot(Current::inlined)};
    }
    /// Cost columns of the part that goes on from the chunk before.
    void set_columns(std::size_t columns) { columns_ = columns; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] bool detail() const { return detail_; }

    // as Scanner's sink
    NameSlot name(const NameRef& name) { return names.add(name); }
    [[nodiscard]] NameSlot known(NameKind kind, IdText id) const { return names.known(kind, id); }
    void function(NameSlot object, NameSlot file, NameSlot name, LineStart line) {
        close_block();
        function_ = {object, file, name, unknown_slot, unknown_slot};
        begin_ = line;
    }
    void inlined(NameSlot file, NameSlot name) {
        close_block();
        function_.inlined_file = file;
        function_.inlined = name;
    }
    void cost(const ScannedCost& cost) {
        if (!open_) open_block();
        Block& block = blocks.back();
        ++block.cost_lines;
        if (detail_ && cost.file != packed_file_) pack_file(cost.file);
        add_self(cost.costs);
        if (!detail_) return;
        if (cost.minus_one) packer.minus_one();
        packer.cost(cost.place, cost.costs);
    }
    /// The same for plain lines one after another in one file.
    void begin_plain(NameSlot file) {
        if (!open_) open_block();
        if (detail_ && file != packed_file_) pack_file(file);
    }
    void plain(PackedPlace place, Cost cost) {
        if (detail_) packer.cost(place, cost);
    }
    void plain(PackedPlace place, std::span<const Cost> row) {
        if (detail_) packer.cost(place, row);
    }
    void end_plain(std::size_t lines, Cost sum) {
        blocks.back().cost_lines += static_cast<std::uint32_t>(lines);
        if (self_.empty()) self_.resize(1);
        if (self_used_ == 0) self_used_ = 1;
        self_[0] += sum;
    }
    void end_plain(std::size_t lines, std::span<const Cost> sums) {
        blocks.back().cost_lines += static_cast<std::uint32_t>(lines);
        add_self(sums);
    }
    void call(const ScannedCall& call) {
        if (!open_) open_block();
        Call& row = calls.emplace_back();
        row.object = call.called_object;
        row.file = call.called_file;
        row.name = call.called_function;
        row.counted = call.counted;
        row.count = call.count;
        row.cost = add_costs(call.costs);
        if (!detail_) return;
        if (call.has_place && call.file != packed_file_) pack_file(call.file);
        if (call.minus_one) packer.minus_one();
        row.packed = packer.call(call.has_place ? &call.place : nullptr, 0, call.count,
                                 call.has_target ? &call.target : nullptr, call.target_minus_one, call.costs);
    }
    void jump(const ScannedJump& jump) {
        if (function_.inlined != unknown_slot) return jump_of_host(jump);
        if (!open_) open_block();
        ++blocks.back().jumps;
        if (!detail_) return;
        if (jump.has_place && jump.file != packed_file_) pack_file(jump.file);
        if (jump.minus_one) packer.minus_one();
        const bool elsewhere = jump.target_function != unset_slot || jump.target_file != packed_file_;
        const std::uint32_t offset = packer.jump(jump.has_place ? &jump.place : nullptr,
                                                 {.conditional = jump.conditional,
                                                  .executed = jump.executed,
                                                  .followed = jump.followed,
                                                  .elsewhere = elsewhere,
                                                  .target_file = jump.target_file,
                                                  .target_function = jump.target_function},
                                                 jump.has_target ? &jump.target : nullptr);
        if (elsewhere) jump_numbers.push_back({offset, blocks.back().object});
    }
    void part(bool new_profile) {
        close_block();
        columns_ = new_profile ? 0 : columns_;
        if (new_profile) names.forget_ids();
        boundary(new_profile ? Boundary::Kind::profile : Boundary::Kind::part);
    }
    void header(const HeaderLine& header) {
        if (header.key == HeaderKey::events && !header.value.empty())
            columns_ = split_words(header.value).size();
        headers.push_back(header);
        boundary(Boundary::Kind::header).header = static_cast<std::uint32_t>(headers.size() - 1);
    }
    void dialect(Dialect dialect) { boundary(Boundary::Kind::dialect).dialect = dialect; }

    /// The chunk is done.
    void close_block() {
        if (!open_) return;
        open_ = false;
        Block& block = blocks.back();
        block.calls_end = static_cast<std::uint32_t>(calls.size());
        take_self();
        block.self_end = static_cast<std::uint32_t>(self.size());
        if (detail_) packer.end_block();
    }

    /// The fn= line of a function that has no records yet; no line: there is none.
    [[nodiscard]] LineStart begin_of_next_block() const { return begin_; }

    [[nodiscard]] std::span<const std::int64_t> costs_of(Range range) const {
        return {costs.data() + range.begin, range.size};
    }

    ChunkNames names;
    std::vector<Block> blocks;
    std::vector<Self> self;
    std::vector<Call> calls;
    std::vector<Boundary> boundaries;
    std::vector<HeaderLine> headers;
    std::vector<std::int64_t> costs;
    RecordPacker packer;
    std::vector<std::uint32_t> file_numbers;  // offsets in the packed records where a file's slot stands
    /// Where a jump's target file and function stand, and the object it is in (F64).
    struct JumpNumber {
        std::uint32_t at = 0;
        NameSlot object = 0;
    };
    std::vector<JumpNumber> jump_numbers;

  private:
    struct Function {
        NameSlot object = 0, file = 0, name = 0;
        NameSlot inlined_file = unknown_slot, inlined = unknown_slot;
    };

    /// Jumps are the function's own, wherever their code is from (F89).
    void jump_of_host(const ScannedJump& scanned) {
        close_block();
        const Function inlined = function_;
        function_.inlined_file = function_.inlined = unknown_slot;
        jump(scanned);
        close_block();
        function_ = inlined;
    }
    void open_block() {
        open_ = true;
        Block& block = blocks.emplace_back();
        block.object = function_.object;
        block.file = function_.file;
        // That of inlined code is its function's: another one, and not known if nothing is inlined after all.
        packed_file_ = function_.inlined == unknown_slot ? function_.file : unset_slot;
        block.name = function_.name;
        block.inlined_file = function_.inlined_file;
        block.inlined = function_.inlined;
        block.begin = begin_;
        begin_ = {};
        if (detail_) block.packed = packer.begin_block(columns_);
    }
    void pack_file(NameSlot file) {
        take_self();
        packed_file_ = file;
        file_numbers.push_back(packer.file(file));
    }
    void add_self(std::span<const Cost> more) {
        if (more.size() > self_.size()) self_.resize(more.size());
        if (more.size() > self_used_) self_used_ = more.size();
        for (std::size_t i = 0; i < more.size(); ++i) self_[i] += more[i];
    }
    /// What the open block has cost since the file changed.
    void take_self() {
        if (self_used_ == 0) return;
        self.push_back({packed_file_, add_costs({self_.data(), self_used_})});
        std::fill_n(self_.begin(), self_used_, 0);
        self_used_ = 0;
    }
    Range add_costs(std::span<const Cost> row) {
        const Range range{static_cast<std::uint32_t>(costs.size()), static_cast<std::uint32_t>(row.size())};
        if (row.size() == 1) {
            costs.push_back(row[0]);
            return range;
        }
        // As numbers, which a Cost is nothing but: those are copied as a block, Costs one by one.
        const std::span numbers(reinterpret_cast<const std::int64_t*>(row.data()), row.size());
        costs.insert(costs.end(), numbers.begin(), numbers.end());
        return range;
    }
    Boundary& boundary(Boundary::Kind kind) {
        close_block();
        Boundary& row = boundaries.emplace_back();
        row.kind = kind;
        row.names = static_cast<std::uint32_t>(names.names().size());
        row.blocks = static_cast<std::uint32_t>(blocks.size());
        return row;
    }

    bool detail_;
    bool open_ = false;
    std::size_t columns_ = 0;
    Function function_;
    LineStart begin_;
    NameSlot packed_file_ = unknown_slot;
    std::vector<Cost> self_;  // of the open block in its current file
    std::size_t self_used_ = 0;
};

}  // namespace callcost
