// What holds for every profile: sums add up, and the two ways to read agree.
#include <array>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/profile_dump.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {
namespace {

/// Costs by event, modulo 2^64.
class Sums {
  public:
    explicit Sums(const Profile& profile) : sums_(profile.events().size(), 0) {}
    void add(EventId event, Cost cost) { sums_[event.value] = wrapped_sum(sums_[event.value], cost); }
    void add(const Costs& costs) {
        for (const auto& [event, cost] : costs.cells()) add(event, cost);
    }
    /// A record's costs by the columns of its part.
    void add(const Part& part, std::span<const Cost> costs) {
        ASSERT_LE(costs.size(), part.events.size());
        for (std::size_t i = 0; i < costs.size(); ++i) add(part.events[i], costs[i]);
    }
    friend bool operator==(const Sums&, const Sums&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Sums& sums) {
        return out << numbers_text(std::span<const Cost>(sums.sums_));
    }

  private:
    std::vector<Cost> sums_;
};

Sums totals_of(const Profile& profile) {
    Sums sums(profile);
    for (std::size_t i = 0; i < profile.events().size(); ++i) sums.add(EventId(i), profile.total(EventId(i)));
    return sums;
}

Sums self_of(const Profile& profile, FunctionId function) {
    Sums sums(profile);
    for (std::size_t i = 0; i < profile.events().size(); ++i)
        sums.add(EventId(i), profile.self(function, EventId(i)));
    return sums;
}

TEST(Sums, of_functions_and_of_parts_are_the_total) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const Profile profile = read(profile_bytes(path));
        Sums functions(profile), parts(profile), arcs(profile), inclusive(profile);
        for (const FunctionId function : all_functions(profile))
            for (std::size_t i = 0; i < profile.events().size(); ++i)
                functions.add(EventId(i), profile.self(function, EventId(i)));
        std::uint64_t part_calls = 0, arc_calls = 0;
        for (const Part& part : profile.parts()) {
            parts.add(part.self);
            inclusive.add(part.inclusive_sum);
            part_calls += part.call_count;
        }
        for (std::size_t i = 0; i < profile.arc_count(); ++i) {
            for (std::size_t k = 0; k < profile.events().size(); ++k)
                arcs.add(EventId(k), profile.cost(ArcId(i), EventId(k)));
            arc_calls += profile.count(ArcId(i)).known;
        }
        EXPECT_EQ(functions, totals_of(profile));
        EXPECT_EQ(parts, totals_of(profile));
        EXPECT_EQ(arcs, inclusive);
        EXPECT_EQ(arc_calls, part_calls);
    }
}

TEST(Sums, of_records_are_the_costs_of_functions_and_arcs) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const Profile profile = read(profile_bytes(path));
        std::map<std::uint32_t, std::pair<Sums, CallCount>> arcs;
        std::vector<std::array<std::uint64_t, 3>> records(profile.parts().size());
        for (const FunctionId function : all_functions(profile)) {
            Sums self(profile);
            RecordCursor cursor = profile.records(function);
            std::uint32_t last_part = 0;
            for (Record record; cursor.next(record);) {
                ASSERT_LT(cursor.part().value, profile.parts().size());
                EXPECT_GE(cursor.part().value, last_part) << "records are in file order";
                last_part = cursor.part().value;
                const Part& part = profile.parts()[last_part];
                ASSERT_LT(record.file.value, profile.file_count());
                ++records[last_part][static_cast<std::size_t>(record.kind)];
                if (record.kind == Record::Kind::cost) self.add(part, record.costs);
                if (record.kind != Record::Kind::call) continue;
                ASSERT_LT(record.arc.value, profile.arc_count());
                EXPECT_EQ(profile.caller(record.arc), function);
                auto& [costs, count] =
                    arcs.try_emplace(record.arc.value, Sums(profile), CallCount{}).first->second;
                costs.add(part, record.costs);
                count.known += record.count;
                count.at_least = count.at_least || record.count == 0;
            }
            EXPECT_EQ(self, self_of(profile, function)) << function_text(profile, function);
            EXPECT_EQ(profile.records(function).next(*std::make_unique<Record>()),
                      profile.has_records(function));
        }
        EXPECT_EQ(arcs.size(), profile.arc_count());
        for (const auto& [row, sums] : arcs) {
            Sums costs(profile);
            for (std::size_t k = 0; k < profile.events().size(); ++k)
                costs.add(EventId(k), profile.cost(ArcId(row), EventId(k)));
            EXPECT_EQ(sums.first, costs);
            EXPECT_EQ(count_text(sums.second), count_text(profile.count(ArcId(row))));
        }
        for (std::size_t i = 0; i < records.size(); ++i) {
            const Part& part = profile.parts()[i];
            EXPECT_EQ(records[i][0], part.cost_lines);
            EXPECT_GE(records[i][1], part.call_records);  // a call without calls= is no call record (F56)
            EXPECT_EQ(records[i][2], part.jumps);
        }
    }
}

