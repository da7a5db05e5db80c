// A profile through the Writer.
#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "callcost/callcost.hpp"
#include "callcost/read.hpp"
#include "callcost/writer.hpp"
#include "merge/rebuild.hpp"
#include "merge/summed_part.hpp"
#include "profile/event_facts.hpp"
#include "profile/profile_data.hpp"

namespace callcost {
namespace {

/// Where the records of a part are: the first block of each function in it.
struct PartBlocks {
    std::vector<std::pair<FunctionId, std::uint32_t>> first;
};

/// The place of every row among the names in order; the unknown one, row 0, is the first.
template <class Id>
std::vector<std::uint32_t> ranks_of_names(const Profile& profile, std::size_t count) {
    std::vector<Id> order;
    for (std::size_t row = 1; row < count; ++row) order.emplace_back(row);
    std::sort(order.begin(), order.end(), [&](Id a, Id b) { return profile.name(a) < profile.name(b); });
    std::vector<std::uint32_t> ranks(std::max<std::size_t>(count, 1), 0);
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || profile.name(order[i]) != profile.name(order[i - 1])) ++rank;
        ranks[order[i].value] = rank;
    }
    return ranks;
}

/// By object, file and name, the unknown ones first, so that what is read back is written alike (W16, W17).
std::vector<FunctionId> functions_by_name(const Profile& profile) {
    struct Key {
        std::uint32_t object, file;
        std::string_view name;
        FunctionId function;
        bool operator<(const Key& b) const {
            return std::tie(object, file, name, function) < std::tie(b.object, b.file, b.name, b.function);
        }
    };
    const auto objects = ranks_of_names<ObjectId>(profile, profile.object_count());
    const auto files = ranks_of_names<FileId>(profile, profile.file_count());
    std::vector<Key> keys;
    keys.reserve(profile.function_count());
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        const FunctionId function(row);
        keys.push_back({objects[profile.object(function).value], files[profile.file(function).value],
                        profile.name(function), function});
    }
    std::sort(keys.begin(), keys.end());
    std::vector<FunctionId> functions;
    functions.reserve(keys.size());
    for (const Key& key : keys) functions.push_back(key.function);
    return functions;
}

/// Each function before what is inlined in it.
void put_after_hosts(std::vector<FunctionId>& functions, const InlinedRows& inlined) {
    std::vector<std::size_t> places(functions.size());
    for (std::size_t i = 0; i < functions.size(); ++i) places[functions[i].value] = i;
    std::stable_sort(functions.begin(), functions.end(), [&](FunctionId a, FunctionId b) {
        const std::pair left(places[inlined.host(a).value], inlined.contains(a));
        return left < std::pair(places[inlined.host(b).value], inlined.contains(b));
    });
}

std::vector<PartBlocks> blocks_by_part(const Profile& profile, bool keeps_inlined) {
    const ProfileData& data = ProfileAccess::data(profile);
    std::vector<PartBlocks> parts(data.parts.size());
    std::vector<FunctionId> functions = functions_by_name(profile);
    if (keeps_inlined) put_after_hosts(functions, data.inlined);
    for (const FunctionId function : functions) {
        PartId last;
        for (std::uint32_t block = data.block_lists[function.value].first; block != no_row;
             block = data.blocks[block].next) {
            const PartId part = data.part_of(block);
            if (part != last) parts[part.value].first.emplace_back(function, block);
            last = part;
        }
    }
    return parts;
}

std::string creator_of(const Part& part) {
    std::string creator = "callcost-" + std::string(version());
    const std::string_view origin = origin_of(part);
    if (!origin.empty() && !origin.starts_with("callcost-")) creator.append(" from ").append(origin);
    return creator;
}

/// Inlined code as `cfni=` has it (F89) is written so; other inlined code as functions that are called.
bool keeps_inlined(const Profile& profile, FileDialect dialect) {
    return dialect == FileDialect::compact && ProfileAccess::data(profile).inlined.are_as_written();
}

bool has_unknown_counts(const Profile& profile, std::span<const PartId> parts, FileDialect dialect) {
    return (profile.has_inlined() && !keeps_inlined(profile, dialect)) ||
           std::any_of(parts.begin(), parts.end(),
                       [&](PartId part) { return profile.parts()[part.value].calls_at_least; });
}

bool has_other_summary(const Part& part) {
    return std::any_of(part.events.begin(), part.events.end(),
                       [&](EventId event) { return (*part.summary)[event] != part.self[event]; });
}

