// Inlined code as functions.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.hpp"
#include "callcost/call_graph.hpp"
#include "callcost/inlining.hpp"
#include "merge/copied_profile.hpp"
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
    return nullptr;
}

/// Which site an address is in. Addresses mostly ascend.
class SiteFinder {
  public:
    explicit SiteFinder(const InlineMap* map) : map_(map) {}

    [[nodiscard]] std::uint32_t site_at(std::uint64_t address) {
        if (map_ == nullptr || address == 0) return InlineSite::none;
        if (address < first_ || address > last_) find(address);
        return site_;
    }

  private:
    void find(std::uint64_t address) {
        const auto& runs = map_->runs;
        const auto after = std::upper_bound(
            runs.begin(), runs.end(), address,
            [](std::uint64_t where, const InlineMap::Run& run) { return where < run.address; });
        first_ = after == runs.begin() ? 0 : (after - 1)->address;
        site_ = after == runs.begin() ? InlineSite::none : (after - 1)->site;
        last_ = after == runs.end() ? UINT64_MAX : after->address - 1;
    }

    const InlineMap* map_;
    std::uint64_t first_ = 1, last_ = 0;  // where the site is the same
    std::uint32_t site_ = InlineSite::none;
};

/// What inlined functions are as rows of the profile.
class InlinedFunctions {
  public:
    InlinedFunctions(const Profile& profile, std::span<const InlineMap> maps, ProfileData& data)
        : maps_(maps), data_(data), functions_(maps.size()) {
        const ContextNames contexts(profile);
        for (std::size_t row = 0; row < profile.function_count(); ++row) {
            const FunctionData& function = data.functions[row];
            std::uint32_t name = function.name;
            if (contexts.any()) name = data.function_names.intern(contexts.split(FunctionId(row)).name);
            copies_.emplace_back(function.object, name, function.file);
        }
        std::sort(copies_.begin(), copies_.end());
        copies_.erase(std::unique(copies_.begin(), copies_.end()), copies_.end());
    }

    FunctionData row_of(std::size_t map, std::uint32_t function, ObjectId object) {
        auto& known = functions_[map];
        known.resize(maps_[map].functions.size());
        if (!known[function]) {
            const InlinedFunction& inlined = maps_[map].functions[function];
            const std::uint32_t name =
                data_.function_names.intern(inlined.name.empty() ? unknown_name : inlined.name);
            known[function] = {object, file_of(inlined, object, name), name & 0x7fffffffU, 0};
        }
        return *known[function];
    }

    FileId file_row(const std::string& name) {
        return FileId(name.empty() ? 0U : data_.file_names.intern(name));
    }

  private:
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
    std::span<const InlineMap> maps_;
    ProfileData& data_;
    std::vector<Copy> copies_;  // functions of the profile without context, sorted
    std::vector<std::vector<std::optional<FunctionData>>> functions_;  // by map
};

class Expanding {
  public:
    Expanding(const Profile& profile, std::span<const InlineMap> maps)
        : profile_(profile), from_(ProfileAccess::data(profile)), maps_(maps) {}

    Result<Profile> run() {
        map_of_.assign(profile_.object_count(), UINT32_MAX);
        bool any = false;
        for (std::size_t map = 0; map < maps_.size(); ++map) {
            const std::uint32_t object = from_.object_names.find(maps_[map].object);
            if (object == UINT32_MAX || map_of_[object] != UINT32_MAX) continue;
            map_of_[object] = static_cast<std::uint32_t>(map);
            any = true;
        }
        if (!any || profile_.has_inlined()) return profile_;
        max_rows_ = max_inlined_of_small;
        for (const Part& part : from_.parts)
            max_rows_ += max_inlined_of_record * (part.cost_lines + part.call_records);
        max_rows_ = std::min(max_rows_, max_inlined);
        copy_description(from_, to_);
        inlined_functions_.emplace(profile_, maps_, to_);
        first_inlined_ = static_cast<std::uint32_t>(to_.functions.size());
        start_tables();
        for (std::size_t part = 0; part < from_.parts.size(); ++part) {
            to_.layouts.push_back({static_cast<std::uint32_t>(to_.blocks.size()), false});
            for (const auto& [function, block] : blocks_[part]) {
                take_block(function, block, PartId(part));
                if (is_too_large())
                    return tl::unexpected(
                        Error{.code = ErrorCode::too_large, .detail = "too much inlined code"});
                add_up();
                count_entries();
                keep_rows();
            }
        }
        if (to_.inlined.rows.empty()) return profile_;
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
        Record record;
        std::size_t costs = 0, size = 0;
    };

