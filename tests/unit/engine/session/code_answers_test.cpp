#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "session/session.hpp"
#include "unit/library/call_graph/questions.hpp"

namespace callcost::test {
namespace {

using engine::Host;
using engine::Session;
using testing::HasSubstr;

// f loops over its lines and calls g and itself; some of its code is from b.h, some was never executed.
const char* const a_program =
    "version: 1\ncreator: callgrind-3.19\npositions: instr line\nevents: Ir Dr\n"
    "ob=prog\nfl=a.c\nfn=f\n0x10 1 3 1\n0x12 2 9 2\njcnd=3/9 0x20 4\n0x14 2\n0x14 2 9 3\n"
    "cfi=b.h\ncfn=g\ncalls=6 0x40 6\n0x16 3 60 12\n0x16 3 6\ncfn=f\ncalls=1 0x10 1\n0x16 3 100 20\njump=6 "
    "0x12 2\n0x18 3\n0x18 3 6\n"
    "fi=b.h\n0x20 7 3 1\n"
    "fl=b.h\nfn=g\n0x40 6 50 5\n0x44 7 10 1\n";

class CodeAnswers : public testing::Test {
  protected:
    rapidjson::Document ask(const std::string& question) {
        if (!session_) session_.emplace(profile_of(a_program), before_, host_);
        text_ = session_->answer(question);
        rapidjson::Document answer;
        answer.Parse(text_.data(), text_.size());
        EXPECT_FALSE(answer.HasParseError()) << text_;
        return answer;
    }
    /// The id of a function.
    std::string id(const std::string& name) {
        return std::to_string(ask(R"({"ask":"find","name":")" + name + "\"}")["id"].GetInt64());
    }
    std::string file(const std::string& name) {
        const auto answer = ask(R"({"ask":"files","search":")" + name + "\"}");
        return std::to_string(answer["rows"][0]["id"].GetInt64());
    }

    Host host_;
    std::optional<Profile> before_;
    std::optional<Session> session_;
    std::string text_;
};

engine::InlinedCode inlined_at_line(std::uint64_t line, const std::string& file = "a.c") {
    engine::InlinedCode code;
    code.sites = {{file, line, "helper()"}};
    code.runs = {{0x1f, 0}, {0x21, engine::InlinedCode::none}};
    return code;
}

TEST_F(CodeAnswers, inlined_code_is_at_the_line_it_was_inlined_at) {
    std::string asked;
    host_.inlined_code = [&](engine::Build, std::string_view object, std::string_view function, auto ranges) {
        asked = std::string(object) + " " + std::string(function) + " " + std::to_string(ranges.size());
        return inlined_at_line(2);
    };
    const auto answer = ask(R"({"ask":"source","columns":["Ir","Dr"],"function":)" + id("f") + "}");
    EXPECT_EQ(asked, "prog f 1");
    ASSERT_EQ(answer["lines"].Size(), 3U);
    const auto& line = answer["lines"][1];
    EXPECT_EQ(line["line"].GetInt(), 2);
    EXPECT_EQ(line["self"][0].GetInt(), 18);
    EXPECT_EQ(line["with_inlined"][0].GetInt(), 21);
    EXPECT_EQ(line["with_inlined"][1].GetInt(), 6);
    EXPECT_EQ(line["with_calls"][0].GetInt(), 21);
    ASSERT_EQ(line["inlined_code"].Size(), 1U);
    const auto& code = line["inlined_code"][0];
    EXPECT_STREQ(code["file"]["name"].GetString(), "b.h");
    EXPECT_EQ(code["line"].GetInt(), 7);
    EXPECT_STREQ(code["function"].GetString(), "helper()");
    EXPECT_EQ(code["self"][0].GetInt(), 3);
    EXPECT_EQ(answer["inlined"]["self"][0].GetInt(), 3);
    EXPECT_EQ(answer["self"][0].GetInt() + answer["inlined"]["self"][0].GetInt(), 36)
        << "all of the function";
    EXPECT_FALSE(answer["inlined"].HasMember("problem"));
}