class ProfileWriting {
  public:
    /// `has_inlined`: some of its functions were inlined code, which have their name in common now.
    ProfileWriting(const Profile& profile, const Sink& sink, const ProfileWriteOptions& options,
                   std::span<const PartId> parts, bool has_inlined)
        : profile_(profile),
          parts_(parts),
          keeps_inlined_(keeps_inlined(profile, options.dialect)),
          has_inlined_(has_inlined && !keeps_inlined_),
          dialect_(options.dialect),
          writer_(sink, {.dialect = options.dialect,
                         .without_calls = options.without_calls,
                         .unknown_count_as_one = has_unknown_counts(profile, parts, options.dialect)
                                                     ? options.unknown_count_as_one.value_or(
                                                           options.dialect == FileDialect::portable)
                                                     : false}) {
        for (std::size_t row = 0; row < profile.file_count(); ++row)
            files_.push_back(writer_.file(profile.name(FileId(row))));
        for (std::size_t row = 0; row < profile.object_count(); ++row)
            objects_.push_back(writer_.object(profile.name(ObjectId(row))));
        functions_.resize(profile.function_count());
        unknown_ = writer_.function({}, {}, unknown_name);
    }

    Result<LeftOut> run() {
        const std::vector<PartBlocks> blocks = blocks_by_part(profile_, keeps_inlined_);
        for (const PartId part : parts_) {
            if (auto done = begin(profile_.parts()[part.value]); !done) return tl::unexpected(done.error());
            begun_ = FunctionId();
            for (const auto& [function, block] : blocks[part.value].first)
                if (auto done = write_function(function, block); !done) return tl::unexpected(done.error());
        }
        if (auto done = writer_.finish(); !done) return tl::unexpected(done.error());
        LeftOut left_out = writer_.left_out();
        left_out.summaries = other_summaries_;
        return left_out;
    }

  private:
    Result<void> begin(const Part& part);
    Result<void> write_function(FunctionId id, std::uint32_t block);
    Result<void> write_record(const Record& record);
    void choose_columns(const Part& part);
    [[nodiscard]] Writer::Function function(FunctionId function);
    [[nodiscard]] std::span<const Cost> costs_of(const Record& record);

    const Profile& profile_;
    std::span<const PartId> parts_;
    bool keeps_inlined_;
    bool has_inlined_;
    FileDialect dialect_;
    Writer writer_;
    std::vector<Writer::File> files_;
    std::vector<Writer::Object> objects_;
    std::vector<Writer::Function> functions_;
    Writer::Function unknown_;
    FunctionId begun_;
    std::vector<EventType> events_;     // of the part
    std::vector<std::size_t> columns_;  // of the part's columns in them; empty: the same
    std::vector<Cost> costs_;
    std::uint64_t other_summaries_ = 0;
};

Writer::Function ProfileWriting::function(FunctionId function) {
    Writer::Function& written = functions_[function.value];
    if (!written.valid())
        written = writer_.function(objects_[profile_.object(function).value],
                                   files_[profile_.file(function).value], profile_.name(function));
    return written;
}

/// An event that has two columns is one type (F14).
void ProfileWriting::choose_columns(const Part& part) {
    events_.clear();
    columns_.clear();
    std::vector<std::size_t> place(profile_.events().size(), SIZE_MAX);
    for (const EventId event : part.events) {
        if (place[event.value] == SIZE_MAX) {
            place[event.value] = events_.size();
            events_.push_back(profile_.events()[event.value]);
        }
        columns_.push_back(place[event.value]);
    }
    // A head without `events:`; what else it says is kept.
    if (events_.empty() && !profile_.events().empty()) events_.push_back(profile_.events()[0]);
    for (EventType& event : events_)
        if (has_usual_long_name(event)) event.long_name.clear();
    if (columns_.size() == events_.size()) columns_.clear();
}

Result<void> ProfileWriting::begin(const Part& part) {
    choose_columns(part);
    // Readers take it for 100 % (W5).
    const bool keeps_summary = part.summary && dialect_ != FileDialect::portable;
    const Costs& sum = keeps_summary ? *part.summary : part.self;
    if (part.summary && !keeps_summary && has_other_summary(part)) ++other_summaries_;
    std::vector<Cost> summary(events_.size());
    for (std::size_t i = 0; i < part.events.size(); ++i)
        summary[columns_.empty() ? i : columns_[i]] = sum[part.events[i]];
    std::vector<std::string> descriptions = part.descriptions;
    if (has_inlined_) descriptions.emplace_back(inlined_note);
    if (!part.timerange.empty()) descriptions.push_back("Timerange: " + part.timerange);
    if (!part.trigger.empty()) descriptions.push_back("Trigger: " + part.trigger);
    const std::string creator = creator_of(part);
    return writer_.begin_part({.command = part.command,
                               .creator = creator,
                               .pid = part.pid.number,
                               .part = part.part.number,
                               .thread = part.thread.number,
                               .descriptions = descriptions,
                               .addresses = has_addresses(part),
                               .events = events_,
                               .formulas = profile_.formulas(),
                               .summary = summary});
}

