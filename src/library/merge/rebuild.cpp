#include "merge/rebuild.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "callcost/event_type.hpp"
#include "merge/packed_chunks.hpp"
#include "merge/rows.hpp"
#include "merge/sorted_names.hpp"
#include "merge/summed_part.hpp"
#include "merge/united_events.hpp"
#include "profile/profile_data.hpp"

namespace callcost {
namespace {

/// Which function something becomes. Inlined code comes after all functions.
struct Identity {
    std::uint32_t is_inlined = 0;
    std::uint32_t object = 0, file = 0, name = 0;  // of the host
    std::uint32_t inlined_file = 0, inlined_name = 0;
    friend auto operator<=>(const Identity&, const Identity&) = default;  // NOLINT(modernize-use-nullptr)
};

/// An input, and where its rows are in the result.
struct InputMapping {
    std::vector<std::uint32_t> columns;  // by EventId
    std::vector<FileId> files;
    std::vector<Identity> identities;
    std::vector<FunctionId> functions;
    std::vector<ArcId> arcs;
};

class Rebuilding {
  public:
    Rebuilding(std::span<const RebuildInput> inputs, OddColumns odd_columns)
        : inputs_(inputs),
          odd_columns_(odd_columns),
          mapped_(inputs.size()),
          keeps_inlined_(std::all_of(inputs.begin(), inputs.end(), [](const RebuildInput& input) {
              const InlinedRows& inlined = ProfileAccess::data(*input.profile).inlined;
              return input.added.empty() && (inlined.rows.empty() || inlined.are_as_written());
          })) {}

    Result<Profile> run() {
        if (auto done = map_events(); !done) return tl::unexpected(done.error());
        map_names();
        map_functions();
        map_arcs();
        for (std::size_t i = 0; i < data_.functions.size(); ++i) rebuild_function(FunctionId(i));
        keep_packed(packer_, data_);
        drop_unused_arcs();
        describe_part(inputs_, std::move(part_), {self_, inclusive_}, data_);
        return Profile(shared_);
    }

  private:
    Result<void> map_events();
    void map_names();
    void map_functions();
    void map_arcs();
    [[nodiscard]] ArcId arc_between(std::pair<FunctionId, FunctionId> ends) const;
    void rebuild_function(FunctionId function);
    void take_rows(const RebuildInput& input, const InputMapping& mapped, FunctionId function);
    void take_added(const RebuildInput& input, const InputMapping& mapped, FunctionId function);
    void take_costs(Row& row, const Record& record, std::span<const EventId> columns,
                    const InputMapping& mapped);
    [[nodiscard]] bool take_call(Row& row, const Record& record, const InputMapping& mapped,
                                 bool is_dropped) const;
    void add_up(Row& row, const Row& other);
    void keep_row(const Row& row);
    void drop_unused_arcs();

    using Ends = std::pair<FunctionId, FunctionId>;  // of an arc

    std::span<const RebuildInput> inputs_;
    OddColumns odd_columns_;
    std::vector<InputMapping> mapped_;
    std::shared_ptr<ProfileData> shared_ = std::make_shared<ProfileData>();
    ProfileData& data_ = *shared_;
    bool is_additive_ = true;  // all columns
    bool keeps_inlined_;       // else inlined code becomes one with the other functions of its name

    // Which functions of which input became a function: its own are between two entries of first_origin_.
    std::vector<std::pair<std::uint32_t, FunctionId>> origins_;
    std::vector<std::size_t> first_origin_;
    std::vector<Ends> arcs_;         // sorted
    std::vector<bool> arc_is_used_;  // it has records