TEST_F(CodeAnswers, a_line_that_has_nothing_but_inlined_code_is_there) {
    host_.inlined_code = [](auto&&...) { return inlined_at_line(9, "/src/a.c"); };
    const auto answer = ask(R"({"ask":"source","function":)" + id("f") + "}");
    ASSERT_EQ(answer["lines"].Size(), 4U);
    EXPECT_EQ(answer["lines"][3]["line"].GetInt(), 9);
    EXPECT_EQ(answer["lines"][3]["self"][0].GetInt(), 0);
    EXPECT_EQ(answer["lines"][3]["with_inlined"][0].GetInt(), 3);
}

TEST_F(CodeAnswers, inlined_code_of_unknown_place_is_at_line_0) {
    host_.inlined_code = [](auto&&...) { return engine::InlinedCode{.problem = "why", .hint = "do"}; };
    for (const bool is_known_elsewhere : {false, true}) {
        if (is_known_elsewhere) host_.inlined_code = [](auto&&...) { return inlined_at_line(2, "other.c"); };
        session_.reset();
        const auto answer = ask(R"({"ask":"source","function":)" + id("f") + "}");
        ASSERT_EQ(answer["lines"].Size(), 4U);
        EXPECT_EQ(answer["lines"][0]["line"].GetInt(), 0);
        EXPECT_EQ(answer["lines"][0]["with_inlined"][0].GetInt(), 3);
        EXPECT_FALSE(answer["lines"][0]["inlined_code"][0].HasMember("function"));
        EXPECT_EQ(answer["inlined"].HasMember("problem"), !is_known_elsewhere);
    }
}

TEST_F(CodeAnswers, without_addresses_a_line_is_placed_if_it_was_inlined_at_one_place) {
    Host host;
    host.inlined_code = [](engine::Build, auto, auto, auto ranges) {
        EXPECT_TRUE(ranges.empty());
        engine::InlinedCode code;
        code.sites = {{"/src/a.c", 1, "h()"}, {"/src/a.c", 2, "h()"}};
        code.lines = {{"/src/b.h", 7, 0}, {"/src/b.h", 8, engine::InlinedCode::none}, {"/src/c.h", 9, 1}};
        return code;
    };
    Session session(profile_of("events: Ir\nob=p\nfl=a.c\nfn=f\n1 1\nfi=b.h\n7 10\n8 20\n9 40\n"), {}, host);
    rapidjson::Document answer;
    const auto text = session.answer(R"({"ask":"source","function":0})");
    answer.Parse(text.data(), text.size());
    ASSERT_EQ(answer["lines"].Size(), 2U) << text;
    EXPECT_EQ(answer["lines"][0]["with_inlined"][0].GetInt(), 60) << "several places, and no known line";
    EXPECT_EQ(answer["lines"][1]["with_inlined"][0].GetInt(), 11);
}

TEST_F(CodeAnswers, another_file_of_a_function_has_no_inlined_code) {
    host_.inlined_code = [](auto&&...) { return inlined_at_line(2); };
    const auto answer = ask(R"({"ask":"source","function":)" + id("f") + R"(,"file":)" + file("b.h") + "}");
    EXPECT_FALSE(answer.HasMember("inlined"));
    EXPECT_EQ(answer["self"][0].GetInt(), 3);
}

TEST_F(CodeAnswers, files_are_listed_by_the_cost_located_in_them) {
    const auto answer = ask(R"({"ask":"files"})");
    EXPECT_EQ(text_,
              R"({"rows":[{"id":2,"name":"b.h","self":63},{"id":1,"name":"a.c","self":33}],"matching":2})");
}

