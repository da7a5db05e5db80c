#include <numeric>

#include <protozero/pbf_writer.hpp>

#include "unit/engine/importers/imported.hpp"

namespace {

using callcost::ErrorCode;
using callcost::engine::ImportFormat;
using callcost::test::records_text;
using protozero::pbf_writer;

/// Writes the messages of profile.proto.
class Pprof {
  public:
    std::uint64_t string(const std::string& text) {
        strings_.push_back(text);
        return strings_.size() - 1;
    }
    void type(const std::string& name, const std::string& unit) {
        pbf_writer table(types_);
        pbf_writer message(table, 1);
        message.add_int64(1, static_cast<std::int64_t>(string(name)));
        message.add_int64(2, static_cast<std::int64_t>(string(unit)));
    }
    void mapping(std::uint64_t id, const std::string& file) {
        pbf_writer table(tables_);
        pbf_writer message(table, 3);
        message.add_uint64(1, id);
        message.add_int64(5, static_cast<std::int64_t>(string(file)));
    }
    void function(std::uint64_t id, const std::string& name, const std::string& file = "x.go") {
        pbf_writer table(tables_);
        pbf_writer message(table, 5);
        message.add_uint64(1, id);
        message.add_int64(2, static_cast<std::int64_t>(string(name)));
        message.add_int64(4, static_cast<std::int64_t>(string(file)));
    }
    void location(std::uint64_t id, const std::vector<std::pair<std::uint64_t, std::int64_t>>& lines,
                  std::uint64_t address = 0, std::uint64_t mapping = 0) {
        pbf_writer table(tables_);
        pbf_writer message(table, 4);
        message.add_uint64(1, id);
        if (mapping != 0) message.add_uint64(2, mapping);
        message.add_uint64(3, address);
        for (const auto& [function, line] : lines) {
            pbf_writer part(message, 4);
            part.add_uint64(1, function);
            part.add_int64(2, line);
        }
    }
    void sample(const std::vector<std::uint64_t>& locations, const std::vector<std::int64_t>& values) {
        pbf_writer table(samples_);
        pbf_writer message(table, 2);
        if (is_packed) {
            message.add_packed_uint64(1, locations.begin(), locations.end());
            message.add_packed_int64(2, values.begin(), values.end());
        } else {
            for (const std::uint64_t id : locations) message.add_uint64(1, id);
            for (const std::int64_t value : values) message.add_int64(2, value);
        }
    }
    void comment(const std::string& text) { number(13, string(text)); }
    void number(std::uint32_t field, std::uint64_t value) { pbf_writer(tables_).add_uint64(field, value); }
    [[nodiscard]] std::string bytes() const {
        std::string strings;
        for (const std::string& text : strings_) pbf_writer(strings).add_string(6, text);
        return types_ + samples_ + tables_ + strings;  // strings come last, as in real files
    }
    bool is_packed = true;

