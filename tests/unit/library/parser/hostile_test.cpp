// F67: input that is made to be slow or large, or that breaks readers by its numbers.
#include <gtest/gtest.h>

#include "base/hash.hpp"
#include "unit/library/parser/every_way.hpp"
#include "unit/library/parser/growth.hpp"

namespace callcost::test {
namespace {

std::string number(std::size_t value) { return std::to_string(value); }

TEST(Hostile, one_function_with_many_callees) {
    const auto make = [](std::size_t n) {
        std::string text = in_function("1 1\n");
        for (std::size_t i = 0; i < n; ++i) text += "cfn=g" + number(i) + "\ncalls=1 5\n3 4\n";
        return text;
    };
    expect_linear(make, 10'000);
    const Profile profile = read(make(40'000));
    EXPECT_EQ(profile.arc_count(), 40'000U);
    EXPECT_EQ(profile.function_count(), 40'001U);
}

TEST(Hostile, a_long_chain_of_calls) {
    const auto make = [](std::size_t n) {
        std::string text = by_others("fl=a\n");
        for (std::size_t i = 0; i < n; ++i)
            text += "fn=f" + number(i) + "\n1 1\ncfn=f" + number(i + 1) + "\ncalls=1 5\n3 4\n";
        return text;
    };
    expect_linear(make, 10'000);
    EXPECT_EQ(read(make(20'000)).arc_count(), 20'000U);
}

TEST(Hostile, many_parts) {
    const auto make = [](std::size_t n) {
        std::string text = by_others("");
        for (std::size_t i = 0; i < n; ++i)
            text += "part: " + number(i + 1) + "\nfl=a\nfn=f\n1 1\ntotals: 1\n";
        return text;
    };
    expect_linear(make, 2'000);
    EXPECT_EQ(read(make(1'500)).total(EventId(0U)), 1'500);
}

/// A line of numbered words.
std::string words(const std::string& prefix, std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += ' ' + prefix + number(i);
    return text;
}

TEST(Hostile, many_events) {
    const auto make = [](std::size_t n) {
        std::string text = "events:" + words("e", n) + "\nfl=a\nfn=f\n1 1\n2" + words("", n) + "\n";
        for (std::size_t i = 0; i < 100; ++i) text += "3 1\n";
        return text;
    };
    expect_linear(make, 10'000);
    const Profile profile = read(make(100'000));
    EXPECT_EQ(profile.events().size(), 1000U) << "those that are read (F14)";
    EXPECT_EQ(profile.total(EventId(std::size_t{999})), 999);
    EXPECT_EQ(profile.total(EventId(std::size_t{0})), 101);
}

TEST(Hostile, many_events_and_functions_with_one_cost_each) {
    const auto make = [](std::size_t n) {
        std::string text = "events:" + words("e", 10 * n) + "\nfl=a\n";
        for (std::size_t i = 0; i < n; ++i) text += "fn=f" + number(i) + "\n1 1\n";
        return text;
    };
    expect_linear(make, 1'250);
    EXPECT_EQ(read(make(5'000)).total(EventId(0U)), 5'000);
}

TEST(Hostile, events_in_reverse_in_a_second_part) {
    const auto make = [](std::size_t n) {
        std::string text = "events:" + words("e", n) + "\nfl=a\nfn=f\n1" + words("", n) +
                           "\npart: 2\npositions: line\nevents:";
        for (std::size_t i = n; i-- != 0;) text += " e" + number(i);
        return text + "\nfl=a\nfn=f\n1" + words("", n) + "\ncfn=g\ncalls=1 1\n2" + words("", n) + '\n';
    };
    const auto refused = read_profile(from_memory(make(10'000)));  // there are two thousand together
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    const Profile profile = read(make(1'000));
    EXPECT_EQ(profile.total(EventId(0U)), 999);
    EXPECT_EQ(profile.total(EventId(std::size_t{999})), 999);
}

TEST(Hostile, many_position_columns) {
    const auto make = [](std::size_t n) {
        std::string text = "positions:" + words("p", n) + " line\nevents: Ir\nfl=a\nfn=f\n";
        for (std::size_t i = 0; i < n; ++i) text += "1\n";
        return text;
    };
    expect_linear(make, 2'000);
    EXPECT_EQ(read(make(1'000)).parts()[0].cost_lines, 1'000U);
}

TEST(Hostile, many_position_columns_in_many_parts) {
    const auto make = [](std::size_t n) {
        std::string text =
            "positions:" + words("p", n) + " line\nevents:" + words("e", n) + "\nfl=a\nfn=f\n1\n";
        for (std::size_t i = 0; i < n; ++i) text += "part: 1\nfn=f\n1\n";
        return text;
    };
    expect_linear(make, 500);
}

TEST(Hostile, a_long_command_of_many_parts) {
    const auto make = [](std::size_t n) {
        std::string text = "creator: callgrind-3.22.0\ncmd: " + std::string(100 * n, 'x') + "\nevents: Ir\n";
        for (std::size_t i = 0; i < n; ++i) text += "part: 1\nfn=a\n1 1\n";
        return text;
    };
    expect_linear(make, 250);
    const Profile profile = read(make(2'000));
    EXPECT_EQ(profile.parts().back().command.size(), 200'000U);
    EXPECT_EQ(profile.total(EventId(0U)), 2'000);
}

TEST(Hostile, ids_at_the_ends_of_their_ranges) {
    const auto make = [](std::size_t n) {
        std::string text = by_others("fl=a\n");
        for (std::size_t i = 0; i < n; ++i)
            for (const std::uint64_t end : {std::uint64_t{1} << 32U, std::uint64_t{1} << 40U, UINT64_MAX - n})
                text += "fn=(" + std::to_string(end + i * 1'000 % n) + ") f" + number(i) + "\n1 1\n";
        return text;
    };
    expect_linear(make, 5'000);
    EXPECT_EQ(read(make(1'000)).total(EventId(0U)), 3'000);
    const std::string text = by_others(
        "fl=a\nfn=(4294967295) f\n1 1\nfn=(4294967296) g\n1 2\nfn=(18446744073709551615) h\n"
        "1 4\nfn=(0) i\n1 8\nfn=(4294967295)\n1 16\n");
    EXPECT_EQ(functions_of(text), (Lines{"a:f 17", "a:g 2", "a:h 4", "a:i 8"}));
}

TEST(Hostile, sparse_ids_below_32_bits) {
    expect_linear(
        [](std::size_t n) {
            std::string text = by_others("fl=a\n");
            for (std::size_t i = 0; i < n; ++i)
                text += "fn=(" + std::to_string(i * 2'654'435'761U % 4'294'967'296U) + ") f\n1 1\n";
            return text;
        },
        5'000);
}

/// Text made so that a hash collides takes no longer to read than ordinary text of the same size.
void expect_as_fast_as(const std::string& ordinary, const std::string& hostile) {
    const double usual = seconds_of([&] { EXPECT_TRUE(read_profile(from_memory(ordinary))); });
    EXPECT_LT(seconds_of([&] { EXPECT_TRUE(read_profile(from_memory(hostile))); }), 10 * usual);
}

// 42043 is how many buckets a standard container of this size has.
TEST(Hostile, ids_that_are_multiples_of_a_number_of_buckets) {
    const auto make = [](std::size_t factor) {
        std::string text = by_others("fl=a\n");
        for (std::size_t i = 0; i < 40'000; ++i)
            text += "fn=(" + number((i + 16'777'216) * factor) + ") f\n1 1\n";
        return text;
    };
    expect_as_fast_as(make(42'042), make(42'043));
}

// The same in the cells of a wide table: a function and a column of its own in every part.
// One name in files and objects chosen so that what was once the hash of the three is a small number.
TEST(Hostile, functions_whose_rows_were_chosen) {
    const auto hash = [](std::uint64_t object, std::uint64_t file, std::uint64_t name) {
        return mix((object << 32U | file) + mix(name + 0x9e3779b97f4a7c15U));
    };
    constexpr std::size_t rows = 4'096, wanted = 12'000;
    std::string ordinary = by_others(""), hostile = ordinary;
    for (std::size_t i = 1; i <= rows; ++i) {
        const std::string line = "ob=o" + number(i) + "\nfl=f" + number(i) + "\nfn=x\n1 1\n";
        ordinary += line;
        hostile += line;
    }
    std::size_t count = 0;
    for (std::size_t i = 1; i <= rows; ++i)
        for (std::size_t k = 1; k <= rows && count < wanted; ++k) {
            if ((hash(i, k, 1) & 0x1ffffU) >= 128) continue;
            ++count;
            hostile += "ob=o" + number(i) + "\nfl=f" + number(k) + "\nfn=x\n1 1\n";
            ordinary +=
                "ob=o" + number(count % rows + 1) + "\nfl=f" + number(count * 7 % rows + 1) + "\nfn=x\n1 1\n";
        }
    ASSERT_EQ(count, wanted);
    expect_as_fast_as(ordinary, hostile);
}

TEST(Hostile, many_profiles_after_one_with_many_ids) {
    expect_linear(
        [](std::size_t n) {
            std::string text = by_others("fl=a\n");
            for (std::size_t i = 0; i < n; ++i) text += "fn=(" + number(16'777'216 + i) + ") f\n1 1\n";
            for (std::size_t i = 0; i < n / 10; ++i) text += "version: 1\nevents: Ir\nfn=f\n1 1\n";
            return text;
        },
        40'000);
}

TEST(Hostile, a_name_of_ten_megabytes) {
    std::string name;
    name.resize(10'000'000, 'n');
    const std::string text = by_others("fl=a\nfn=(1) " + name + "\n1 1\nfn=(1)\n2 1\n");
    for (const ReadOptions& options : {ReadOptions{}, little_pieces()}) {
        const Profile profile = read(text, options);
        ASSERT_EQ(profile.function_count(), 1U);
        EXPECT_EQ(profile.name(FunctionId(0U)), name);
        EXPECT_EQ(profile.total(EventId(0U)), 2);
    }
}

TEST(Hostile, nested_names_that_double) {
    std::string body = "fl=a\nfn=(1) xxxxxxxx\n1 1\n";
    for (std::size_t i = 2; i < 200; ++i)
        body += "fn=(" + number(i) + ") (" + number(i - 1) + ")'(" + number(i - 1) + ")\n1 1\n";
    const Profile profile = read(by_callgrind(body));
    EXPECT_EQ(profile.total(EventId(0U)), 199);
    std::size_t bytes = 0;
    for (const FunctionId function : all_functions(profile)) {
        bytes += profile.name(function).size();
        EXPECT_LE(profile.name(function).size(), std::size_t{4} << 20U);
    }
    EXPECT_LT(bytes, std::size_t{32} << 20U);
    // F36: the first one that is left as it is
    EXPECT_EQ(diagnostics_of(profile)[0].substr(0, 11), "odd-name-id");
    EXPECT_EQ(profile.name(FunctionId(std::size_t{19})), "(19)'(19)");
}

TEST(Hostile, nested_names_beyond_what_is_expanded) {
    const auto make = [](std::size_t n) {
        std::string body = "fl=a\nfn=(1) xxxxxxxx\n1 1\n";
        for (std::size_t i = 2; i < 64; ++i)
            body += "fn=(" + number(i) + ") (" + number(i - 1) + ")'(" + number(i - 1) + ")\n";
        for (std::size_t i = 0; i < n; ++i)
            body += "fn=(" + number(100 + i) + ") (" + number(1 + i % 63) + ")'(" + number(1 + i % 61) +
                    ")\n1 1\n";
        return by_callgrind(body);
    };
    expect_linear(make, 2'000);
}

TEST(Hostile, a_nested_name_of_very_many_ids) {
    const auto make = [](std::size_t n) {
        std::string body = "fl=a\nfn=(1) " + std::string(n, 'x') + "\n1 1\nfn=(2) (1)";
        for (std::size_t i = 0; i < n; ++i) body += "'(1)";
        return by_callgrind(body + "\n1 1\n");
    };
    expect_linear(make, 5'000);
}

TEST(Hostile, long_lines) {
    for (const ReadOptions& options : {ReadOptions{}, little_pieces()}) {
        const std::string comment = '#' + std::string(1'000'000, 'x') + '\n';
        EXPECT_EQ(functions_of(read(in_function("1 2\n") + comment + "3 4\n", options)), (Lines{"a:f 6"}));
        std::string line = "1";
        for (int i = 0; i < 500'000; ++i) line += " 7";
        const Profile profile = read(in_function(line + "\n3 4\n"), options);
        EXPECT_EQ(functions_of(profile), (Lines{"a:f 11"}));
        EXPECT_EQ(diagnostics_of(profile), (Lines{"surplus-costs at 4:5"}));
    }
    const auto blanks = [](std::size_t n) { return in_function("1 2" + std::string(n, ' ') + "\n3 4\n"); };
    expect_linear(blanks, 250'000);
    expect_linear([](std::size_t n) { return in_function(std::string(n, 'q') + "\n3 4\n"); }, 250'000);
    expect_linear([](std::size_t n) { return in_function(std::string(n, '7') + " 1\n3 4\n"); }, 250'000);
    expect_linear([](std::size_t n) { return in_function("1 0." + std::string(n, '7') + "\n3 4\n"); },
                  250'000);
}

TEST(Hostile, costs_with_huge_exponents) {
    for (const char* cost : {"1.0e999999", "1.0e99999999999999999999", "1e999999", "0.0e999999",
                             "1.5e-999999", "1.0e-99999999999999999999", "999999999999999999999999.9e20"}) {
        const Profile profile = read_every_way(in_function("1 " + std::string(cost) + "\n2 1\n"));
        EXPECT_EQ(profile.parts()[0].cost_lines, 2U) << cost;
    }
    EXPECT_EQ(functions_of(in_function("1 1.5e-999999\n2 1\n")), (Lines{"a:f 1"}));
    EXPECT_EQ(functions_of(in_function("1 0.0e999999\n2 1\n")), (Lines{"a:f 1"}));
}

TEST(Hostile, one_name_in_many_files) {
    const auto make = [](std::size_t n) {
        std::string text = by_others("");
        for (std::size_t i = 0; i < n; ++i)
            text += "fl=f" + number(i) + "\nfn=f\n1 1\ncfi=g" + number(i) + "\ncfn=f\ncalls=1 1\n2 1\n";
        return text;
    };
    expect_linear(make, 12'500);
    EXPECT_EQ(read(make(50'000)).total(EventId(0U)), 50'000);
}

TEST(Hostile, a_function_with_many_callees_opened_often) {
    const auto make = [](std::size_t n) {
        std::string text = by_others("fl=a\n");
        for (std::size_t i = 0; i < n; ++i)
            text += "fn=f\ncfn=g" + number(i) + "\ncalls=1 1\n2 1\nfn=h\n1 1\n";
        for (std::size_t i = 0; i < n; ++i)
            text += "fn=f\ncfn=g" + number(i * 7 % n) + "\ncalls=1 1\n2 1\nfn=h\n1 1\n";
        return text;
    };
    expect_linear(make, 5'000);
    const Profile profile = read(make(20'000));
    EXPECT_EQ(profile.arc_count(), 20'000U);
    EXPECT_EQ(profile.count(ArcId(0U)).known, 2U);
}

TEST(Hostile, many_unknown_header_lines) {
    const auto make = [](std::size_t n) {
        std::string text = "creator: x\n";
        for (std::size_t i = 0; i < n; ++i) text += "key: v\n";
        return text + in_function("1 1\n");
    };
    expect_linear(make, 50'000);
}

/// What is said of columns and of a run is not copied for every chunk that is scanned ahead.
TEST(Hostile, long_header_lines_before_many_chunks) {
    std::string body = "fl=a\n";
    while (body.size() < 2'000'000) body += "fn=f\n1 1\n2 1\n3 1\n";
    std::string positions = "positions: line", events = "events: Ir";
    constexpr std::size_t count = is_sanitized ? 20'000 : 200'000;
    for (std::size_t i = 0; i < count; ++i) positions += " x";
    for (std::size_t i = 0; i < count; ++i) events += " e" + number(i);
    const std::string pid = "pid: " + std::string(2'000'000, '7');
    for (const std::string& header :
         {"events: Ir\n" + positions + '\n', events + '\n', "creator: x\n" + pid + "\nevents: Ir\n",
          pid.substr(0, 500'000) + "\nevents: Ir\n"}) {
        SCOPED_TRACE(header.substr(0, 20));
        const std::string text = header + body;
        ReadOptions options;
        options.chunk_size = 16'384;
        const double one = seconds_of([&] { EXPECT_TRUE(read_profile(from_memory(text), options)); });
        options.concurrency = 2;
        options.run_all = on_two_threads();
        EXPECT_LT(seconds_of([&] { EXPECT_TRUE(read_profile(from_memory(text), options)); }), 4 * one);
    }
}

TEST(Hostile, a_long_pid_of_many_parts) {
    std::string text = "pid: " + std::string(100'000, 'x') + '\n' + in_function("1 1\n");
    for (std::size_t i = 0; i < 100; ++i) text += "part: 1\nfn=a\n1 1\n";
    const Profile profile = read(text);
    ASSERT_EQ(profile.parts().size(), 101U);
    EXPECT_EQ(profile.parts()[100].pid.text.size(), 100'000U);
    EXPECT_EQ(profile.parts()[100].pid.text.data(), profile.parts()[0].pid.text.data());
}

TEST(Hostile, many_diagnostics_of_every_kind) {
    expect_linear(
        [](std::size_t n) {
            std::string text = in_function("");
            for (std::size_t i = 0; i < n; ++i)
                text += "%\ncalls=x\n-9 y 3 4\nfn=(9999" + number(i) + ")\n 1 1.5\nfi=\xe9" + number(i) +
                        "\n1 +2\n";
            return text;
        },
        5'000);
}

}  // namespace
}  // namespace callcost::test