TEST_F(CodeAnswers, a_source_file_has_its_lines_with_calls_and_jumps) {
    host_.source = [](std::string_view name) {
        return engine::SourceFile{"/src/" + std::string(name), "one\ntwo\n", {}, {}, true, false};
    };
    const auto answer = ask(R"({"ask":"source","columns":["Ir","Dr"],"file":)" + file("a.c") + "}");
    EXPECT_STREQ(answer["path"].GetString(), "/src/a.c");
    EXPECT_STREQ(answer["text"].GetString(), "one\ntwo\n");
    EXPECT_TRUE(answer["is_newer"].GetBool());
    ASSERT_EQ(answer["lines"].Size(), 3U);
    const auto& line = answer["lines"][2];
    EXPECT_EQ(line["line"].GetInt(), 3);
    EXPECT_EQ(line["self"][0].GetInt(), 12);
    EXPECT_EQ(line["with_calls"][0].GetInt(), 72) << "without the recursive call";
    EXPECT_EQ(line["with_calls"][1].GetInt(), 12);
    ASSERT_EQ(line["calls"].Size(), 2U);
    EXPECT_STREQ(line["calls"][0]["name"].GetString(), "f") << "costliest first";
    EXPECT_TRUE(line["calls"][0]["recursive"].GetBool());
    EXPECT_EQ(line["calls"][1]["cost"][1].GetInt(), 12);
    EXPECT_EQ(line["calls"][1]["count"].GetInt(), 6);
    EXPECT_EQ(line["jumps"][0]["to"].GetInt(), 2);
    EXPECT_EQ(answer["self"][0].GetInt(), 33);
}

TEST_F(CodeAnswers, the_lines_of_a_function_are_in_several_files) {
    const auto f = id("f");
    auto answer = ask(R"({"ask":"source","function":)" + f + "}");
    EXPECT_STREQ(answer["file"]["name"].GetString(), "a.c");
    EXPECT_TRUE(answer["text"].IsNull());
    EXPECT_THAT(answer["problem"]["hint"].GetString(), HasSubstr("callcost view"));
    ASSERT_EQ(answer["files"].Size(), 2U);
    answer = ask(R"({"ask":"source","function":)" + f + R"(,"file":)" + file("b.h") + "}");
    ASSERT_EQ(answer["lines"].Size(), 1U) << "not those of g";
    EXPECT_TRUE(answer["lines"][0]["inlined"].GetBool());
    EXPECT_EQ(answer["self"][0].GetInt(), 3);
}

TEST_F(CodeAnswers, lines_of_two_profiles_are_found_again_where_they_moved) {
    before_ = profile_of(
        "version: 1\ncreator: callgrind-3.19\npositions: line\nevents: Ir\n"
        "ob=prog\nfl=a.c\nfn=f\n11 3\n12 18\n13 20\n19 7\nfl=b.h\nfn=g\n6 50\n7 10\n");
    const auto answer =
        ask(R"({"ask":"source","compare":true,"columns":["Ir","Dr"],"file":)" + file("a.c") + "}");
    std::int64_t before = 0;
    for (const auto& line : answer["lines"].GetArray()) before += line["self_before"][0].GetInt64();
    for (const auto& line : answer["removed"].GetArray()) before += line["self_before"][0].GetInt64();
    EXPECT_EQ(before, 48) << text_;
    EXPECT_EQ(answer["self_before"][0].GetInt64(), 48);
    EXPECT_TRUE(answer["self_before"][1].IsNull()) << "is not what is measured by";
    EXPECT_EQ(answer["lines"][1]["line_before"].GetInt(), 12);
}

TEST_F(CodeAnswers, files_and_functions_that_there_are_not_are_refused) {
    EXPECT_STREQ(ask(R"({"ask":"source","file":99})")["error"]["id"].GetString(), "unknown-file");
    EXPECT_STREQ(ask(R"({"ask":"source","file":-1})")["error"]["id"].GetString(), "unknown-file");
    EXPECT_STREQ(ask(R"({"ask":"source","file":-9223372036854775808})")["error"]["id"].GetString(),
                 "unknown-file");
    EXPECT_STREQ(ask(R"({"ask":"source"})")["error"]["member"].GetString(), "file");
    EXPECT_STREQ(ask(R"({"ask":"source","file":"a.c"})")["error"]["member"].GetString(), "file");
    EXPECT_STREQ(ask(R"({"ask":"instructions","id":99})")["error"]["id"].GetString(), "unknown-function");
    EXPECT_STREQ(ask(R"({"ask":"instructions","id":0,"syntax":"arm"})")["error"]["member"].GetString(),
                 "syntax");
}

