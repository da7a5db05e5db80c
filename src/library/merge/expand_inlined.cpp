// Inlined code as functions.
#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.hpp"
#include "callcost/call_graph.hpp"
#include "callcost/inlining.hpp"
#include "merge/copied_profile.hpp"
#include "merge/object_map.hpp"
#include "merge/packed_chunks.hpp"
#include "profile/profile_data.hpp"

namespace callcost {
namespace {

constexpr std::size_t max_inlined = 20'000'000;
constexpr std::size_t max_inlined_of_small = 250'000;
constexpr std::size_t max_inlined_of_record = 50;  // on average: a small file must not become a large profile
constexpr std::size_t max_sums = 200'000'000;      // of a function's inlined code

const char* what_is_wrong(const InlineMap& map) {
    for (std::size_t i = 0; i < map.sites.size(); ++i) {
        const InlineSite& site = map.sites[i];
        if (site.parent != InlineSite::none && site.parent >= i) return "a site is before its parent";
        if (site.function >= map.functions.size()) return "a site has no function";
        if (site.file != InlineSite::none && site.file >= map.files.size()) return "a site has no file";
    }
    for (std::size_t i = 0; i < map.runs.size(); ++i) {
        if (i != 0 && map.runs[i].address <= map.runs[i - 1].address) return "runs are not in order";
        if (map.runs[i].site != InlineSite::none && map.runs[i].site >= map.sites.size())
            return "a run has no site";
    }
    for (std::size_t i = 0; i < map.lines.size(); ++i) {
        if (i != 0 && map.lines[i].address <= map.lines[i - 1].address) return "lines are not in order";
        if (map.lines[i].file != InlineSite::none && map.lines[i].file >= map.files.size())
            return "a line has no file";
    }
    return nullptr;
}

/// What inlined functions are as rows of the profile.
class InlinedFunctions {
  public:
    InlinedFunctions(const Profile& profile, std::span<const std::unique_ptr<ObjectMap>> map_of,
                     ProfileData& data)
        : data_(data) {
        const ContextNames contexts(profile);
        for (std::size_t row = 0; row < profile.function_count(); ++row) {
            const FunctionData& function = data.functions[row];
            if (!map_of[function.object.value]) continue;
            std::uint32_t name = function.name;
            if (contexts.any()) name = data.function_names.intern(contexts.split(FunctionId(row)).name);
            copies_.emplace_back(function.object, name, function.file);
        }
        std::sort(copies_.begin(), copies_.end());
        copies_.erase(std::unique(copies_.begin(), copies_.end()), copies_.end());
    }

    FunctionData row_of(ObjectMap& map, std::uint32_t function, ObjectId object) {
        auto& known = map.functions[function];
        if (!known) {
            const InlinedFunction& inlined = map.map.functions[function];
            const std::uint32_t name =
                data_.function_names.intern(inlined.name.empty() ? unknown_name : inlined.name);
            known = {object, file_of(inlined, object, name), name & 0x7fffffffU, 0};
        }
        return *known;
    }

    FileId file_row(ObjectMap& map, std::uint32_t file) {
        if (file == InlineSite::none) return FileId(0U);
        FileId& known = map.files[file];
        if (!known.valid()) known = file_row(map.map.files[file]);
        return known;
    }

  private:
    FileId file_row(const std::string& name) {
        return FileId(name.empty() ? 0U : data_.file_names.intern(name));
    }
    static std::string_view base_name(std::string_view path) {
        return path.substr(path.find_last_of("/\\") + 1);
    }
    /// That of the copy that is not inlined, if it is the same one: files may have several spellings.
    FileId file_of(const InlinedFunction& function, ObjectId object, std::uint32_t name) {
        const FileId declared = file_row(function.file);
        const auto begin = std::lower_bound(copies_.begin(), copies_.end(), Copy{object, name, FileId(0U)});
        auto end = begin;
        for (; end != copies_.end() && std::get<0>(*end) == object && std::get<1>(*end) == name; ++end)
            if (std::get<2>(*end) == declared) return declared;
        if (end - begin != 1) return declared;
        const FileId file = std::get<2>(*begin);
        return function.file.empty() || base_name(data_.file_names[file.value]) == base_name(function.file)
                   ? file
                   : declared;
    }