/// Adds up what parse() delivers.
struct EventSums {
    std::map<std::string, Cost> self, inclusive;
    std::vector<std::string> columns;
    std::uint64_t cost_lines = 0, call_records = 0, call_count = 0, jumps = 0, parts = 0, profiles = 0;

    void part(const PartEvent& part) {
        ++parts;
        if (part.new_profile) {
            ++profiles;
            columns.clear();
        }
    }
    void header(const HeaderEvent& header) {
        if (header.key != "events" || header.value.empty()) return;
        columns.clear();
        std::istringstream words{std::string(header.value)};
        for (std::string word; words >> word;) columns.push_back(word);
    }
    void cost(const CostEvent& cost) {
        ++cost_lines;
        add(self, cost.costs);
    }
    void call(const CallEvent& call) {
        call_records += call.counted ? 1U : 0U;
        call_count += call.count;
        add(inclusive, call.costs);
    }
    void jump(const JumpEvent&) { ++jumps; }

  private:
    void add(std::map<std::string, Cost>& sums, std::span<const Cost> costs) const {
        for (std::size_t i = 0; i < costs.size(); ++i)
            sums[columns.at(i)] = wrapped_sum(sums[columns.at(i)], costs[i]);
    }
};

/// What only the model notices.
bool is_of_the_model(DiagnosticId id) {
    static const std::set<DiagnosticId> ids{DiagnosticId::callee_linked_by_name,
                                            DiagnosticId::several_profiles,
                                            DiagnosticId::bad_number,
                                            DiagnosticId::surplus_summary,
                                            DiagnosticId::unreadable_summary,
                                            DiagnosticId::unreadable_totals,
                                            DiagnosticId::event_without_colon};
    return ids.contains(id);
}

std::string shared_diagnostics(std::span<const Diagnostic> diagnostics) {
    std::vector<Diagnostic> shared;
    for (const Diagnostic& diagnostic : diagnostics)
        if (!is_of_the_model(diagnostic.id)) shared.push_back(diagnostic);
    return diagnostics_dump(shared);
}

TEST(Events, say_what_the_model_says) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const std::string bytes = profile_bytes(path);
        const Profile profile = read(bytes);
        for (const std::size_t chunk_size : {std::size_t{100}, std::size_t{64} * 1024}) {
            if (chunk_size < 1000 && bytes.size() > 300'000) continue;
            EventSums sums;
            ParseOptions options;
            options.chunk_size = chunk_size;
            const auto result = parse(from_memory(bytes), sums, options);
            ASSERT_TRUE(result);
            EventSums model;
            for (const Part& part : profile.parts()) {
                model.profiles = part.profile + 1;
                model.cost_lines += part.cost_lines;
                model.call_records += part.call_records;
                model.call_count += part.call_count;
                model.jumps += part.jumps;
                for (const auto& [event, cost] : part.inclusive_sum.cells()) {
                    Cost& sum = model.inclusive[profile.events()[event.value].name];
                    sum = wrapped_sum(sum, cost);
                }
            }
            for (std::size_t i = 0; i < profile.events().size(); ++i)
                model.self[profile.events()[i].name] = profile.total(EventId(i));
            for (auto* costs : {&sums.self, &sums.inclusive, &model.self, &model.inclusive})
                std::erase_if(*costs, [](const auto& entry) { return entry.second == 0; });
            EXPECT_EQ(sums.self, model.self);
            EXPECT_EQ(sums.inclusive, model.inclusive);
            EXPECT_EQ(sums.parts, profile.parts().size());
            EXPECT_EQ(
                std::tie(sums.profiles, sums.cost_lines, sums.call_records, sums.call_count, sums.jumps),
                std::tie(model.profiles, model.cost_lines, model.call_records, model.call_count,
                         model.jumps));
            EXPECT_EQ(shared_diagnostics(result->diagnostics), shared_diagnostics(profile.diagnostics()));
            EXPECT_EQ(result->bytes, profile.sources()[0].bytes);
            EXPECT_EQ(result->lines, profile.sources()[0].lines);
        }
    }
}

}  // namespace
}  // namespace callcost::test