TEST_F(CodeAnswers, the_hottest_lines_say_what_they_leave_out) {
    const auto answer = ask(R"({"ask":"lines","limit":1})");
    ASSERT_EQ(answer["rows"].Size(), 1U);
    EXPECT_STREQ(answer["rows"][0]["file"]["name"].GetString(), "b.h");
    EXPECT_STREQ(answer["rows"][0]["function"]["name"].GetString(), "g");
    EXPECT_EQ(answer["rows"][0]["self"][0].GetInt() + answer["omitted_self"][0].GetInt(), 96);
    const auto filtered = ask(R"({"ask":"lines","limit":1,"hide":["function:g"]})");
    EXPECT_EQ(filtered["rows"][0]["self"][0].GetInt() + filtered["omitted_self"][0].GetInt(), 36)
        << "what the filter leaves out is in no further line";
}

TEST_F(CodeAnswers, files_of_two_profiles_are_by_the_larger_cost) {
    before_ = profile_of("events: Ir\nob=prog\nfl=old.c\nfn=f\n1 50\nfl=a.c\nfn=g\n6 40\n");
    const auto answer = ask(R"({"ask":"files","compare":true})");
    ASSERT_EQ(answer["rows"].Size(), 3U);
    EXPECT_STREQ(answer["rows"][0]["name"].GetString(), "b.h");
    EXPECT_STREQ(answer["rows"][1]["name"].GetString(), "old.c");
    EXPECT_LT(answer["rows"][1]["id"].GetInt(), 0);
    EXPECT_EQ(answer["rows"][1]["self_before"].GetInt(), 50);
    EXPECT_STREQ(answer["rows"][2]["name"].GetString(), "a.c");
}

TEST_F(CodeAnswers, a_function_that_is_gone_has_the_code_of_the_build_before) {
    before_ = profile_of(
        "version: 1\npositions: instr line\nevents: Ir\nob=prog\nfl=a.c\nfn=gone\n0x10 1 3\nfn=f\n0x30 1 "
        "3\n");
    std::vector<engine::Build> builds;
    host_.machine_code = [&](engine::Build build, std::string_view, std::span<const AddressRange>,
                             engine::Syntax) {
        builds.push_back(build);
        engine::MachineCode code{"/tmp/prog", {{0x10, "c3", "ret"}}, {}, {}};
        code.is_guess = build == engine::Build::before;
        return code;
    };
    const auto gone = std::to_string(ask(R"({"ask":"find","compare":true,"name":"gone"})")["id"].GetInt64());
    EXPECT_TRUE(ask(R"({"ask":"instructions","compare":true,"id":)" + gone + "}")["is_guess"].GetBool());
    EXPECT_FALSE(ask(R"({"ask":"instructions","compare":true,"id":)" + id("f") + "}")["is_guess"].GetBool());
    EXPECT_THAT(builds,
                testing::ElementsAre(engine::Build::before, engine::Build::after, engine::Build::before));
}