    void start_tables();
    void take_block(FunctionId function, std::uint32_t block, PartId part);
    std::uint32_t owner_of(std::uint32_t site);
    FunctionId instance(std::uint32_t site);
    void add_up();
    void count_entries();
    void keep_rows();
    void keep_row(FunctionId function, const Record& record);
    void keep_inlined(FunctionId caller, std::uint32_t open);
    void add_to_arc(ArcId arc, std::uint64_t count, std::span<const Cost> costs);
    ArcId arc_between(FunctionId caller, FunctionId callee);
    void keep_other_arcs();
    [[nodiscard]] std::span<const EventId> columns() const { return to_.parts[part_.value].events; }
    [[nodiscard]] bool is_too_large() const {
        return to_.inlined.rows.size() > max_rows_ || open_.size() * columns().size() > max_sums ||
               to_.blocks.size() + open_.size() >= no_row - 1;
    }

    const Profile& profile_;
    const ProfileData& from_;
    std::size_t max_rows_ = 0;
    std::span<const InlineMap> maps_;
    std::vector<std::uint32_t> map_of_;  // by object
    std::shared_ptr<ProfileData> shared_ = std::make_shared<ProfileData>();
    ProfileData& to_ = *shared_;
    std::optional<InlinedFunctions> inlined_functions_;
    std::uint32_t first_inlined_ = 0;
    std::optional<EventId> instructions_;                                    // Ir
    std::vector<std::vector<std::pair<FunctionId, std::uint32_t>>> blocks_;  // first ones, by part
    std::unordered_map<std::uint64_t, FunctionId, SeededHash> instances_;    // by function and site
    std::unordered_map<std::uint64_t, ArcId, SeededHash> arcs_;              // by their ends
    std::vector<bool> arc_has_records_;                                      // of the old profile
    JumpTargets jump_targets_;

    // The records of a function in a part.
    FunctionId function_;
    PartId part_;
    std::uint32_t map_ = UINT32_MAX;
    std::vector<Row> rows_;
    std::vector<Cost> costs_;
    std::vector<FunctionId> open_;        // inlined in it, outer ones first
    std::vector<std::uint32_t> parents_;  // of these, as Row::owner
    std::unordered_map<std::uint64_t, std::uint32_t, SeededHash> owner_of_site_;
    std::vector<std::uint32_t> chain_;
    CostTable inclusive_;  // by open_, then column of the part
    std::vector<Cost> inlined_costs_;
    RecordPacker packer_;
    FileId packed_file_;
};