    using Copy = std::tuple<ObjectId, std::uint32_t, FileId>;
    ProfileData& data_;
    std::vector<Copy> copies_;  // functions of objects with maps, without context, sorted
};

class Expanding {
  public:
    Expanding(const Profile& profile, std::span<const InlineMap> maps, Detail detail)
        : profile_(profile),
          from_(ProfileAccess::data(profile)),
          maps_(maps),
          is_full_(detail == Detail::full) {}

    Result<Profile> run() {
        if (!find_maps() || profile_.has_inlined()) return profile_;
        max_rows_ = max_inlined_of_small;
        for (const Part& part : from_.parts)
            max_rows_ += max_inlined_of_record * (part.cost_lines + part.call_records);
        max_rows_ = std::min(max_rows_, max_inlined);
        copy_description(from_, to_);
        if (!is_full_) to_.detail = Detail::functions;
        inlined_functions_.emplace(profile_, map_of_, to_);
        first_inlined_ = static_cast<std::uint32_t>(to_.functions.size());
        start_tables();
        for (std::size_t part = 0; part < from_.parts.size(); ++part) {
            columns_ = to_.parts[part].events;
            if (is_full_) to_.layouts.push_back({static_cast<std::uint32_t>(to_.blocks.size()), false});
            for (const auto& [function, block] : blocks_[part]) {
                take_block(function, block);
                if (is_too_large_)
                    return tl::unexpected(
                        Error{.code = ErrorCode::too_large, .detail = "too much inlined code"});
                add_up();
                keep_calls();
                if (is_full_) keep_rows();
                close_all();
            }
        }
        if (to_.inlined.rows.empty() && !has_new_lines_) return profile_;
        keep_packed(packer_, to_);
        keep_other_arcs();
        to_.located.grow(to_.file_names.size());
        to_.inlined.first = first_inlined_;
        return Profile(shared_);
    }

  private:
    /// A record, and which function it belongs to now: 0 the one it is in, else one more than the place of
    /// the inlined one among the `open_`.
    struct Row {
        std::uint32_t owner = 0;
        std::uint32_t call = 0;  // row of calls_
        Record record;
        std::size_t costs = 0;  // where they are
    };
    struct Call {
        std::uint32_t owner = 0;
        ArcId arc;  // first the old one
        std::uint64_t count = 0;
        std::size_t costs = 0, size = 0;
    };
    /// Inlined code that records of a block are in.
    struct Open {
        FunctionId function;
        std::uint32_t parent = 0;  // as Row::owner
        std::uint32_t site = 0;
        ArcId arc;  // that leads to it
    };

    bool find_maps();
    void start_tables();
    void take_block(FunctionId function, std::uint32_t block);
    void take_record(Record& record);
    void find_lines(Record& record);
    std::uint32_t owner_at(std::uint64_t address);
    std::uint32_t open(std::uint32_t site);
    FunctionId instance(std::uint32_t site, std::uint32_t parent);
    void add_up();
    void count_entries();
    void keep_calls();
    void keep_rows();
    void keep_row(FunctionId function, const Row& row);
    void keep_inlined(FunctionId caller, const Open& inlined);
    void close_all();
    void add_to_arc(ArcId arc, std::uint64_t count, std::span<const Cost> costs);
    ArcId known_arc(ArcId& arc, FunctionId caller, FunctionId callee);
    void keep_other_arcs();
    [[nodiscard]] FunctionId function_of(std::uint32_t owner) const {
        return owner == 0 ? function_ : open_[owner - 1].function;
    }
    [[nodiscard]] std::span<const Cost> costs_of(std::size_t costs, std::size_t size) const {
        return std::span(costs_).subspan(costs, size);
    }
    [[nodiscard]] std::span<const Cost> inclusive_of(std::uint32_t open);
    void check_size() {
        is_too_large_ = to_.inlined.rows.size() > max_rows_ || open_.size() * columns_.size() > max_sums ||
                        to_.blocks.size() + open_.size() >= no_row - 1;
    }