TEST_F(CodeAnswers, too_much_code_is_said_to_be_left_out) {
    host_.machine_code = [](engine::Build, std::string_view, std::span<const AddressRange>, engine::Syntax) {
        engine::MachineCode code;
        for (std::uint64_t i = 0; i < 100'000; ++i) code.instructions.push_back({0x10 + i, "90", "nop"});
        return code;
    };
    const auto answer = ask(R"({"ask":"instructions","id":)" + id("f") + "}");
    EXPECT_EQ(answer["rows"].Size(), 6U);
    EXPECT_THAT(answer["problem"]["message"].GetString(), HasSubstr("too much code"));
}

TEST_F(CodeAnswers, instructions_without_code_are_those_with_cost) {
    const auto answer = ask(R"({"ask":"instructions","id":)" + id("f") + "}");
    ASSERT_EQ(answer["rows"].Size(), 6U);
    EXPECT_STREQ(answer["rows"][0]["address"].GetString(), "0x10");
    EXPECT_FALSE(answer["rows"][0].HasMember("text"));
    EXPECT_EQ(answer["rows"][3]["calls"].Size(), 2U);
    EXPECT_STREQ(answer["rows"][4]["jumps"][0]["to"].GetString(), "0x12");
    EXPECT_STREQ(answer["rows"][5]["file"].GetString(), "b.h");
    EXPECT_EQ(answer["blocks"].Size(), 4U);
    EXPECT_EQ(answer["edges"].Size(), 4U) << text_;
    EXPECT_TRUE(answer.HasMember("problem"));
}

TEST_F(CodeAnswers, instructions_with_code_are_asked_for_by_the_ranges_that_have_cost) {
    std::vector<AddressRange> asked;
    std::string object;
    host_.machine_code = [&](engine::Build build, std::string_view name, std::span<const AddressRange> ranges,
                             engine::Syntax syntax) {
        EXPECT_EQ(build, engine::Build::after);
        object = name;
        asked.assign(ranges.begin(), ranges.end());
        EXPECT_EQ(syntax, engine::Syntax::intel);
        return engine::MachineCode{"/bin/prog",
                                   {{0x10, "90 90", "mov a,b"},
                                    {0x12, "90 90", "cmp"},
                                    {0x14, "75 0a", "jne 20"},
                                    {0x16, "ff ff", "call g"},
                                    {0x18, "eb f8", "jmp 12"},
                                    {0x1a, "90 90", "nop"},
                                    {0x20, "c3", "ret"}},
                                   {},
                                   {}};
    };
    const auto answer = ask(R"({"ask":"instructions","syntax":"intel","event":"Dr","id":)" + id("f") + "}");
    EXPECT_EQ(object, "prog");
    EXPECT_THAT(asked, testing::ElementsAre(AddressRange{0x10, 0x21}));
    ASSERT_EQ(answer["rows"].Size(), 7U);
    EXPECT_STREQ(answer["rows"][5]["text"].GetString(), "nop");
    EXPECT_EQ(answer["rows"][5]["self"][0].GetInt(), 0);
    for (const auto& block : answer["blocks"].GetArray()) {
        const bool has_code_that_ran = block["first"].GetInt() != 5;
        EXPECT_EQ(block["executed"].GetBool(), has_code_that_ran) << "nothing of 0x1a was executed";
    }
    EXPECT_FALSE(answer["rows"][5].HasMember("gap"));
    EXPECT_TRUE(answer["rows"][6]["gap"].GetBool()) << "0x1c to 0x20";
    EXPECT_STREQ(answer["path"].GetString(), "/bin/prog");
    EXPECT_FALSE(answer.HasMember("problem"));
    EXPECT_EQ(answer["edges"][1]["count"].GetInt(), 6) << "by Ir, though Dr is asked for";
}

// Before, f had an instruction more, and lay elsewhere.
const char* const an_older_program =
    "version: 1\ncreator: callgrind-3.19\npositions: instr line\nevents: Ir Dr\n"
    "ob=prog\nfl=a.c\nfn=f\n0x110 1 3 1\n0x112 2 9 2\n0x114 2 9 3\n0x116 2 5 1\n"
    "cfi=b.h\ncfn=g\ncalls=6 0x140 6\n0x118 3 60 12\n0x118 3 6\njump=6 0x112 2\n0x11a 3\n0x11a 3 6\n"
    "fi=b.h\n0x122 7 3 1\n"
    "fl=b.h\nfn=g\n0x140 6 50 5\n0x144 7 10 1\n";

engine::MachineCode code_of(std::uint64_t address, const std::vector<std::string>& texts) {
    engine::MachineCode code;
    code.path = "/bin/prog" + std::to_string(address);
    for (const auto& text : texts) {
        if (!text.empty()) code.instructions.push_back({address, "90 90", text});
        address += 2;
    }
    return code;
}

class ComparedCode : public CodeAnswers {
  protected:
    ComparedCode() {
        before_ = profile_of(an_older_program);
        host_.machine_code = [&](engine::Build build, std::string_view, std::span<const AddressRange>,
                                 engine::Syntax) {
            return build == engine::Build::before ? code_before_ : code_after_;
        };
    }
    rapidjson::Document ask_about(const std::string& name, const std::string& more = {}) {
        return ask(R"({"ask":"instructions","compare":true,"columns":["Ir","Dr"])" + more + R"(,"id":)" +
                   id(name) + "}");
    }
    std::string id(const std::string& name) {
        return std::to_string(
            ask(R"({"ask":"find","compare":true,"name":")" + name + "\"}")["id"].GetInt64());
    }

    engine::MachineCode code_after_ = code_of(
        0x10, {"mov a,b", "cmp", "jne 20 <f+0x10>", "call 40 <g>", "jmp 12 <f+0x2>", "nop", "", "", "ret"});
    engine::MachineCode code_before_ = code_of(0x110, {"mov a,b", "cmp", "jne 122 <f+0x12>", "inc a",
                                                       "call 140 <g>", "jmp 112 <f+0x2>", "", "", "", "ret"});
};