void Expanding::start_tables() {
    const std::size_t columns = to_.events.size();
    for (CostTable* table : {&to_.self, &to_.arc_costs, &to_.located}) table->set_columns(columns);
    to_.self.grow(to_.functions.size());
    to_.located.grow(to_.file_names.size());
    to_.block_lists.grow(to_.functions.size(), {});
    arc_has_records_.assign(from_.arcs.size(), false);
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

FunctionId Expanding::instance(std::uint32_t site) {
    const auto [entry, is_new] =
        instances_.try_emplace(std::uint64_t{function_.value} << 32U | site, FunctionId());
    if (!is_new) return entry->second;
    const InlineSite& from = maps_[map_].sites[site];
    InlinedPlace code;
    code.in = from.parent == InlineSite::none
                  ? function_
                  : instances_.at(std::uint64_t{function_.value} << 32U | from.parent);
    code.file = from.file == InlineSite::none ? FileId(0U)
                                              : inlined_functions_->file_row(maps_[map_].files[from.file]);
    code.line = from.line;
    code.entry = from.entry;
    if (code.entry != 0 && instructions_) code.entries = 0;
    const ObjectId object = from_.functions[function_.value].object;
    to_.functions.push_back(inlined_functions_->row_of(map_, from.function, object));
    to_.block_lists.push_back({});
    to_.self.new_row();
    to_.inlined.rows.push_back(code);
    to_.inlined.hosts.push_back(function_);
    return entry->second = FunctionId(to_.functions.size() - 1);
}

/// Opens the inlined code of a site, and before it what it is in.
std::uint32_t Expanding::owner_of(std::uint32_t site) {
    std::uint32_t owner = 0;
    chain_.clear();
    for (; site != InlineSite::none; site = maps_[map_].sites[site].parent) {
        if (const auto known = owner_of_site_.find(site); known != owner_of_site_.end()) {
            owner = known->second;
            break;
        }
        chain_.push_back(site);
    }
    for (; !chain_.empty(); chain_.pop_back()) {
        open_.push_back(instance(chain_.back()));
        parents_.push_back(owner);
        owner = static_cast<std::uint32_t>(open_.size());
        owner_of_site_.emplace(chain_.back(), owner);
    }
    return owner;
}

void Expanding::take_block(FunctionId function, std::uint32_t block, PartId part) {
    function_ = function;
    part_ = part;
    map_ = map_of_[from_.functions[function.value].object.value];
    rows_.clear();
    costs_.clear();
    open_.clear();
    parents_.clear();
    owner_of_site_.clear();
    SiteFinder finder(map_ == UINT32_MAX ? nullptr : &maps_[map_]);
    RecordCursor cursor = ProfileAccess::records(profile_, function, block);
    for (Record record; cursor.next(record);) {
        Row row{.owner = 0, .record = record, .costs = costs_.size(), .size = record.costs.size()};
        costs_.insert(costs_.end(), record.costs.begin(), record.costs.end());
        if (record.kind == Record::Kind::call) arc_has_records_[record.arc.value] = true;
        if (record.kind != Record::Kind::jump) row.owner = owner_of(finder.site_at(record.address));
        rows_.push_back(row);
    }
    for (Row& row : rows_) row.record.costs = std::span(costs_).subspan(row.costs, row.size);
}

// ---- What it costs ----

void Expanding::add_up() {
    inclusive_ = CostTable();
    if (open_.empty()) return;
    inclusive_.set_columns(columns().size());
    inclusive_.grow(open_.size());
    for (const Row& row : rows_) {
        if (row.owner == 0) continue;
        for (std::size_t i = 0; i < row.size; ++i) inclusive_.add(row.owner - 1, i, row.record.costs[i]);
    }
    for (std::size_t open = open_.size(); open-- > 0;) {
        if (parents_[open] == 0) continue;
        for (std::size_t i = 0; i < columns().size(); ++i)
            inclusive_.add(parents_[open] - 1, i, inclusive_.get(open, i));
    }
}

void Expanding::count_entries() {
    const auto column = std::find(columns().begin(), columns().end(), instructions_.value_or(EventId()));
    if (open_.empty() || column == columns().end()) return;
    const auto place = static_cast<std::size_t>(column - columns().begin());
    std::vector<std::pair<std::uint64_t, std::size_t>> entries;  // address, row
    for (const FunctionId inlined : open_) {
        const std::size_t row = inlined.value - first_inlined_;
        if (to_.inlined.rows[row].entry != 0) entries.emplace_back(to_.inlined.rows[row].entry, row);
    }
    std::sort(entries.begin(), entries.end());
    for (const Row& row : rows_) {
        if (row.record.kind != Record::Kind::cost || place >= row.size) continue;
        const std::uint64_t address = row.record.address;
        auto entry = std::lower_bound(entries.begin(), entries.end(), std::pair(address, std::size_t{0}));
        for (; entry != entries.end() && entry->first == address; ++entry)
            *to_.inlined.rows[entry->second].entries += row.record.costs[place].magnitude();
    }
}

// ---- Records ----

/// The function's, then those of the code inlined in it, each with the calls of what is directly in it.
void Expanding::keep_rows() {
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const Row& a, const Row& b) { return a.owner < b.owner; });
    std::vector<std::uint32_t> inner(open_.size());
    std::iota(inner.begin(), inner.end(), 0U);
    std::stable_sort(inner.begin(), inner.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return parents_[a] < parents_[b]; });
    auto row = rows_.begin();
    auto call = inner.begin();
    for (std::uint32_t owner = 0; owner <= open_.size(); ++owner) {
        const FunctionId function = owner == 0 ? function_ : open_[owner - 1];
        const auto block = static_cast<std::uint32_t>(to_.blocks.size());
        to_.blocks.push_back(
            {static_cast<std::uint32_t>(to_.chunks.size()), packer_.begin_block(columns().size()), no_row});
        BlockList& blocks = to_.block_lists[function.value];
        (blocks.first == no_row ? blocks.first : to_.blocks[blocks.last].next) = block;
        blocks.last = block;
        to_.functions[function.value].has_records = 1;
        packed_file_ = to_.functions[function.value].file;
        for (; row != rows_.end() && row->owner == owner; ++row) keep_row(function, row->record);
        for (; call != inner.end() && parents_[*call] == owner; ++call) keep_inlined(function, *call);
        packer_.end_block();
    }
    if (packer_.size() >= chunk_bytes) keep_packed(packer_, to_);
}

