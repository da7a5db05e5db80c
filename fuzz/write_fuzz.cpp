// Writers: what is read from any bytes is written in each dialect, read back without an error, and says the
// same; writing it again gives the same bytes. A canonical form is its own, and a profile added to itself is
// twice the profile.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "callcost/read.hpp"
#include "callcost/writer.hpp"
#include "record_sums.hpp"

namespace callcost::fuzz {
namespace {

// What takes longer than it teaches.
constexpr std::size_t max_bytes = 256 * 1024;
constexpr std::uint64_t longest_line = 4096;

Profile read_back(std::string_view text) {
    auto profile = read_profile(from_memory(text));
    demand(profile.has_value());
    for (const Diagnostic& diagnostic : profile->diagnostics()) {
        if (kind_of(diagnostic.id).severity != Severity::error) continue;
        std::fprintf(stderr, "%s\n", std::string(kind_of(diagnostic.id).name).c_str());
        demand(false);
    }
    return *std::move(profile);
}

/// Nothing where the dialect cannot say it: a known reason, and not a byte that looks like a file.
std::optional<std::string> written(const Profile& profile, const ProfileWriteOptions& options) {
    std::string text;
    const Result<LeftOut> done = write_profile(profile, to_memory(text), options);
    if (done) return text;
    demand(done.error().code == ErrorCode::bad_argument || done.error().code == ErrorCode::too_large);
    return std::nullopt;
}

using Sums = std::map<std::vector<std::string>, std::vector<Cost>>;

/// Every cost of everything by its names, without what is 0.
struct Said {
    Sums functions, arcs;
    std::map<std::vector<std::string>, CallCount> counts;
    std::vector<Cost> total;
};

/// Writers spell control characters out and trim blanks, so that names are counted, not compared, if need be.
std::vector<std::string> names_of(const Profile& profile, FunctionId function, bool with_objects) {
    return {with_objects ? std::string(profile.name(profile.object(function))) : std::string(),
            with_objects ? std::string(profile.name(profile.file(function))) : std::string(),
            std::string(profile.name(function))};
}

void add_to(std::vector<Cost>& sum, std::size_t column, Cost cost) {
    if (sum.size() <= column) sum.resize(column + 1, 0);
    add(sum[column], cost);
}

void drop_zeros(Sums& sums) {
    std::erase_if(sums, [](const auto& entry) {
        return std::all_of(entry.second.begin(), entry.second.end(), [](auto cost) { return cost == 0; });
    });
    for (auto& [names, costs] : sums)
        while (costs.back() == 0) costs.pop_back();
}

Said said_by(const Profile& profile, bool has_calls, std::int64_t factor = 1) {
    Said said;
    const auto times = [factor](Cost cost) { return cost * factor; };
    for (std::size_t k = 0; k < profile.events().size(); ++k) {
        const EventId event(k);
        said.total.push_back(times(profile.total(event)));
        for (std::size_t row = 0; row < profile.function_count(); ++row)
            add_to(said.functions[names_of(profile, FunctionId(row), has_calls)], k,
                   times(profile.self(FunctionId(row), event)));
    }
    for (std::size_t row = 0; has_calls && row < profile.arc_count(); ++row) {
        auto names = names_of(profile, profile.caller(ArcId(row)), true);
        const auto callee = names_of(profile, profile.callee(ArcId(row)), true);
        names.insert(names.end(), callee.begin(), callee.end());
        for (std::size_t k = 0; k < profile.events().size(); ++k)
            add_to(said.arcs[names], k, times(profile.cost(ArcId(row), EventId(k))));
        for (std::int64_t time = 0; time < factor; ++time) said.counts[names].add(profile.count(ArcId(row)));
    }
    drop_zeros(said.functions);
    drop_zeros(said.arcs);
    return said;
}

void demand_equal(const Said& a, const Said& b) {
    demand(a.total == b.total);
    demand(a.functions == b.functions);
    demand(a.arcs == b.arcs);
    demand(a.counts == b.counts);
}

bool is_sum(const EventType& event) { return event.aggregation == Aggregation::sum; }

/// Names as every dialect writes them: what is read from such a file is written unchanged.
bool has_plain_names(const LeftOut& left_out) { return left_out.changed_names == 0; }

/// No dialect can write it.
bool has_odd_event_name(const Profile& profile) {
    return std::any_of(profile.events().begin(), profile.events().end(), [](const EventType& event) {
        return std::any_of(event.name.begin(), event.name.end(),
                           [](char c) { return static_cast<unsigned char>(c) <= ' '; });
    });
}

/// Where a part without records ends, readers cannot tell for sure (F12): its columns may be another's. And a
/// jump to a function that is not known is written as one to "???", which there may be.
bool is_ambiguous(const Profile& profile) {
    for (const Part& part : profile.parts())
        if (part.cost_lines + part.call_records + part.jumps == 0) return true;
    for (std::size_t row = 0; row < profile.function_count(); ++row) {
        RecordCursor cursor = profile.records(FunctionId(row));
        for (Record record; cursor.next(record);)
            if (record.kind == Record::Kind::jump && !record.target_function.valid()) return true;
    }
    return false;
}

void check_dialect(const Profile& profile, FileDialect dialect, bool canonical) {
    const ProfileWriteOptions options{
        .dialect = dialect, .canonical = canonical, .without_calls = true, .unknown_count_as_one = false};
    std::string text;
    const Result<LeftOut> done = write_profile(profile, to_memory(text), options);
    if (!done) {
        demand(done.error().code == ErrorCode::bad_argument || done.error().code == ErrorCode::too_large);
        demand(has_odd_event_name(profile) || dialect == FileDialect::strict || profile.events().empty() ||
               profile.events().size() > 64 || dialect == FileDialect::cachegrind);
        return;
    }
    const Profile again = read_back(text);
    for (std::size_t k = 0; k < again.events().size(); ++k)
        if (is_sum(again.events()[k])) demand(again.total(EventId(k)) == profile.total(EventId(k)));
    // There it becomes one with the functions of its names.
    if (profile.has_inlined() && dialect != FileDialect::compact) return;
    // Names that are spelt differently stand elsewhere in the order.
    demand(!has_plain_names(*done) || is_ambiguous(profile) || written(again, options) == text);
    if (!std::all_of(profile.events().begin(), profile.events().end(), is_sum)) return;
    const bool has_calls = dialect != FileDialect::cachegrind;
    if (has_plain_names(*done)) demand_equal(said_by(again, has_calls), said_by(profile, has_calls));
}

/// The portable dialect has no unknown call count, unless told to keep them (W11).
void check_unknown_counts(const Profile& profile) {
    std::string text;
    const Result<LeftOut> done = write_profile(profile, to_memory(text), {.without_calls = true});
    if (!done) return;
    bool has_unknown = false;
    for (std::size_t row = 0; row < profile.arc_count(); ++row)
        has_unknown = has_unknown || profile.count(ArcId(row)).at_least;
    demand((done->unknown_counts > 0) == has_unknown);
    const Profile again = read_back(text);
    for (std::size_t row = 0; row < again.arc_count(); ++row)
        demand(!again.count(ArcId(row)).at_least && again.count(ArcId(row)).known > 0);
}

void check_merging(const Profile& profile) {
    ProfileMerger merger;
    const Result<void> first = merger.add(profile);
    if (!first) return demand(first.error().code == ErrorCode::too_large);
    demand(merger.add(profile).has_value());
    const auto twice = std::move(merger).finish();
    demand(twice.has_value() || twice.error().code == ErrorCode::bad_argument);
    if (!std::all_of(profile.events().begin(), profile.events().end(), is_sum)) return;
    demand_equal(said_by(*twice, true), said_by(profile, true, 2));
}

/// Whatever is left out, the total stays.
void check_filters(const Profile& profile) {
    const auto dropped = [](FunctionId function) { return function.value % 3 == 1; };
    const auto rest = without_functions(profile, dropped);
    const auto charged = charged_to_callers(profile, dropped);
    if (!rest || !charged) return demand(profile.events().size() > 64);
    for (std::size_t k = 0; k < profile.events().size(); ++k) {
        if (!is_sum(profile.events()[k])) continue;
        demand(rest->total(EventId(k)) == profile.total(EventId(k)));
        demand(charged->profile.total(EventId(k)) == profile.total(EventId(k)));
    }
}

void check(std::string_view bytes) {
    if (bytes.size() > max_bytes) return;
    ReadOptions limits;
    limits.longest_line = longest_line;
    const auto profile = read_profile(from_memory(bytes), limits);
    if (!profile) return;
    for (const FileDialect dialect :
         {FileDialect::portable, FileDialect::compact, FileDialect::strict, FileDialect::cachegrind})
        check_dialect(*profile, dialect, false);
    check_dialect(*profile, FileDialect::compact, true);
    check_unknown_counts(*profile);
    check_merging(*profile);
    check_filters(*profile);
}

}  // namespace
}  // namespace callcost::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> bytes(data, data + size);  // its own memory: reading past its end is noticed
    callcost::fuzz::check({bytes.data(), bytes.size()});
    return 0;
}