TEST_F(ComparedCode, instructions_are_found_again_by_their_text) {
    const auto answer = ask_about("f");
    EXPECT_STREQ(answer["compared"]["by"].GetString(), "text");
    const auto& rows = answer["rows"];
    ASSERT_EQ(rows.Size(), 7U);
    EXPECT_STREQ(rows[3]["text"].GetString(), "call 40 <g>");
    EXPECT_STREQ(rows[3]["address_before"].GetString(), "0x118");
    EXPECT_EQ(rows[3]["self_before"][0].GetInt(), 6);
    EXPECT_EQ(rows[1]["self_before"][1].GetInt(), 2) << "by each column";
    EXPECT_FALSE(rows[5].HasMember("address_before")) << "it is new";
    EXPECT_EQ(rows[5]["self_before"][0].GetInt(), 0);
    ASSERT_EQ(answer["removed"].Size(), 1U) << text_;
    const auto& gone = answer["removed"][0];
    EXPECT_EQ(gone["row"].GetInt(), 3) << "before the call";
    EXPECT_STREQ(gone["text"].GetString(), "inc a");
    EXPECT_STREQ(gone["address_before"].GetString(), "0x116");
    EXPECT_EQ(gone["self_before"][0].GetInt(), 5);
    EXPECT_EQ(gone["line"].GetInt(), 2);
}

TEST_F(ComparedCode, what_is_there_and_what_is_gone_add_up_to_the_cost_before) {
    const auto answer = ask_about("f");
    std::int64_t before = 0, blocks = 0, gone = 0;
    for (const auto& row : answer["rows"].GetArray()) before += row["self_before"][0].GetInt64();
    for (const auto& row : answer["removed"].GetArray()) gone += row["self_before"][0].GetInt64();
    for (const auto& block : answer["blocks"].GetArray()) blocks += block["self_before"][0].GetInt64();
    EXPECT_EQ(before + gone, 41);
    EXPECT_EQ(blocks, before + gone) << "what is gone was in one of them";
}

TEST_F(ComparedCode, code_that_is_not_what_was_measured_is_not_compared) {
    code_before_.is_doubtful = true;
    const auto answer = ask_about("f");
    EXPECT_FALSE(answer["compared"].HasMember("by")) << text_;
    EXPECT_THAT(answer["compared"]["problem"]["message"].GetString(),
                HasSubstr("not the one that was measured"));
    EXPECT_FALSE(answer.HasMember("gone"));
    EXPECT_FALSE(answer["rows"][0].HasMember("self_before"));
    EXPECT_FALSE(answer["blocks"][0].HasMember("self_before"));
}

TEST_F(ComparedCode, one_file_is_not_two_builds) {
    // It was built anew where it was: its code is at the addresses of both.
    code_before_ = code_of(0x110, {"new", "new", "new", "new", "new", "new", "new", "new", "new", "ret"});
    code_after_ = code_of(0x10, {"new", "new", "new", "new", "new", "new", "new", "new", "new", "ret"});
    code_before_.path = code_after_.path;
    // Here line 2 is now what was line 1.
    std::string moved = an_older_program;
    moved.replace(moved.find("0x110 1 3 1"), 11, "0x10 77 3 1");
    before_ = profile_of(moved);
    for (const bool is_doubtful : {false, true}) {
        code_before_.is_doubtful = is_doubtful;
        const auto answer = ask_about("f");
        EXPECT_FALSE(answer["compared"].HasMember("by")) << text_;
        EXPECT_FALSE(answer.HasMember("gone"));
    }
}