  private:
    std::vector<std::string> strings_{""};
    std::string types_, samples_, tables_;
};

Pprof two_functions() {
    Pprof pprof;
    pprof.type("cpu", "nanoseconds");
    pprof.function(1, "main");
    pprof.function(2, "chop");
    pprof.location(1, {{1, 10}});
    pprof.location(2, {{2, 20}});
    return pprof;
}

callcost::Profile profile_of(const Pprof& pprof, const char* notes = "") {
    const auto imported = callcost::test::import(ImportFormat::pprof, pprof.bytes());
    EXPECT_TRUE(imported.has_value());
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return callcost::test::read_without_errors(imported->text);
}

TEST(ImportPprof, the_leaf_comes_first) {
    Pprof pprof = two_functions();
    pprof.sample({2, 1}, {5});
    EXPECT_EQ(records_text(profile_of(pprof)), "chop:20 5\nmain:10 -> chop 5\n");
    Pprof unpacked = two_functions();
    unpacked.is_packed = false;
    unpacked.sample({2, 1}, {5});
    EXPECT_EQ(records_text(profile_of(unpacked)), "chop:20 5\nmain:10 -> chop 5\n");
}

TEST(ImportPprof, several_lines_of_a_location_are_inlined_functions) {
    Pprof pprof = two_functions();
    pprof.location(3, {{2, 21}, {1, 11}});
    pprof.sample({3}, {5});
    EXPECT_EQ(records_text(profile_of(pprof)), "chop:21 5\nmain:11 -> chop 5\n");
}

TEST(ImportPprof, the_default_sample_type_comes_first) {
    Pprof pprof = two_functions();
    pprof.type("samples", "count");
    pprof.sample({1}, {5, 1});
    const auto by_last = profile_of(pprof);
    EXPECT_EQ(by_last.events()[0].name, "samples");
    EXPECT_EQ(by_last.events()[0].unit, "");
    EXPECT_EQ(by_last.events()[1].name, "cpu");
    EXPECT_EQ(by_last.events()[1].unit, "ns");
    EXPECT_EQ(by_last.events()[1].long_name, "nanoseconds");
    EXPECT_EQ(records_text(by_last), "main:10 1 5\n");
    pprof.number(14, 1);
    EXPECT_EQ(profile_of(pprof).events()[0].name, "cpu");
}

TEST(ImportPprof, values_may_be_negative) {
    Pprof pprof = two_functions();
    pprof.sample({2, 1}, {-5});
    EXPECT_EQ(records_text(profile_of(pprof)), "chop:20 -5\nmain:10 -> chop -5\n");
}

TEST(ImportPprof, what_has_no_name_is_named_by_its_address) {
    Pprof pprof = two_functions();
    pprof.mapping(1, "/bin/soup");
    pprof.location(3, {}, 0x4838030, 1);
    pprof.location(4, {{0, 7}}, 0x77);
    pprof.location(5, {});
    pprof.sample({3, 4, 5}, {5});
    const auto profile = profile_of(pprof);
    EXPECT_EQ(records_text(profile), "(unknown):0 -> 0x77 5\n0x4838030:0 5\n0x77:0 -> 0x4838030 5\n");
    EXPECT_EQ(profile.parts()[0].command, "/bin/soup");
}

TEST(ImportPprof, ids_of_nothing_are_unknown_functions) {
    Pprof pprof = two_functions();
    pprof.location(3, {{99, 5}});
    pprof.location(4, {{1, 5}}, 0, 99);
    pprof.sample({3, 98, 4, 0}, {5});
    EXPECT_EQ(
        records_text(profile_of(pprof, "invalid-reference x4")),
        "(unknown)'2:0 -> (unknown)'2 5\n(unknown)'2:0 5\n(unknown):0 -> main 5\nmain:5 -> (unknown)'2 5\n");
}

TEST(ImportPprof, the_first_of_equal_ids_counts) {
    Pprof pprof = two_functions();
    pprof.function(1, "other");
    pprof.sample({1}, {5});
    EXPECT_EQ(records_text(profile_of(pprof, "duplicate-id")), "main:10 5\n");
}

TEST(ImportPprof, samples_may_have_too_few_or_too_many_values) {
    Pprof pprof = two_functions();
    pprof.sample({1}, {});
    pprof.sample({1}, {5, 6});
    EXPECT_EQ(records_text(profile_of(pprof, "value-count x2")), "main:10 5\n");
}

TEST(ImportPprof, a_sample_without_locations_is_kept) {
    Pprof pprof = two_functions();
    pprof.sample({}, {5});
    EXPECT_EQ(records_text(profile_of(pprof, "no-stack")), "(no stack):0 5\n");
}

TEST(ImportPprof, estimated_stacks_are_calls_only) {
    for (const bool is_estimated : {true, false}) {
        Pprof pprof = two_functions();
        pprof.comment(is_estimated ? "stacks are estimated: certain: cpu 80%" : "by hand");
        pprof.sample({2, 2, 1}, {5});
        callcost::Stacks stacks;
        const auto imported = callcost::test::import(ImportFormat::pprof, pprof.bytes(), {.stacks = &stacks});
        ASSERT_TRUE(imported.has_value());
        EXPECT_EQ(callcost::test::notes_text(imported->notes), is_estimated ? "estimated-stacks" : "");
        EXPECT_EQ(stacks.size() == 0, is_estimated);
        EXPECT_NE(imported->text.find("calls="), std::string::npos);
        EXPECT_EQ(imported->text.find("'2") == std::string::npos, is_estimated) << "a level of recursion";
    }
}

TEST(ImportPprof, too_much_inlining_is_cut) {
    Pprof pprof = two_functions();
    std::vector<std::pair<std::uint64_t, std::int64_t>> lines(1000, {2, 1});
    lines.back() = {1, 1};
    pprof.location(3, lines);
    pprof.sample({3}, {5});
    EXPECT_EQ(records_text(profile_of(pprof, "inlining-cut")),
              "chop'2:1 -> chop'2 5\nchop'2:1 5\nchop:1 -> chop'2 5\n");
}

TEST(ImportPprof, too_deep_stacks_are_cut) {
    Pprof pprof = two_functions();
    pprof.location(3, std::vector<std::pair<std::uint64_t, std::int64_t>>(256, {2, 1}));
    std::vector<std::uint64_t> ids(400, 3);
    ids.back() = 1;  // main
    pprof.sample(ids, {5});
    EXPECT_EQ(records_text(profile_of(pprof, "stack-cut")),
              "chop'2:1 -> chop'2 5\nchop'2:1 5\nchop:1 -> chop'2 5\n");
}

TEST(ImportPprof, what_takes_much_more_memory_than_the_file_has_bytes_is_refused) {
    Pprof pprof = two_functions();
    pprof.location(3, std::vector<std::pair<std::uint64_t, std::int64_t>>(200, {2, 1}));
    for (std::uint64_t i = 0; i < 100; ++i) pprof.sample({3, 3, 3, 3, i % 2 + 1}, {5});
    const std::string bytes = pprof.bytes();
    const auto refused = callcost::test::import(ImportFormat::pprof, bytes, {.budget = {100'000, 64}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    EXPECT_EQ(refused.error().message(),
              "too large: the stacks expand more than 64-fold beyond 100000 bytes");
    EXPECT_EQ(refused.error().hint(), "--force lifts this limit");
    EXPECT_TRUE(callcost::test::import(ImportFormat::pprof, bytes).has_value()) << "not so much";
    EXPECT_TRUE(callcost::test::import(ImportFormat::pprof, bytes, {.budget = {0, 1'000'000}}).has_value())
        << "not so little";
}

TEST(ImportPprof, numbers_of_strings_that_are_not_there_are_noted) {
    Pprof pprof = two_functions();
    pprof.number(14, 1000);  // no type has it: the last one stays first
    pprof.number(13, 1000);
    pprof.sample({1}, {5});
    EXPECT_EQ(records_text(profile_of(pprof, "invalid-reference")), "main:10 5\n");
}

TEST(ImportPprof, damaged_bytes_are_an_error_with_a_place) {
    Pprof pprof = two_functions();
    pprof.sample({2, 1}, {5});
    const std::string bytes = pprof.bytes();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto result = callcost::test::import(ImportFormat::pprof, bytes.substr(0, size));
        EXPECT_TRUE(result.has_value() || result.error().offset <= size);
    }
    const auto cut = callcost::test::import(ImportFormat::pprof, bytes.substr(0, bytes.size() - 1));
    ASSERT_FALSE(cut.has_value());
    EXPECT_EQ(cut.error().code, ErrorCode::not_a_profile);
    EXPECT_GT(cut.error().offset, 0U);
}

TEST(ImportPprof, what_is_compressed_has_to_be_decompressed_first) {
    const auto result = callcost::test::import(ImportFormat::pprof, "\x1f\x8b\x08");
    ASSERT_FALSE(result.has_value());
    EXPECT_NE(result.error().detail.find("compressed"), std::string::npos);
}

TEST(ImportPprof, there_is_a_most_of_sample_types) {
    Pprof pprof;
    for (int i = 0; i < 65; ++i) pprof.type("t" + std::to_string(i), "count");
    const auto result = callcost::test::import(ImportFormat::pprof, pprof.bytes());
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::too_large);
}

/// Twenty samples of a chain of calls: of as many functions, or of one.
std::string deep_profile(std::size_t depth, bool is_recursive) {
    Pprof pprof;
    pprof.type("cpu", "nanoseconds");
    for (std::size_t i = 1; i <= depth; ++i) {
        if (i == 1 || !is_recursive) pprof.function(i, "f" + std::to_string(i));
        pprof.location(i, {{is_recursive ? 1 : i, static_cast<std::int64_t>(i)}});
    }
    std::vector<std::uint64_t> stack(depth);
    std::iota(stack.rbegin(), stack.rend(), 1);
    for (int i = 0; i < 20; ++i) {
        pprof.sample(stack, {1});
        stack.erase(stack.begin());
    }
    return pprof.bytes();
}

TEST(ImportPprof, of_deep_stacks_takes_time_in_proportion_to_their_depth) {
    for (const bool is_recursive : {true, false}) {
        SCOPED_TRACE(is_recursive ? "recursive" : "");
        callcost::test::expect_linear_import(
            ImportFormat::pprof, [&](std::size_t depth) { return deep_profile(depth, is_recursive); });
    }
}

}  // namespace