Result<void> ProfileWriting::write_function(FunctionId id, std::uint32_t block) {
    const FunctionId host = keeps_inlined_ ? profile_.host(id) : id;
    if (host != begun_)
        if (auto done = writer_.begin_function(function(host)); !done) return done;
    begun_ = host;
    if (host != id)
        if (auto done = writer_.begin_inlined(profile_.name(id), files_[profile_.file(id).value]); !done)
            return done;
    RecordCursor cursor = ProfileAccess::records(profile_, id, block);
    for (Record record; cursor.next(record);)
        if (auto done = write_record(record); !done) return done;
    return {};
}

std::span<const Cost> ProfileWriting::costs_of(const Record& record) {
    if (columns_.empty()) return record.costs;
    costs_.assign(events_.size(), 0);
    for (std::size_t i = 0; i < record.costs.size(); ++i) {
        Cost& cost = costs_[columns_[i]];
        cost += record.costs[i];
    }
    return costs_;
}

Result<void> ProfileWriting::write_record(const Record& record) {
    const Writer::Place place{files_[record.file.value], record.address, record.line};
    switch (record.kind) {
        case Record::Kind::cost:
            return writer_.cost(place, costs_of(record));
        case Record::Kind::call:
            if (keeps_inlined_ && profile_.inlined_in(profile_.callee(record.arc)).valid()) return {};
            return writer_.call({.place = place,
                                 .callee = function(profile_.callee(record.arc)),
                                 .count = record.count,
                                 .target_address = record.target_address,
                                 .target_line = record.target_line},
                                costs_of(record));
        case Record::Kind::jump:
            break;
    }
    return writer_.jump(
        {.place = place,
         .conditional = record.conditional,
         .executed = record.executed,
         .followed = record.followed,
         .target_file = files_[record.target_file.value],
         .target_function = record.target_function.valid() ? function(record.target_function) : unknown_,
         .target_address = record.target_address,
         .target_line = record.target_line});
}

constexpr PartId only_part[] = {PartId(0U)};

/// Cachegrind's files are in order of files, and a function has a block in each: the first text says which.
Result<LeftOut> write_by_files(const Profile& profile, const Sink& sink, const ProfileWriteOptions& options,
                               std::span<const PartId> parts, bool has_inlined) {
    std::string bytes;
    auto left_out = ProfileWriting(profile, to_memory(bytes), options, parts, has_inlined).run();
    if (!left_out) return left_out;
    const Result<Profile> by_files = read_profile(from_memory(bytes));
    if (!by_files) return tl::unexpected(by_files.error());
    RebuildInput input;
    input.profile = &*by_files;
    const RebuildInput inputs[] = {std::move(input)};
    const Result<Profile> sum = rebuild(inputs);
    if (!sum) return tl::unexpected(sum.error());
    if (auto done = ProfileWriting(*sum, sink, options, only_part, has_inlined).run(); !done) return done;
    return left_out;
}

}  // namespace

Result<LeftOut> write_profile(const Profile& profile, const Sink& sink, const ProfileWriteOptions& options) {
    if (profile.detail() != Detail::full)
        return tl::unexpected(Error{.code = ErrorCode::needs_detail, .detail = {}});
    std::vector<PartId> parts(options.parts.begin(), options.parts.end());
    if (parts.empty())
        for (std::size_t i = 0; i < profile.parts().size(); ++i) parts.emplace_back(i);
    std::optional<Profile> sum;
    std::uint64_t addresses_left_out = 0;
    if (options.canonical || options.where || options.without_lines ||
        (parts.size() > 1 && options.dialect != FileDialect::compact)) {
        RebuildInput input;
        input.profile = &profile;
        input.parts = choice_of(parts, profile);
        input.where = options.where;
        input.lines = !options.without_lines;
        if (options.where) input.description = left_out_note;
        input.addresses = options.dialect == FileDialect::compact || options.dialect == FileDialect::strict;
        input.addresses_left_out = &addresses_left_out;
        const RebuildInput inputs[] = {std::move(input)};
        Result<Profile> rebuilt = rebuild(inputs);
        if (!rebuilt) return tl::unexpected(rebuilt.error());
        sum = *std::move(rebuilt);
        parts.assign(std::begin(only_part), std::end(only_part));
    }
    const Profile& source = sum ? *sum : profile;
    // Each part repeats its list of event types.
    constexpr std::size_t max_names = 50'000'000;
    if (parts.size() > max_names / std::max<std::size_t>(source.events().size(), 1))
        return tl::unexpected(
            Error{.code = ErrorCode::too_large, .detail = "too many parts with too many event types"});
    auto left_out = options.dialect == FileDialect::cachegrind
                        ? write_by_files(source, sink, options, parts, profile.has_inlined())
                        : ProfileWriting(source, sink, options, parts, profile.has_inlined()).run();
    if (left_out) left_out->addresses += addresses_left_out;
    return left_out;
}

}  // namespace callcost