TEST_F(ComparedCode, a_file_that_was_not_measured_does_not_tell_what_is_gone) {
    // Of the same addresses, so by these it is the same build.
    const std::string same =
        "positions: instr line\nevents: Ir Dr\nob=prog\nfl=a.c\nfn=f\n0x10 0 3 1\n0x12 0 3 1\n";
    session_.emplace(profile_of(same), profile_of(same + "0x16 0 9 9\n"), host_);
    code_after_ = code_of(0x10, {"new", "new"});
    code_before_ = code_of(0x10, {"new", "new", "new", "new", "new"});
    code_before_.is_doubtful = true;
    const auto answer = ask_about("f");
    EXPECT_STREQ(answer["compared"]["by"].GetString(), "addresses") << text_;
    ASSERT_EQ(answer["removed"].Size(), 1U) << "not 0x14, which only the file has";
    EXPECT_STREQ(answer["removed"][0]["address_before"].GetString(), "0x16");
    EXPECT_FALSE(answer["removed"][0].HasMember("text"));
}

TEST_F(ComparedCode, the_same_build_is_compared_without_any_text) {
    before_ = profile_of(a_program);
    code_before_ = code_after_ = {};
    code_after_.problem = "it is not here";
    const auto answer = ask_about("f", R"(,"event":"Dr")");
    EXPECT_STREQ(answer["compared"]["by"].GetString(), "addresses") << text_;
    EXPECT_EQ(answer["removed"].Size(), 0U);
    for (const auto& row : answer["rows"].GetArray()) EXPECT_EQ(row["self"], row["self_before"]);
}

TEST_F(ComparedCode, without_any_text_another_build_is_not_compared) {
    code_before_ = code_after_ = {};
    code_after_.problem = "it is not here";
    const auto answer = ask_about("f");
    EXPECT_FALSE(answer["compared"].HasMember("by"));
    EXPECT_THAT(answer["compared"]["problem"]["message"].GetString(),
                HasSubstr("the machine code is not available"));
}

TEST_F(ComparedCode, a_function_that_is_new_or_gone_has_nothing_to_compare_with) {
    before_ = profile_of("positions: instr line\nevents: Ir Dr\nob=prog\nfl=a.c\nfn=gone\n0x110 1 3 1\n");
    EXPECT_THAT(ask_about("g")["compared"]["problem"]["message"].GetString(), HasSubstr("does not have"));
    const auto gone = ask_about("gone");
    EXPECT_FALSE(gone.HasMember("compared"));
    EXPECT_FALSE(gone["rows"][0].HasMember("self_before"));
    session_.reset();
    before_ = profile_of(an_older_program);
    const auto alone = ask(R"({"ask":"instructions","id":)" + id("f") + "}");
    EXPECT_FALSE(alone.HasMember("compared")) << "it was not asked for";
}

TEST_F(ComparedCode, functions_that_nothing_tells_apart_are_not_compared) {
    const std::string twins =
        "positions: instr line\nevents: Ir Dr\nob=prog\nfl=a.c\nfn=h{lambda#1}\n0x10 1 3 "
        "1\nfn=h{lambda#2}\n0x20 1 3 "
        "1\n";
    session_.emplace(profile_of(twins + "fn=h{lambda#3}\n0x30 1 3 1\n"), profile_of(twins), host_);
    const auto functions = ask(R"({"ask":"functions","compare":true})");
    for (const auto& row : functions["rows"].GetArray()) {
        if (!row.HasMember("together")) continue;
        const auto answer =
            ask(R"({"ask":"instructions","compare":true,"id":)" + std::to_string(row["id"].GetInt64()) + "}");
        EXPECT_THAT(answer["compared"]["problem"]["message"].GetString(), HasSubstr("nothing tells apart"));
    }
}

TEST_F(CodeAnswers, names_of_any_bytes_are_valid_text) {
    session_.emplace(profile_of("positions: instr line\nevents: Ir\nob=\x1b[31m\xff\nfl=<img "
                                "onerror=x>\xe9.c\nfn=\"</script>\n0x10 1 5\n"),
                     std::nullopt, Host{});
    ask(R"({"ask":"source","function":0})");
    EXPECT_THAT(text_, HasSubstr("\xc3\xa9.c"));
    ask(R"({"ask":"instructions","id":0})");
    ask(R"({"ask":"lines"})");
    EXPECT_THAT(text_, HasSubstr(R"(\"</script>)"));
}

}  // namespace
}  // namespace callcost::test
