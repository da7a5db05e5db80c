// The test profiles have the figures that an independent program found, and agree where they have to.
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/profile_text.hpp"

namespace callcost::test {
namespace {

/// "Ir=1 Dr=2" of the manifest without zeros.
std::map<std::string, std::int64_t> manifest_costs(const std::string& text) {
    std::map<std::string, std::int64_t> costs;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.rfind('=');
        const bool minus = word[equals + 1] == '-';
        std::uint64_t value = 0;
        for (const char c : word.substr(equals + 1))
            if (c != '-') value = value * 10 + static_cast<std::uint64_t>(c - '0');  // modulo 2^64
        costs[word.substr(0, equals)] = static_cast<std::int64_t>(minus ? 0 - value : value);
    }
    std::erase_if(costs, [](const auto& entry) { return entry.second == 0; });
    return costs;
}

TEST(Corpus, has_the_figures_of_its_manifest) {
    for (const ManifestRow& row : manifest_rows()) {
        SCOPED_TRACE(row.at("path"));
        const Profile profile = read(profile_bytes(row.at("path")));
        EXPECT_EQ(std::to_string(profile.parts().size()), row.at("parts"));
        std::map<std::string, std::int64_t> self, inclusive;
        std::uint64_t call_records = 0, call_count = 0;
        for (std::size_t i = 0; i < profile.events().size(); ++i)
            if (profile.total(EventId(i)) != 0) self[profile.events()[i].name] = profile.total(EventId(i));
        for (const Part& part : profile.parts()) {
            call_records += part.call_records;
            call_count += part.call_count;
            for (const auto& [event, cost] : part.inclusive_sum.cells())
                inclusive[profile.events()[event.value].name] += cost;
        }
        EXPECT_EQ(self, manifest_costs(row.at("self_totals")));
        EXPECT_EQ(inclusive, manifest_costs(row.at("inclusive_sum")));
        EXPECT_EQ(std::to_string(call_records), row.at("call_records"));
        EXPECT_EQ(std::to_string(call_count), row.at("call_count"));
    }
}

/// Self cost of each (function, file, line), without those of which it is 0.
std::map<std::string, std::int64_t> line_costs(const Profile& profile) {
    std::map<std::string, std::int64_t> costs;
    for (const FunctionId function : all_functions(profile)) {
        RecordCursor cursor = profile.records(function);
        for (Record record; cursor.next(record);) {
            if (record.kind != Record::Kind::cost || record.costs.empty()) continue;
            costs[function_text(profile, function) + '|' + std::string(profile.name(record.file)) + ':' +
                  std::to_string(record.line)] += record.costs[0];
        }
    }
    std::erase_if(costs, [](const auto& entry) { return entry.second == 0; });
    return costs;
}

TEST(Twins, compressed_and_plain_positions_give_equal_lines) {
    const Profile compressed = read(profile_bytes("callgrind/pos-compressed.out"));
    const Profile plain = read(profile_bytes("callgrind/pos-plain.out"));
    EXPECT_EQ(line_costs(compressed), line_costs(plain));
}

/// Self Ir of the functions of one object.
std::map<std::string, std::int64_t> costs_in_object(const Profile& profile, std::string_view object) {
    std::map<std::string, std::int64_t> costs;
    for (const FunctionId function : all_functions(profile))
        if (profile.name(profile.object(function)).ends_with(object))
            costs[std::string(profile.name(profile.file(function))) + ':' +
                  std::string(profile.name(function))] += profile.self(function, EventId(0U));
    std::erase_if(costs, [](const auto& entry) { return entry.second == 0; });
    return costs;
}

TEST(Twins, one_program_costs_the_same_whatever_is_written_about_it) {
    const auto expected = costs_in_object(read(profile_bytes("callgrind/default.out")), "/small");
    EXPECT_GT(expected.size(), 5U);
    for (const char* name : {"nocompress-both", "instr", "instr-jumps", "instr-jumps-nocompress", "jumps",
                             "bb-line", "instr-bb-line", "bbs"}) {
        SCOPED_TRACE(name);
        EXPECT_EQ(costs_in_object(read(profile_bytes("callgrind/" + std::string(name) + ".out")), "/small"),
                  expected);
    }
}

TEST(Twins, names_in_full_give_the_same_functions_and_arcs_as_ids) {
    const Profile ids = read(profile_bytes("callgrind/instr-jumps.out"));
    const Profile names = read(profile_bytes("callgrind/instr-jumps-nocompress.out"));
    const auto of_program = [](const Lines& lines) {
        std::set<std::string> kept;
        for (const std::string& line : lines)
            if (line.find("/small:") < line.find(" > ")) kept.insert(line.substr(0, line.find(" x")));
        return kept;
    };
    EXPECT_EQ(of_program(arcs_of(ids)), of_program(arcs_of(names)));
}

TEST(Twins, dumps_in_two_files_and_in_one_agree_but_for_noise) {
    ProfileReader reader;
    const std::string first = profile_bytes("callgrind/every-bb.out.1");
    const std::string last = profile_bytes("callgrind/every-bb.out");
    ASSERT_TRUE(reader.add(from_memory(first)));
    ASSERT_TRUE(reader.add(from_memory(last)));
    const Profile files = std::move(reader).finish();
    const Profile combined = read(profile_bytes("callgrind/every-bb-combined.out"));
    EXPECT_EQ(files.parts().size(), combined.parts().size());
    const auto a = static_cast<double>(files.total(EventId(0U)));
    const auto b = static_cast<double>(combined.total(EventId(0U)));
    EXPECT_NEAR(a, b, 0.01 * b);
}

TEST(Twins, threads_in_three_files_and_in_one_agree_but_for_noise) {
    ProfileReader reader;
    for (const char* thread : {"-01", "-02", "-03"})
        ASSERT_TRUE(
            reader.add(from_memory(profile_bytes("callgrind/threads-separate.out" + std::string(thread)))));
    const Profile files = std::move(reader).finish();
    const Profile combined = read(profile_bytes("callgrind/threads-separate-combined.out"));
    EXPECT_EQ(files.parts().size(), combined.parts().size());
    const auto a = static_cast<double>(files.total(EventId(0U)));
    const auto b = static_cast<double>(combined.total(EventId(0U)));
    EXPECT_NEAR(a, b, 0.01 * b);
}

TEST(Twins, a_difference_and_a_sum_of_two_files_are_what_they_say) {
    const auto total = [](const char* name) {
        return read(profile_bytes(std::string("cachegrind/") + name)).total(EventId(0U));
    };
    EXPECT_EQ(total("diff.out"), total("nocache-b.out") - total("nocache.out"));
    EXPECT_EQ(total("merge.out"), total("nocache-b.out") + total("nocache.out"));
}

}  // namespace
}  // namespace callcost::test