    const Profile& profile_;
    const ProfileData& from_;
    std::span<const InlineMap> maps_;
    const bool is_full_;
    std::size_t max_rows_ = 0;
    bool is_too_large_ = false, has_new_lines_ = false;
    std::vector<std::unique_ptr<ObjectMap>> map_of_;  // by object; null: there is none
    std::shared_ptr<ProfileData> shared_ = std::make_shared<ProfileData>();
    ProfileData& to_ = *shared_;
    std::optional<InlinedFunctions> inlined_functions_;
    std::uint32_t first_inlined_ = 0;
    std::optional<EventId> instructions_;                                    // Ir
    std::vector<std::vector<std::pair<FunctionId, std::uint32_t>>> blocks_;  // first ones, by part
    // By function and site, where a later part may have them, too.
    std::unordered_map<std::uint64_t, FunctionId, SeededHash> instances_;
    std::vector<ArcId> arcs_;     // by arc of the old profile: what it is if its caller makes the call
    std::vector<ArcId> arcs_to_;  // by inlined function: from what it is in
    std::unordered_map<std::uint64_t, ArcId, SeededHash> arcs_of_inlined_;  // by their ends
    std::vector<bool> arc_has_records_;                                     // of the old profile
    JumpTargets jump_targets_;

    // The records of a function in a part.
    FunctionId function_;
    std::span<const EventId> columns_;  // of the part
    ObjectMap* map_ = nullptr;
    std::size_t entry_column_ = SIZE_MAX;  // of Ir
    std::vector<Row> rows_;                // if the records are kept
    std::vector<Call> calls_;
    std::vector<Cost> costs_;
    std::vector<Open> open_;                                  // outer ones first
    std::vector<std::pair<std::uint64_t, Cost>> at_entries_;  // address, cost
    std::vector<std::uint32_t> chain_;
    std::vector<std::uint64_t> inner_, order_;  // of open_ by parents, of calls_ or rows_ by owners
    CostTable inclusive_;                       // by open_, then column of the part
    std::vector<Cost> inlined_costs_;
    RecordPacker packer_;
    FileId packed_file_;
};

/// False if no object of the profile has one.
bool Expanding::find_maps() {
    map_of_.resize(profile_.object_count());
    bool any = false;
    for (const InlineMap& map : maps_) {
        const std::uint32_t object = from_.object_names.find(map.object);
        if (object == UINT32_MAX || map_of_[object]) continue;
        map_of_[object] = std::make_unique<ObjectMap>(map);
        any = true;
    }
    return any;
}

void Expanding::start_tables() {
    const std::size_t columns = to_.events.size();
    for (CostTable* table : {&to_.self, &to_.arc_costs, &to_.located}) table->set_columns(columns);
    to_.self.grow(to_.functions.size());
    to_.located.grow(to_.file_names.size());
    if (is_full_) to_.block_lists.grow(to_.functions.size(), {});
    arc_has_records_.assign(from_.arcs.size(), false);
    arcs_.resize(from_.arcs.size());
    for (std::size_t event = 0; event < columns; ++event)
        if (to_.events[event].name == "Ir") instructions_ = EventId(event);
    blocks_.resize(from_.parts.size());
    for (std::size_t row = 0; row < from_.functions.size(); ++row) {
        PartId last;
        for (std::uint32_t block = from_.block_lists[row].first; block != no_row;
             block = from_.blocks[block].next) {
            const PartId part = from_.part_of(block);
            if (part != last) blocks_[part.value].emplace_back(FunctionId(row), block);
            last = part;
        }
    }
}

// ---- Which function a record belongs to ----

FunctionId Expanding::instance(std::uint32_t site, std::uint32_t parent) {
    const FunctionId made(to_.functions.size());
    if (from_.parts.size() > 1) {
        const auto [known, is_new] =
            instances_.try_emplace(std::uint64_t{function_.value} << 32U | site, made);
        if (!is_new) return known->second;
    }
    const InlineSite& from = map_->map.sites[site];
    InlinedPlace code;
    code.in = function_of(parent);
    code.file = inlined_functions_->file_row(*map_, from.file);
    code.line = from.line;
    code.entry = from.entry;
    if (code.entry != 0 && instructions_) code.entries = 0;
    to_.functions.push_back(
        inlined_functions_->row_of(*map_, from.function, from_.functions[function_.value].object));
    if (is_full_) to_.block_lists.push_back({});
    to_.self.new_row();
    to_.inlined.rows.push_back(code);
    to_.inlined.hosts.push_back(function_);
    arcs_to_.emplace_back();
    return made;
}

/// Opens the inlined code of a site, and before it what it is in.
std::uint32_t Expanding::open(std::uint32_t site) {
    std::uint32_t owner = 0;
    for (; site != InlineSite::none; site = map_->map.sites[site].parent) {
        owner = map_->owners[site];
        if (owner != 0) break;
        chain_.push_back(site);
    }
    for (; !chain_.empty(); chain_.pop_back()) {
        open_.push_back({instance(chain_.back(), owner), owner, chain_.back(), {}});
        owner = static_cast<std::uint32_t>(open_.size());
        map_->owners[chain_.back()] = owner;
    }
    if (inclusive_.columns() == 0) inclusive_.set_columns(columns_.size());
    inclusive_.grow(open_.size());
    check_size();
    return owner;
}

std::uint32_t Expanding::owner_at(std::uint64_t address) {
    if (map_ == nullptr || address == 0) return 0;
    const std::uint32_t site = map_->sites.site_at(address);
    if (site == InlineSite::none) return 0;
    const std::uint32_t owner = map_->owners[site];
    return owner != 0 ? owner : open(site);
}

void Expanding::take_block(FunctionId function, std::uint32_t block) {
    function_ = function;
    map_ = map_of_[from_.functions[function.value].object.value].get();
    const auto column = std::find(columns_.begin(), columns_.end(), instructions_.value_or(EventId()));
    entry_column_ = column == columns_.end() || map_ == nullptr
                        ? SIZE_MAX
                        : static_cast<std::size_t>(column - columns_.begin());
    RecordCursor cursor = ProfileAccess::records(profile_, function, block);
    for (Record record; cursor.next(record) && !is_too_large_;) take_record(record);
    for (Row& row : rows_) row.record.costs = costs_of(row.costs, row.record.costs.size());
}

/// Of a record that has none.
void Expanding::find_lines(Record& record) {
    const auto find = [&](std::uint64_t address, std::uint64_t& line, FileId& file) {
        const InlineMap::Line* const found = line == 0 ? map_->lines.line_at(address) : nullptr;
        if (found == nullptr) return;
        line = found->line;
        file = inlined_functions_->file_row(*map_, found->file);
        has_new_lines_ = true;
    };
    if (record.has_place) find(record.address, record.line, record.file);
    if (record.kind == Record::Kind::jump && record.has_target_place && record.target_function == function_)
        find(record.target_address, record.target_line, record.target_file);
}

void Expanding::take_record(Record& record) {
    if (is_full_ && map_ != nullptr && record.line == 0) find_lines(record);
    const bool is_jump = record.kind == Record::Kind::jump;
    const std::uint32_t owner = is_jump ? 0 : owner_at(record.address);
    const std::size_t costs = costs_.size();
    if (record.kind == Record::Kind::call || is_full_)
        costs_.insert(costs_.end(), record.costs.begin(), record.costs.end());
    if (is_full_) rows_.push_back({owner, static_cast<std::uint32_t>(calls_.size()), record, costs});
    if (is_jump) return;
    if (record.kind == Record::Kind::call) {
        arc_has_records_[record.arc.value] = true;
        calls_.push_back({owner, record.arc, record.count, costs, record.costs.size()});
        return;
    }
    for (std::size_t i = 0; i < record.costs.size(); ++i) {
        if (owner != 0) {
            inclusive_.add(owner - 1, i, record.costs[i]);
        } else {
            to_.self.add(function_.value, columns_[i].value, record.costs[i]);
        }
        if (is_full_) to_.located.add(record.file.value, columns_[i].value, record.costs[i]);
    }
    if (entry_column_ < record.costs.size() && map_->entries.is_entry(record.address))
        at_entries_.emplace_back(record.address, record.costs[entry_column_]);
}

// ---- What it costs ----

void Expanding::add_up() {
    for (std::size_t open = 0; open < open_.size(); ++open)
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (const Cost own = inclusive_.get(open, i); own != 0)
                to_.self.add(open_[open].function.value, columns_[i].value, own);
    for (const Call& call : calls_)
        for (std::size_t i = 0; call.owner != 0 && i < call.size; ++i)
            inclusive_.add(call.owner - 1, i, costs_[call.costs + i]);
    for (std::size_t open = open_.size(); open-- > 0;) {
        if (open_[open].parent == 0) continue;
        for (std::size_t i = 0; i < columns_.size(); ++i)
            inclusive_.add(open_[open].parent - 1, i, inclusive_.get(open, i));
    }
    count_entries();
}

void Expanding::count_entries() {
    if (at_entries_.empty()) return;
    std::stable_sort(at_entries_.begin(), at_entries_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const Open& inlined : open_) {
        InlinedPlace& place = to_.inlined.rows[inlined.function.value - first_inlined_];
        auto cost = std::lower_bound(at_entries_.begin(), at_entries_.end(), place.entry,
                                     [](const auto& a, std::uint64_t address) { return a.first < address; });
        for (; place.entry != 0 && cost != at_entries_.end() && cost->first == place.entry; ++cost)
            *place.entries += cost->second.magnitude();
    }
}

/// The calls of the function, then those of the code inlined in it, and of each those to what is directly in
/// it, which take the place of inlined calls.
void Expanding::keep_calls() {
    order_.clear();
    inner_.clear();
    for (std::size_t row = 0; row < calls_.size(); ++row)
        order_.push_back(std::uint64_t{calls_[row].owner} << 32U | row);
    for (std::size_t row = 0; row < open_.size(); ++row)
        inner_.push_back(std::uint64_t{open_[row].parent} << 32U | row);
    if (!open_.empty()) {
        std::sort(order_.begin(), order_.end());
        std::sort(inner_.begin(), inner_.end());
    }
    auto call = order_.begin();
    auto inner = inner_.begin();
    for (std::uint32_t owner = 0; owner <= open_.size(); ++owner) {
        const FunctionId function = function_of(owner);
        to_.functions[function.value].has_records = 1;
        for (; call != order_.end() && *call >> 32U == owner; ++call) {
            Call& one = calls_[*call & UINT32_MAX];
            const FunctionId callee = from_.arcs[one.arc.value].callee;
            one.arc = owner == 0
                          ? known_arc(arcs_[one.arc.value], function, callee)
                          : known_arc(arcs_of_inlined_[std::uint64_t{function.value} << 32U | callee.value],
                                      function, callee);
            add_to_arc(one.arc, one.count, costs_of(one.costs, one.size));
        }
        for (; inner != inner_.end() && *inner >> 32U == owner; ++inner) {
            const auto row = static_cast<std::uint32_t>(*inner & UINT32_MAX);
            Open& one = open_[row];
            one.arc = known_arc(arcs_to_[one.function.value - first_inlined_], function, one.function);
            add_to_arc(one.arc, 0, inclusive_of(row));
        }
    }
}

std::span<const Cost> Expanding::inclusive_of(std::uint32_t open) {
    inlined_costs_.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) inlined_costs_.push_back(inclusive_.get(open, i));
    return inlined_costs_;
}

void Expanding::close_all() {
    for (const Open& inlined : open_) map_->owners[inlined.site] = 0;
    if (!open_.empty()) inclusive_ = CostTable();
    open_.clear();
    rows_.clear();
    calls_.clear();
    costs_.clear();
    at_entries_.clear();
}

// ---- Records ----

/// In the order of the calls.
void Expanding::keep_rows() {
    order_.clear();
    for (std::size_t row = 0; row < rows_.size(); ++row)
        order_.push_back(std::uint64_t{rows_[row].owner} << 32U | row);
    if (!open_.empty()) std::sort(order_.begin(), order_.end());
    auto row = order_.begin();
    auto inner = inner_.begin();
    for (std::uint32_t owner = 0; owner <= open_.size(); ++owner) {
        const FunctionId function = function_of(owner);
        const auto block = static_cast<std::uint32_t>(to_.blocks.size());
        to_.blocks.push_back(
            {static_cast<std::uint32_t>(to_.chunks.size()), packer_.begin_block(columns_.size()), no_row});
        BlockList& blocks = to_.block_lists[function.value];
        (blocks.first == no_row ? blocks.first : to_.blocks[blocks.last].next) = block;
        blocks.last = block;
        packed_file_ = to_.functions[function.value].file;
        for (; row != order_.end() && *row >> 32U == owner; ++row)
            keep_row(function, rows_[*row & UINT32_MAX]);
        for (; inner != inner_.end() && *inner >> 32U == owner; ++inner)
            keep_inlined(function, open_[*inner & UINT32_MAX]);
        packer_.end_block();
    }
    if (packer_.size() >= chunk_bytes) keep_packed(packer_, to_);
}

void Expanding::keep_row(FunctionId function, const Row& row) {
    const Record& record = row.record;
    const PackedPlace place{record.address, record.line};
    const PackedPlace target{record.target_address, record.target_line};
    const PackedPlace* const own = record.has_place ? &place : nullptr;
    const PackedPlace* const its = record.has_target_place ? &target : nullptr;
    if (record.has_place && record.file != packed_file_) {
        packer_.file(record.file.value);
        packed_file_ = record.file;
    }
    switch (record.kind) {
        case Record::Kind::cost:
            packer_.cost(place, record.costs);
            break;
        case Record::Kind::call:
            packer_.call(own, calls_[row.call].arc.value, record.count, its, false, record.costs);
            break;
        case Record::Kind::jump: {
            RecordPacker::Jump jump{
                .conditional = record.conditional,
                .executed = record.executed,
                .followed = record.followed,
                .elsewhere = record.target_file != packed_file_ || record.target_function != function,
                .target_file = record.target_file.value,
                .target_function = no_row};
            if (record.target_function != function)
                jump.target_function = jump_targets_.row_of(record.target_function, record.target_file, to_);
            packer_.jump(own, jump, its);
            break;
        }
    }
}

/// The call that an inlined function takes the place of.
void Expanding::keep_inlined(FunctionId caller, const Open& inlined) {
    const InlinedPlace& code = to_.inlined.rows[inlined.function.value - first_inlined_];
    const FileId file = code.file.value == 0 ? to_.functions[caller.value].file : code.file;
    if (file != packed_file_) packer_.file(file.value);
    packed_file_ = file;
    const PackedPlace place{code.entry, code.line};
    const auto row = static_cast<std::uint32_t>(&inlined - open_.data());
    packer_.call(&place, inlined.arc.value, 0, nullptr, false, inclusive_of(row));
}

void Expanding::add_to_arc(ArcId arc, std::uint64_t count, std::span<const Cost> costs) {
    to_.arcs[arc.value].add_calls(CallCount::of(count));
    for (std::size_t i = 0; i < costs.size(); ++i) to_.arc_costs.add(arc.value, columns_[i].value, costs[i]);
}

/// Makes the arc if it is not known yet.
ArcId Expanding::known_arc(ArcId& arc, FunctionId caller, FunctionId callee) {
    if (arc.valid()) return arc;
    arc = ArcId(to_.arcs.push_back({.caller = caller, .callee = callee}));
    to_.arc_costs.new_row();
    return arc;
}

/// Arcs that no record is about stay, too.
void Expanding::keep_other_arcs() {
    for (std::size_t row = 0; row < from_.arcs.size(); ++row) {
        if (arc_has_records_[row]) continue;
        const ArcId arc = known_arc(arcs_[row], from_.arcs[row].caller, from_.arcs[row].callee);
        to_.arcs[arc.value].add_calls(from_.arcs[row].calls());
        for (std::size_t event = 0; event < to_.events.size(); ++event)
            to_.arc_costs.add(arc.value, event, from_.arc_costs.get(row, event));
    }
}

}  // namespace

Result<Profile> expand_inlined(const Profile& profile, std::span<const InlineMap> maps, Detail detail) {
    if (profile.detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    for (const InlineMap& map : maps)
        if (const char* const wrong = what_is_wrong(map))
            return tl::unexpected(
                Error{.code = ErrorCode::bad_argument,
                      .detail = std::string("inlined code of ") + map.object + ": " + wrong});
    return Expanding(profile, maps, detail).run();
}

}  // namespace callcost