    // One function at a time.
    FunctionId function_;
    std::vector<Row> rows_;
    std::vector<Cost> costs_;
    RecordPacker packer_;
    FileId packed_file_;
    JumpTargets jump_targets_;
    Part part_;
    std::vector<Cost> self_, inclusive_;
};

Result<void> Rebuilding::map_events() {
    std::vector<const Profile*> profiles;
    for (const RebuildInput& input : inputs_) {
        if (input.profile->detail() != Detail::full)
            return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
        profiles.push_back(input.profile);
    }
    Result<UnitedEvents> united = unite_events(profiles, odd_columns_);
    if (!united) return tl::unexpected(united.error());
    data_.events = std::move(united->events);
    data_.formulas = std::move(united->formulas);
    for (std::size_t i = 0; i < inputs_.size(); ++i) mapped_[i].columns = std::move(united->columns[i]);
    is_additive_ = std::all_of(data_.events.begin(), data_.events.end(), [](const EventType& event) {
        return event.aggregation != Aggregation::minimum && event.aggregation != Aggregation::maximum;
    });
    self_.assign(data_.events.size(), 0);
    inclusive_.assign(data_.events.size(), 0);
    return {};
}

void Rebuilding::map_names() {
    SortedNames objects, files, names;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const RebuildInput& input = inputs_[i];
        const Profile& profile = *input.profile;
        for (std::size_t row = 0; row < profile.file_count(); ++row) {
            const FileId file(row);
            mapped_[i].files.emplace_back(files.add(input.file ? input.file(file) : profile.name(file)));
        }
        for (std::size_t row = 0; row < profile.function_count(); ++row) {
            const FunctionId function(row);
            Identity& identity = mapped_[i].identities.emplace_back();
            if (input.function) {
                const FunctionKey name = input.function(function);
                identity = {0, objects.add(name.object), files.add(name.file), names.add(name.name)};
            } else {
                identity = {0, objects.add(profile.name(profile.object(function))),
                            files.add(profile.name(profile.file(function))),
                            names.add(profile.name(function))};
            }
            if (!keeps_inlined_ || !profile.inlined_in(function).valid()) continue;
            const Identity code = identity;
            identity = mapped_[i].identities[profile.host(function).value];
            identity.is_inlined = 1;
            identity.inlined_file = code.file;
            identity.inlined_name = code.name;
        }
    }
    objects.sort_into(data_.object_names);
    files.sort_into(data_.file_names);
    names.sort_into(data_.function_names);
    for (InputMapping& mapped : mapped_) {
        for (FileId& file : mapped.files) file = FileId(files[file.value]);
        for (Identity& id : mapped.identities) {
            id.object = objects[id.object];
            id.file = files[id.file];
            id.name = names[id.name];
            if (id.is_inlined == 0) continue;
            id.inlined_file = files[id.inlined_file];
            id.inlined_name = names[id.inlined_name];
        }
    }
}

void Rebuilding::map_functions() {
    std::vector<std::pair<Identity, std::pair<std::uint32_t, FunctionId>>> all;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        for (std::size_t row = 0; row < mapped_[i].identities.size(); ++row)
            all.push_back({mapped_[i].identities[row], {static_cast<std::uint32_t>(i), FunctionId(row)}});
    std::sort(all.begin(), all.end());
    std::vector<Identity> hosts;
    data_.self.set_columns(data_.events.size());
    data_.located.set_columns(data_.events.size());
    data_.located.grow(data_.file_names.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        mapped_[i].functions.resize(mapped_[i].identities.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Identity& id = all[i].first;
        if (i == 0 || all[i - 1].first != id) {
            const bool is_inlined = id.is_inlined != 0;
            const std::uint32_t file = is_inlined ? id.inlined_file : id.file;
            const std::uint32_t name = is_inlined ? id.inlined_name : id.name;
            if (is_inlined) {
                if (data_.inlined.rows.empty())
                    data_.inlined.first = static_cast<std::uint32_t>(data_.functions.size());
                const auto host =
                    std::lower_bound(hosts.begin(), hosts.end(), Identity{0, id.object, id.file, id.name});
                data_.inlined.add(FunctionId(static_cast<std::size_t>(host - hosts.begin())));
            } else {
                hosts.push_back(id);
            }
            data_.functions.push_back({ObjectId(id.object), FileId(file), name & 0x7fffffffU, 0});
            data_.block_lists.push_back({});
            data_.self.new_row();
            first_origin_.push_back(i);
        }
        const auto [input, row] = all[i].second;
        mapped_[input].functions[row.value] = FunctionId(data_.functions.size() - 1);
        origins_.push_back(all[i].second);
    }
    first_origin_.push_back(all.size());
}

/// Counts and costs are added when the records are: these may be those of some parts only.
void Rebuilding::map_arcs() {
    const auto ends_of = [this](std::size_t input, ArcId arc) {
        const Profile& profile = *inputs_[input].profile;
        return Ends(mapped_[input].functions[profile.caller(arc).value],
                    mapped_[input].functions[profile.callee(arc).value]);
    };
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        for (std::size_t row = 0; row < inputs_[i].profile->arc_count(); ++row)
            arcs_.push_back(ends_of(i, ArcId(row)));
        for (const AddedRecord& added : inputs_[i].added)
            if (added.callee.valid())
                arcs_.emplace_back(mapped_[i].functions[added.function.value],
                                   mapped_[i].functions[added.callee.value]);
    }
    std::sort(arcs_.begin(), arcs_.end());
    arcs_.erase(std::unique(arcs_.begin(), arcs_.end()), arcs_.end());
    arc_is_used_.resize(arcs_.size(), false);
    data_.arc_costs.set_columns(data_.events.size());
    for (const auto& [caller, callee] : arcs_) {
        data_.arcs.push_back({.caller = caller, .callee = callee});
        data_.arc_costs.new_row();
    }
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        for (std::size_t row = 0; row < inputs_[i].profile->arc_count(); ++row)
            mapped_[i].arcs.push_back(arc_between(ends_of(i, ArcId(row))));
}

ArcId Rebuilding::arc_between(Ends ends) const {
    return ArcId(
        static_cast<std::size_t>(std::lower_bound(arcs_.begin(), arcs_.end(), ends) - arcs_.begin()));
}

/// What other parts or functions called is not called.
void Rebuilding::drop_unused_arcs() {
    if (std::find(arc_is_used_.begin(), arc_is_used_.end(), false) == arc_is_used_.end()) return;
    PagedVector<ArcData> arcs;
    CostTable costs;
    costs.set_columns(data_.events.size());
    data_.arc_links.resize(data_.arcs.size());
    for (std::size_t i = 0; i < data_.arcs.size(); ++i) {
        if (!arc_is_used_[i]) continue;
        data_.arc_links[i] = ArcId(arcs.size());
        arcs.push_back(data_.arcs[i]);
        costs.new_row();
    }
    data_.arc_costs.for_each([&](std::size_t row, std::size_t column, Cost cost) {
        if (arc_is_used_[row]) costs.add(data_.arc_links[row].value, column, cost);
    });
    data_.arcs = std::move(arcs);
    data_.arc_costs = std::move(costs);
}

// ---- Records ----

/// The costs by the united columns, without zeros at the end.
void Rebuilding::take_costs(Row& row, const Record& record, std::span<const EventId> columns,
                            const InputMapping& mapped) {
    row.costs = costs_.size();
    for (std::size_t i = 0; i < record.costs.size(); ++i) {
        const std::uint32_t column = mapped.columns[columns[i].value];
        if (record.costs[i] == 0 || column == UnitedEvents::left_out) continue;
        if (column >= row.size) {
            row.size = column + 1;
            costs_.resize(row.costs + row.size, 0);
        }
        costs_[row.costs + column] += record.costs[i];
    }
}

/// False for a call inside what has become one function without places.
bool Rebuilding::take_call(Row& row, const Record& record, const InputMapping& mapped,
                           bool is_dropped) const {
    row.key.arc = mapped.arcs[record.arc.value];
    row.key.is_special = record.count == 0;
    row.count = record.count;
    if (is_dropped) return data_.arcs[row.key.arc.value].callee != function_;
    row.target_address = record.target_address;
    row.target_line = record.target_line;
    return true;
}

void Rebuilding::take_rows(const RebuildInput& input, const InputMapping& mapped, FunctionId function) {
    const bool is_dropped = input.without_places && input.without_places(function);
    const bool no_places = is_dropped || !input.lines;
    RecordCursor cursor = input.profile->records(function);
    for (Record record; cursor.next(record);) {
        if (!input.parts.empty() && !input.parts[cursor.part().value]) continue;
        if (input.leave_out && input.leave_out(function, record)) continue;
        Row row;
        row.key.kind = record.kind;
        row.key.file = no_places ? data_.functions[function_.value].file : mapped.files[record.file.value];
        if (!no_places) {
            if (input.addresses) {
                row.key.address = record.address;
            } else if (record.address != 0 && input.addresses_left_out != nullptr) {
                ++*input.addresses_left_out;
            }
            row.key.line = record.line;
        }
        if (record.kind == Record::Kind::jump) {
            if (no_places) continue;
            row.key.is_special = record.conditional;
            row.key.target_file = mapped.files[record.target_file.value];
            if (record.target_function.valid())
                row.key.target_function = mapped.functions[record.target_function.value];
            if (record.target_function.valid() && input.without_places &&
                input.without_places(record.target_function)) {
                row.key.target_file = data_.functions[row.key.target_function.value].file;
            } else {
                row.key.target_address = record.target_address;
                row.key.target_line = record.target_line;
            }
            row.count = record.executed;
            row.followed = record.followed;
        } else {
            if (record.kind == Record::Kind::call && !take_call(row, record, mapped, is_dropped)) continue;
            if (!input.lines) row.target_address = row.target_line = 0;
            take_costs(row, record, input.profile->parts()[cursor.part().value].events, mapped);
        }
        rows_.push_back(row);
    }
}

/// What is not in the profile, but shall be.
void Rebuilding::take_added(const RebuildInput& input, const InputMapping& mapped, FunctionId function) {
    const auto before = [](const AddedRecord& record, FunctionId id) { return record.function < id; };
    auto added = std::lower_bound(input.added.begin(), input.added.end(), function, before);
    for (; added != input.added.end() && added->function == function; ++added) {
        Row row;
        row.key.file = data_.functions[function_.value].file;
        if (added->file.valid()) row.key.file = mapped.files[added->file.value];
        row.key.address = added->address;
        row.key.line = added->line;
        if (added->callee.valid()) {
            row.key.kind = Record::Kind::call;
            row.key.arc = arc_between({function_, mapped.functions[added->callee.value]});
            row.key.is_special = added->count == 0;
            row.count = added->count;
        }
        Record record;
        record.costs = added->costs;
        take_costs(row, record, input.profile->parts()[0].events, mapped);
        rows_.push_back(row);
    }
}

void Rebuilding::add_up(Row& row, const Row& other) {
    row.count = saturated_sum(row.count, other.count);
    row.followed = saturated_sum(row.followed, other.followed);
    settle_target(row, other);
    if (other.size > row.size) {
        const std::size_t to = costs_.size();
        costs_.resize(to + other.size, 0);
        std::copy_n(costs_.begin() + static_cast<std::ptrdiff_t>(row.costs), row.size,
                    costs_.begin() + static_cast<std::ptrdiff_t>(to));
        row.costs = to;
        row.size = other.size;
    }
    for (std::size_t i = 0; i < row.size; ++i) {
        Cost& cost = costs_[row.costs + i];
        const Cost more = i < other.size ? costs_[other.costs + i] : Cost();
        const Aggregation aggregation = is_additive_ ? Aggregation::sum : data_.events[i].aggregation;
        if (aggregation == Aggregation::minimum) {
            cost = std::min(cost, more);
        } else if (aggregation == Aggregation::maximum) {
            cost = std::max(cost, more);
        } else {
            cost += more;
        }
    }
}

/// Packs a record and adds it to all sums.
void Rebuilding::keep_row(const Row& row) {
    const std::span<const Cost> costs(costs_.data() + row.costs, row.size);
    const PackedPlace place{row.key.address, row.key.line};
    if (row.key.file != packed_file_) packer_.file(row.key.file.value);
    packed_file_ = row.key.file;
    switch (row.key.kind) {
        case Record::Kind::cost:
            packer_.cost(place, costs);
            ++part_.cost_lines;
            for (std::size_t i = 0; i < costs.size(); ++i) {
                data_.self.add(function_.value, i, costs[i]);
                data_.located.add(row.key.file.value, i, costs[i]);
                self_[i] += costs[i];
            }
            break;
        case Record::Kind::call: {
            const PackedPlace target{row.target_address, row.target_line};
            packer_.call(&place, row.key.arc.value, row.count, &target, false, costs);
            ArcData& arc = data_.arcs[row.key.arc.value];
            arc_is_used_[row.key.arc.value] = true;
            arc.add_calls(CallCount::of(row.count));
            for (std::size_t i = 0; i < costs.size(); ++i)
                data_.arc_costs.add(row.key.arc.value, i, costs[i]);
            if (data_.inlined.contains(arc.callee)) break;  // no call of a file
            ++part_.call_records;
            CallCount calls{part_.call_count, part_.calls_at_least};
            calls.add(CallCount::of(row.count));
            part_.call_count = calls.known;
            part_.calls_at_least = calls.at_least;
            for (std::size_t i = 0; i < costs.size(); ++i) inclusive_[i] += costs[i];
            break;
        }
        case Record::Kind::jump: {
            const PackedPlace target{row.key.target_address, row.key.target_line};
            RecordPacker::Jump jump{
                .conditional = row.key.is_special,
                .executed = row.count,
                .followed = row.followed,
                .elsewhere = row.key.target_file != row.key.file || row.key.target_function != function_,
                .target_file = row.key.target_file.value,
                .target_function = no_row};
            if (row.key.target_function != function_)
                jump.target_function =
                    jump_targets_.row_of(row.key.target_function, row.key.target_file, data_);
            packer_.jump(&place, jump, &target);
            ++part_.jumps;
            break;
        }
    }
}

void Rebuilding::rebuild_function(FunctionId function) {
    function_ = function;
    rows_.clear();
    costs_.clear();
    FunctionData& row = data_.functions[function.value];
    for (std::size_t i = first_origin_[function.value]; i < first_origin_[function.value + 1]; ++i) {
        const auto [input, origin] = origins_[i];
        if (inputs_[input].where && !inputs_[input].where(origin)) continue;
        if (inputs_[input].profile->has_records(origin)) take_rows(inputs_[input], mapped_[input], origin);
        take_added(inputs_[input], mapped_[input], origin);
    }
    if (rows_.empty()) return;
    row.has_records = 1;
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.key < b.key; });

    const auto block = static_cast<std::uint32_t>(data_.blocks.size());
    const auto chunk = static_cast<std::uint32_t>(data_.chunks.size());
    data_.blocks.push_back({chunk, packer_.begin_block(data_.events.size()), no_row});
    data_.block_lists[function.value] = {block, block};
    packed_file_ = row.file;
    for (std::size_t i = 0; i < rows_.size();) {
        Row sum = rows_[i];
        for (++i; i < rows_.size() && rows_[i].key == sum.key; ++i) add_up(sum, rows_[i]);
        keep_row(sum);
    }
    packer_.end_block();
    if (packer_.size() >= chunk_bytes) keep_packed(packer_, data_);
}

}  // namespace

std::vector<bool> choice_of(std::span<const PartId> parts, const Profile& profile) {
    if (parts.empty()) return {};
    std::vector<bool> choice(profile.parts().size(), false);
    for (const PartId part : parts) choice[part.value] = true;
    return choice;
}

Result<Profile> rebuild(std::span<const RebuildInput> inputs, OddColumns odd_columns) {
    return Rebuilding(inputs, odd_columns).run();
}

}  // namespace callcost
