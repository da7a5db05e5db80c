#include "callcost/profile.hpp"

#include <algorithm>

#include "base/precondition.hpp"
#include "profile/packed_records.hpp"
#include "profile/profile_data.hpp"

namespace callcost {

Cost Costs::operator[](EventId event) const {
    const auto cell = std::lower_bound(cells_.begin(), cells_.end(), event,
                                       [](const auto& a, EventId b) { return a.first < b; });
    return cell != cells_.end() && cell->first == event ? cell->second : Cost();
}

Costs::Costs(std::vector<std::pair<EventId, Cost>> cells) : cells_(std::move(cells)) {
    std::sort(cells_.begin(), cells_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (const auto& cell : cells_) {
        if (kept != 0 && cells_[kept - 1].first == cell.first) {
            cells_[kept - 1].second += cell.second;
        } else {
            cells_[kept++] = cell;
        }
    }
    cells_.resize(kept);
    std::erase_if(cells_, [](const auto& cell) { return cell.second == 0; });
}

Profile::Profile(std::shared_ptr<const ProfileData> data) : data_(std::move(data)) {}

Detail Profile::detail() const { return data_->detail; }
std::span<const SourceInfo> Profile::sources() const { return data_->sources; }
std::span<const Part> Profile::parts() const { return data_->parts; }
std::span<const EventType> Profile::events() const { return data_->events; }
std::span<const EventFormula> Profile::formulas() const { return data_->formulas; }
std::span<const Diagnostic> Profile::diagnostics() const { return data_->diagnostics; }

std::size_t Profile::object_count() const { return data_->object_names.size(); }
std::size_t Profile::file_count() const { return data_->file_names.size(); }
std::size_t Profile::function_count() const { return data_->functions.size(); }
std::size_t Profile::arc_count() const { return data_->arcs.size(); }

std::string_view Profile::name(ObjectId object) const {
    CALLCOST_EXPECTS(object.value < object_count());
    return data_->object_names[object.value];
}
std::string_view Profile::name(FileId file) const {
    CALLCOST_EXPECTS(file.value < file_count());
    return data_->file_names[file.value];
}
std::string_view Profile::name(FunctionId function) const {
    CALLCOST_EXPECTS(function.value < function_count());
    return data_->function_names[data_->functions[function.value].name];
}
ObjectId Profile::object(FunctionId function) const {
    CALLCOST_EXPECTS(function.value < function_count());
    return data_->functions[function.value].object;
}
FileId Profile::file(FunctionId function) const {
    CALLCOST_EXPECTS(function.value < function_count());
    return data_->functions[function.value].file;
}
bool Profile::has_records(FunctionId function) const {
    CALLCOST_EXPECTS(function.value < function_count());
    return data_->functions[function.value].has_records != 0;
}
Cost Profile::self(FunctionId function, EventId event) const {
    CALLCOST_EXPECTS(function.value < function_count() && event.value < events().size());
    return data_->self.get(function.value, event.value);
}

bool Profile::has_inlined() const { return !data_->inlined.rows.empty(); }
FunctionId Profile::inlined_in(FunctionId function) const {
    CALLCOST_EXPECTS(function.value < function_count());
    return data_->inlined.contains(function) ? data_->inlined[function].in : FunctionId();
}
FunctionId Profile::host(FunctionId function) const {
    CALLCOST_EXPECTS(function.value < function_count());
    return data_->inlined.host(function);
}
InlinedPlace Profile::inlined_place(FunctionId function) const {
    CALLCOST_EXPECTS(function.value < function_count());
    return data_->inlined.contains(function) ? data_->inlined[function] : InlinedPlace{};
}

FunctionId Profile::caller(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    return data_->arcs[arc.value].caller;
}
FunctionId Profile::callee(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    return data_->arcs[arc.value].callee;
}
CallCount Profile::count(ArcId arc) const {
    CALLCOST_EXPECTS(arc.value < arc_count());
    return data_->arcs[arc.value].calls();
}
Cost Profile::cost(ArcId arc, EventId event) const {
    CALLCOST_EXPECTS(arc.value < arc_count() && event.value < events().size());
    return data_->arc_costs.get(arc.value, event.value);
}
Cost Profile::total(EventId event) const {
    CALLCOST_EXPECTS(event.value < events().size());
    return data_->total[event.value];
}

RecordCursor::RecordCursor(std::shared_ptr<const ProfileData> data, FunctionId function)
    : data_(std::move(data)),
      function_(function),
      block_(data_->detail == Detail::full ? data_->block_lists[function.value].first : no_row) {}

bool RecordCursor::open_block() {
    if (block_ == no_row) return false;
    const BlockData& block = data_->blocks[block_];
    part_ = data_->part_of(block_);
    if (only_part_.valid() && part_ != only_part_) return false;
    columns_ = data_->parts[part_.value].events.size();
    no_line_ = data_->layouts[part_.value].minus_one_is_no_line;
    at_ = data_->chunks[block.chunk].get() + block.offset;
    block_ = block.next;
    address_ = line_ = 0;
    file_ = data_->functions[function_.value].file;
    costs_.clear();
    return true;
}

RecordCursor ProfileAccess::records(const Profile& profile, FunctionId function, std::uint32_t block) {
    RecordCursor cursor(profile.data_, function);
    cursor.block_ = block;
    cursor.only_part_ = profile.data_->part_of(block);
    return cursor;
}

PartId ProfileData::part_of(std::uint32_t block) const {
    const auto after =
        std::upper_bound(layouts.begin(), layouts.end(), block,
                         [](std::uint32_t row, const PartLayout& part) { return row < part.first_block; });
    return PartId(static_cast<std::size_t>(after - layouts.begin() - 1));
}

namespace {

void get_costs(const unsigned char*& at, std::size_t columns, std::vector<Cost>& costs) {
    if (columns <= 1) {
        if (costs.size() != 1) costs.resize(1);
        costs[0] = unzigzag(get_varint(at));
        return;
    }
    if (columns > 64) {
        costs.resize(static_cast<std::size_t>(get_varint(at)));
        for (Cost& cost : costs) cost = unzigzag(get_varint(at));
        return;
    }
    const std::uint64_t present = get_varint(at);
    costs.clear();
    for (std::uint64_t rest = present; rest != 0; rest >>= 1U)
        costs.emplace_back((rest & 1U) != 0 ? unzigzag(get_varint(at)) : 0);
}

std::uint64_t step(const unsigned char*& at) { return static_cast<std::uint64_t>(unzigzag(get_varint(at))); }

}  // namespace

FileId RecordCursor::file_of(std::uint32_t number) const {
    return data_->file_links.empty() ? FileId(number) : data_->file_links[number];
}

inline void RecordCursor::read_cost(unsigned op, Record& record) {
    const unsigned address_step = op >> 3U & 15U;
    address_ += address_step == 15 ? step(at_) : address_step;
    const unsigned line_step = op >> 1U & 3U;
    line_ += line_step == 3 ? step(at_) : line_step;
    if ((op & 1U) == 0) get_costs(at_, columns_, costs_);
    record.costs = costs_;
}

/// Where a call or jump is made.
void RecordCursor::read_place(unsigned flags, Record& record) {
    record.has_place = (flags & packed_flag::place) != 0;
    record.has_target_place = (flags & packed_flag::target) != 0;
    if (!record.has_place) return;
    address_ += step(at_);
    line_ += step(at_);
}

void RecordCursor::read_target_place(Record& record) {
    if (!record.has_target_place) return;
    record.target_address = address_ + step(at_);
    record.target_line = line_ + step(at_);
}

void RecordCursor::read_call(unsigned flags, Record& record) {
    record.kind = Record::Kind::call;
    record.arc = ArcId(get_u32(at_));
    if (!data_->arc_links.empty()) record.arc = data_->arc_links[record.arc.value];
    record.count = get_varint(at_);
    read_target_place(record);
    if ((flags & packed_flag::target_minus_one) != 0 && no_line_) record.target_line = 0;
    get_costs(at_, columns_, call_costs_);
    record.costs = call_costs_;
}

void RecordCursor::read_jump(unsigned flags, Record& record) {
    record.kind = Record::Kind::jump;
    record.conditional = (flags & packed_flag::conditional) != 0;
    record.executed = get_varint(at_);
    record.followed = record.conditional ? get_varint(at_) : record.executed;
    read_target_place(record);
    record.target_file = file_;
    record.target_function = function_;
    if ((flags & packed_flag::elsewhere) == 0) return;
    record.target_file = file_of(get_u32(at_));
    if (const std::uint32_t target = get_u32(at_); target != no_row)
        record.target_function = data_->jump_targets[target].function;
}

bool RecordCursor::next(Record& record) {
    bool minus_one = false;
    for (bool is_found = false; !is_found;) {
        if (at_ == nullptr && !open_block()) return false;
        const unsigned op = *at_++;
        if ((op & 0x80U) != 0) {
            record = Record{};
            read_cost(op, record);
            break;
        }
        const unsigned flags = op >> 3U;
        switch (static_cast<PackedOp>(op & 7U)) {
            case PackedOp::end:
                at_ = nullptr;
                break;
            case PackedOp::file:
                file_ = file_of(get_u32(at_));
                break;
            case PackedOp::minus_one:
                minus_one = true;
                break;
            case PackedOp::call:
                record = Record{};
                read_place(flags, record);
                read_call(flags, record);
                is_found = true;
                break;
            case PackedOp::jump:
                record = Record{};
                read_place(flags, record);
                read_jump(flags, record);
                is_found = true;
                break;
        }
    }
    if (record.has_place) {
        record.file = file_;
        record.address = address_;
        record.line = minus_one && no_line_ ? 0 : line_;
    } else {
        record.file = data_->functions[function_.value].file;
    }
    return true;
}

}  // namespace callcost
