#include <string>

#include "encodings/marshal.hpp"
#include "unit/engine/importers/imported.hpp"

namespace pstats_tests {
namespace {

using callcost::Profile;
using callcost::engine::ImportFormat;
using callcost::engine::MarshalKind;
using callcost::engine::MarshalReader;
using callcost::test::Imported;
using callcost::test::records_text;
using std::string_literals::operator""s;

// Values as marshal writes them.
std::string number(std::uint32_t value) {
    std::string text = "i";
    for (int i = 0; i < 4; ++i) text += static_cast<char>(value >> (8 * i) & 0xffU);
    return text;
}
std::string text(const std::string& characters) {
    return "z" + std::string(1, static_cast<char>(characters.size())) + characters;
}
std::string tuple(std::initializer_list<std::string> values) {
    std::string all = ")" + std::string(1, static_cast<char>(values.size()));
    for (const std::string& value : values) all += value;
    return all;
}
std::string seconds(const std::string& digits) {
    return "f" + std::string(1, static_cast<char>(digits.size())) + digits;
}
std::string dict(const std::string& pairs) { return "{" + pairs + "0"; }

std::string name(const std::string& function, std::uint32_t line = 1) {
    return tuple({text("a.py"), number(line), text(function)});
}
std::string figures(std::uint32_t first, std::uint32_t second, const std::string& self,
                    const std::string& inclusive) {
    return tuple({number(first), number(second), seconds(self), seconds(inclusive)});
}
std::string costs(std::uint32_t first, std::uint32_t calls, const std::string& self,
                  const std::string& inclusive, const std::string& callers = {}) {
    return tuple({number(first), number(calls), seconds(self), seconds(inclusive), dict(callers)});
}

Imported pstats_import(const std::string& bytes, const char* notes = "estimated-stacks") {
    auto imported = callcost::test::import(ImportFormat::pstats, bytes);
    EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().detail);
    if (!imported) return {};
    EXPECT_EQ(callcost::test::notes_text(imported->notes), notes);
    return std::move(*imported);
}

std::string pstats(const std::string& bytes, const char* notes = "estimated-stacks") {
    return records_text(callcost::test::read_without_errors(pstats_import(bytes, notes).text));
}

std::string refusal(const std::string& bytes) {
    const auto imported = callcost::test::import(ImportFormat::pstats, bytes);
    return imported ? "" : imported.error().detail;
}

TEST(ImportPstats, self_and_inclusive_costs_and_calls_are_those_of_the_file) {
    const auto imported =
        pstats_import(dict(name("main", 3) + costs(1, 1, "1e-06", "5e-06") + name("chop", 7) +
                           costs(2, 2, "4e-06", "4e-06", name("main", 3) + figures(2, 2, "4e-06", "4e-06"))));
    EXPECT_EQ(imported.notes.samples, 3U);
    const Profile profile = callcost::test::read_without_errors(imported.text);
    EXPECT_EQ(records_text(profile), "chop:7 4000\nmain:3 -> chop 4000\nmain:3 1000\n");
    EXPECT_EQ(profile.count(callcost::ArcId(std::size_t{0})).known, 2U);
}

TEST(ImportPstats, direct_recursion_has_two_levels) {
    // f spends 2 in the first call and 3 in those below it; g costs 4 in the first one, and 1 below.
    EXPECT_EQ(
        pstats(dict(name("f") + costs(1, 3, "5e-06", "1e-05", name("f") + figures(2, 1, "3e-06", "4e-06")) +
                    name("g") + costs(5, 5, "5e-06", "5e-06", name("f") + figures(5, 5, "5e-06", "5e-06")))),
        "f'2:1 -> g 1000\nf'2:1 3000\nf:1 -> f'2 4000\nf:1 -> g 4000\nf:1 2000\ng:1 5000\n");
}

TEST(ImportPstats, mutual_recursion_keeps_the_stated_costs) {
    const Profile profile = callcost::test::read_without_errors(
        pstats_import(
            dict(name("main") + costs(1, 1, "1e-06", "2.1e-05") + name("even") +
                 costs(1, 10, "1e-05", "2e-05",
                       name("main") + figures(1, 1, "1e-06", "2e-05") + name("odd") +
                           figures(9, 1, "9e-06", "1.8e-05")) +
                 name("odd") +
                 costs(1, 10, "1e-05", "1.9e-05", name("even") + figures(10, 1, "1e-05", "1.9e-05"))))
            .text);
    const auto of_all = callcost::test::folded_costs(profile, callcost::test::event_of(profile, "Time"));
    EXPECT_EQ(of_all.at("even"), (callcost::test::FunctionCost{10000, 20000}));
    EXPECT_EQ(of_all.at("odd"), (callcost::test::FunctionCost{10000, 19000}));
    EXPECT_EQ(of_all.at("main"), (callcost::test::FunctionCost{1000, 21000}));
}

TEST(ImportPstats, what_is_not_recorded_is_a_callee) {
    EXPECT_EQ(pstats(dict(name("f") + costs(1, 1, "1e-06", "5e-06"))),
              "f:1 -> (callees not recorded) 4000\nf:1 1000\n");
}

TEST(ImportPstats, calls_that_are_only_counted_are_estimated) {
    // Both callers call as often as the other, but only one has so much to give.
    EXPECT_EQ(
        pstats(dict(name("f") + costs(1, 1, "1e-06", "2e-06") + name("g") + costs(1, 1, "1e-06", "4e-06") +
                    name("h") + costs(2, 2, "4e-06", "4e-06", name("f") + number(1) + name("g") + number(1))),
               "estimated-stacks, costs-estimated x2"),
        "f:1 -> h 1000\nf:1 1000\ng:1 -> h 3000\ng:1 1000\nh:1 4000\n");
}

TEST(ImportPstats, calls_give_way_where_costs_do_not_fit) {
    EXPECT_EQ(pstats(dict(name("f") + costs(1, 1, "1e-06", "3e-06") + name("g") +
                          costs(1, 1, "9e-06", "9e-06", name("f") + figures(1, 1, "9e-06", "9e-06"))),
                     "estimated-stacks, costs-reduced"),
              "f:1 -> g 2000\nf:1 1000\ng:1 9000\n");
    // Of a 10,000th nobody has to know.
    EXPECT_EQ(
        pstats(dict(name("f") + costs(1, 1, "1e-06", "3e-06") + name("h") + costs(1, 1, "1", "1") +
                    name("g") + costs(1, 1, "9e-06", "9e-06", name("f") + figures(1, 1, "9e-06", "9e-06")))),
        "f:1 -> g 2000\nf:1 1000\ng:1 9000\nh:1 1000000000\n");
    EXPECT_EQ(pstats(dict(name("f") + costs(1, 1, "-1e-06", "nan")), "costs-below-zero x2, estimated-stacks"),
              "");
}

TEST(ImportPstats, functions_of_one_name_have_their_lines) {
    EXPECT_EQ(pstats(dict(name("f", 1) + costs(1, 1, "1e-06", "1e-06") + name("f", 5) +
                          costs(1, 1, "2e-06", "2e-06"))),
              "f:1:1 1000\nf:5:5 2000\n");
}

TEST(ImportPstats, references_stand_for_what_came_before) {
    // The name of the file, the function main and a tuple of figures can be referred to.
    const std::string main = "\xa9\x03\xfa\x04"s + "a.py" + number(1) + text("main");  // numbers 0 and 1
    const std::string shared = "\xa9\x04"s + number(1) + number(1) + seconds("1e-06") + seconds("1e-06");
    const auto reference = [](char to) { return "r"s + to + "\0\0\0"s; };
    const auto in_file = [&](const char* function) {
        return tuple({reference(1), number(1), text(function)});
    };
    EXPECT_EQ(pstats(dict(main + costs(1, 1, "1e-06", "3e-06") + in_file("f") +
                          costs(1, 1, "1e-06", "1e-06", reference(0) + shared) + in_file("g") +
                          costs(1, 1, "1e-06", "1e-06", reference(0) + reference(2)))),
              "f:1 1000\ng:1 1000\nmain:1 -> f 1000\nmain:1 -> g 1000\nmain:1 1000\n");
    EXPECT_EQ(refusal(dict(reference(0))),
              "this is no profile of Python: expected a function: file, line and name");
}

TEST(ImportPstats, code_stands_for_its_name) {
    const std::string none = ")\0"s, numbers(20, '\0');
    const std::string code = "c" + numbers + "s\2\0\0\0ab"s + tuple({"N", tuple({number(1)})}) + none + none +
                             "s\0\0\0\0"s + text("b.py") + text("<module>") + text("<module>") + "\1\0\0\0"s +
                             "s\0\0\0\0"s + "s\0\0\0\0"s;
    const std::string old = "c" + numbers + "s\2\0\0\0ab"s + tuple({code}) + none + none + none + none +
                            text("b.py") + text("old") + "\1\0\0\0"s + "s\0\0\0\0"s;
    for (const auto& [bytes, expected] : {std::pair{code, "<module>"}, std::pair{old, "old"}}) {
        const std::string file =
            dict(tuple({text("profile"), number(0), bytes}) + costs(1, 1, "1e-06", "1e-06"));
        EXPECT_EQ(callcost::engine::detect(file), ImportFormat::pstats);
        EXPECT_EQ(pstats(file), "code object "s + expected + ":0 1000\n");
    }
}

TEST(ImportPstats, what_is_cut_or_damaged_is_refused_with_its_place) {
    const std::string file =
        dict(name("f") + costs(1, 1, "1e-06", "1e-06", name("f") + figures(1, 1, "0", "0")));
    for (std::size_t size = 1; size < file.size(); ++size)
        EXPECT_EQ(refusal(file.substr(0, size)), "the file is cut off") << size;
    EXPECT_EQ(refusal("{0"), "it has no functions");
    EXPECT_EQ(refusal("{N"), "this is no profile of Python: expected a function: file, line and name");
    EXPECT_EQ(refusal(dict(name("f") + "N")),
              "this is no profile of Python: expected the costs of a function and its callers");
}

TEST(ImportPstats, is_detected_by_its_first_function) {
    const std::string file = dict(name("f") + costs(1, 1, "1e-06", "1e-06"));
    EXPECT_EQ(callcost::engine::detect(file), ImportFormat::pstats);
    EXPECT_EQ(callcost::engine::detect(dict(name("f") + number(1))), std::nullopt);
    EXPECT_EQ(callcost::engine::detect(dict(text("f") + number(1))), std::nullopt);
}

TEST(ImportPstats, nested_values_need_no_stack) {
    std::string deep;
    for (int i = 0; i < 1'000'000; ++i) deep += ")\1"s;
    const std::string code = "c" + std::string(20, '\0') + "s\0\0\0\0"s + deep;
    EXPECT_NE(refusal(dict(tuple({text("profile"), number(0), code}))), "");
    std::string codes = "{)\3"s + text("profile") + number(0);
    for (int i = 0; i < 100'000; ++i) codes += "c" + std::string(20, '\0') + "s\0\0\0\0)\1"s;
    EXPECT_NE(refusal(codes), "");
}

TEST(ImportPstats, a_long_chain_of_calls_takes_linear_time) {
    callcost::test::expect_linear_import(ImportFormat::pstats, [](std::size_t depth) {
        std::string pairs = name("f0") + costs(1, 1, "1e-06", "1e-06");
        for (std::size_t i = 1; i < depth; ++i) {
            const std::string caller = name("f" + std::to_string(i - 1));
            pairs += name("f" + std::to_string(i)) +
                     costs(1, 1, "1e-06", "1e-06", caller + figures(1, 1, "1e-06", "1e-06"));
        }
        return dict(pairs);
    });
}

TEST(ImportPstats, names_are_part_of_the_budget) {
    const std::string named(200, 'f');
    std::string functions;
    for (std::uint32_t line = 1; line <= 50; ++line)
        functions += name(named, line) + costs(1, 1, "1e-06", "1e-06");
    const auto refused = callcost::test::import(ImportFormat::pstats, dict(functions),
                                                {.budget = {.bytes = 1'000, .factor = 1}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, callcost::ErrorCode::too_large);
    EXPECT_TRUE(callcost::test::import(ImportFormat::pstats, dict(functions)).has_value());
}

TEST(Marshal, reads_numbers_of_all_kinds) {
    const auto value = [](const std::string& bytes) {
        MarshalReader reader(bytes);
        const auto read = reader.next();
        EXPECT_TRUE(read && read->kind == MarshalKind::number && reader.offset() == bytes.size()) << bytes;
        return read ? read->number : -1;
    };
    EXPECT_EQ(value("i\xff\xff\xff\xff"), -1);
    EXPECT_EQ(value("I\0\0\0\0\1\0\0\0"s), 4294967296.0);
    EXPECT_EQ(value("g\0\0\0\0\0\0\xf8\x3f"s), 1.5);
    EXPECT_EQ(value("f\3"s + "1.5"), 1.5);
    EXPECT_EQ(value("l\2\0\0\0\1\0\2\0"s), 65537);
    EXPECT_EQ(value("l\xfe\xff\xff\xff\1\0\2\0"s), -65537);
}

TEST(Marshal, strings_of_python_2_are_known_by_number) {
    const std::string bytes = "t\1\0\0\0a"s + "R\0\0\0\0"s + "R\1\0\0\0"s;
    MarshalReader reader(bytes);
    const auto first = reader.next(), again = reader.next();
    ASSERT_TRUE(first && again);
    EXPECT_EQ(again->text, "a");
    EXPECT_EQ(first->object, again->object);
    EXPECT_FALSE(reader.next().has_value());
}

}  // namespace
}  // namespace pstats_tests