void Expanding::keep_row(FunctionId function, const Record& record) {
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
            for (std::size_t i = 0; i < record.costs.size(); ++i) {
                to_.self.add(function.value, columns()[i].value, record.costs[i]);
                to_.located.add(record.file.value, columns()[i].value, record.costs[i]);
            }
            break;
        case Record::Kind::call: {
            const ArcId arc = arc_between(function, from_.arcs[record.arc.value].callee);
            packer_.call(own, arc.value, record.count, its, false, record.costs);
            add_to_arc(arc, record.count, record.costs);
            break;
        }
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
void Expanding::keep_inlined(FunctionId caller, std::uint32_t open) {
    const InlinedPlace& code = to_.inlined.rows[open_[open].value - first_inlined_];
    const FileId file = code.file.value == 0 ? to_.functions[caller.value].file : code.file;
    if (file != packed_file_) packer_.file(file.value);
    packed_file_ = file;
    inlined_costs_.clear();
    for (std::size_t i = 0; i < columns().size(); ++i) inlined_costs_.push_back(inclusive_.get(open, i));
    const ArcId arc = arc_between(caller, open_[open]);
    const PackedPlace place{code.entry, code.line};
    packer_.call(&place, arc.value, 0, nullptr, false, inlined_costs_);
    add_to_arc(arc, 0, inlined_costs_);
}

void Expanding::add_to_arc(ArcId arc, std::uint64_t count, std::span<const Cost> costs) {
    to_.arcs[arc.value].add_calls(CallCount::of(count));
    for (std::size_t i = 0; i < costs.size(); ++i) to_.arc_costs.add(arc.value, columns()[i].value, costs[i]);
}

ArcId Expanding::arc_between(FunctionId caller, FunctionId callee) {
    const auto [entry, is_new] =
        arcs_.try_emplace(std::uint64_t{caller.value} << 32U | callee.value, ArcId(to_.arcs.size()));
    if (is_new) {
        to_.arcs.push_back({.caller = caller, .callee = callee});
        to_.arc_costs.new_row();
    }
    return entry->second;
}

/// Arcs that no record is about stay, too.
void Expanding::keep_other_arcs() {
    for (std::size_t row = 0; row < from_.arcs.size(); ++row) {
        if (arc_has_records_[row]) continue;
        const ArcId arc = arc_between(from_.arcs[row].caller, from_.arcs[row].callee);
        to_.arcs[arc.value].add_calls(from_.arcs[row].calls());
        for (std::size_t event = 0; event < to_.events.size(); ++event)
            to_.arc_costs.add(arc.value, event, from_.arc_costs.get(row, event));
    }
}

}  // namespace

Result<Profile> expand_inlined(const Profile& profile, std::span<const InlineMap> maps) {
    if (profile.detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    for (const InlineMap& map : maps)
        if (const char* const wrong = what_is_wrong(map))
            return tl::unexpected(
                Error{.code = ErrorCode::bad_argument,
                      .detail = std::string("inlined code of ") + map.object + ": " + wrong});
    return Expanding(profile, maps).run();
}

}  // namespace callcost
