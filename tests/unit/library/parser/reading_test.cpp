// What a profile does not depend on: threads, chunks, line ends, company.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/every_way.hpp"
#include "unit/library/parser/profile_dump.hpp"
#include "unit/library/parser/profile_text.hpp"
#include <callcost/call_graph.hpp>

namespace callcost::test {
namespace {

TEST(Reading, gives_the_same_profile_by_any_number_of_threads_and_in_chunks_of_any_size) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const std::string bytes = profile_bytes(path);
        const std::string expected = dump(read(bytes));
        for (const std::size_t chunk_size : std::initializer_list<std::size_t>{64, 100, 1000, 4096, 262144}) {
            if (chunk_size < 1000 && bytes.size() > 300'000) continue;
            SCOPED_TRACE(chunk_size);
            ReadOptions options;
            options.chunk_size = chunk_size;
            EXPECT_EQ(first_difference(dump(read(bytes, options)), expected), "") << "one thread";
            options.concurrency = 2;
            options.run_all = on_two_threads();
            EXPECT_EQ(first_difference(dump(read(bytes, options)), expected), "") << "two threads";
            options.run_all = backwards();
            EXPECT_EQ(first_difference(dump(read(bytes, options)), expected), "") << "tasks backwards";
        }
    }
}

/// What connects it, and inclusive costs, which do not count what is in a cycle.
std::string graph_dump(const CallGraph& graph) {
    const Measures measures(graph.profile());
    std::string text;
    const auto add = [&](const char* what, std::uint64_t number) { text += what + std::to_string(number); };
    for (std::size_t row = 0; row < graph.size(); ++row) {
        const NodeId node(row);
        add("\n", row);
        add(" cycle ", graph.cycle(node).value);
        for (const ArcId arc : graph.callers(node)) add(" <", arc.value);
        for (const ArcId arc : graph.callees(node)) add(" >", arc.value);
        for (const Measure& measure : measures.all()) {
            const Cost cost = graph.inclusive(node, measure);
            add(cost < 0 ? " -" : " ", cost.magnitude());
        }
    }
    return text;
}

TEST(Reading, gives_the_same_call_graph_by_any_number_of_threads) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const Profile profile = read(profile_bytes(path));
        for (const Selection& selection :
             std::initializer_list<Selection>{{}, {.contexts = Contexts::fold}, {.rows = {0}}}) {
            const auto graph = [&](const RunAll& run_all) {
                return graph_dump(call_graph(profile, selection, run_all).value());
            };
            const std::string expected = graph({});
            EXPECT_EQ(first_difference(graph(on_two_threads()), expected), "") << "two threads";
            EXPECT_EQ(first_difference(graph(backwards()), expected), "") << "tasks backwards";
        }
    }
}

TEST(Reading, gives_the_same_functions_and_arcs_without_records) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const std::string bytes = profile_bytes(path);
        const Profile full = read(bytes);
        ReadOptions options;
        options.detail = Detail::functions;
        const Profile functions = read(bytes, options);
        EXPECT_EQ(first_difference(columns_dump(functions), columns_dump(full)), "");
        EXPECT_EQ(
            first_difference(diagnostics_dump(functions.diagnostics()), diagnostics_dump(full.diagnostics())),
            "");
        EXPECT_EQ(functions.detail(), Detail::functions);
        if (functions.function_count() == 0) continue;
        Record record;
        EXPECT_FALSE(functions.records(FunctionId(0U)).next(record));
    }
}

TEST(Reading, errors_name_the_source) {
    struct Silent {};
    EXPECT_EQ(read_profile(from_memory("x\n", "a.out")).error().source, "a.out");
    EXPECT_EQ(parse(from_memory("x\n", "b.out"), Silent{}).error().source, "b.out");
}

TEST(Reading, records_of_a_profile_that_nobody_keeps_can_be_walked_over) {
    RecordCursor cursor = read("events: Ir\nfn=f\n1 2\n").records(FunctionId(0U));
    Record record;
    ASSERT_TRUE(cursor.next(record));
    EXPECT_EQ(record.costs[0], 2);
    EXPECT_FALSE(cursor.next(record));
}

TEST(Reading, does_not_depend_on_how_many_bytes_a_source_yields_at_a_time) {
    for (const char* path : {"callgrind/jumps.out", "xdebug/plain.cachegrind.out", "hostile/nul-byte.out"}) {
        SCOPED_TRACE(path);
        const std::string bytes = profile_bytes(path);
        const std::string expected = dump(read(bytes));
        for (const std::size_t most : std::initializer_list<std::size_t>{1, 7, 63, 1000}) {
            Source source = from_memory(bytes, "test");
            source.read = [read_on = source.read, most](std::span<char> to) mutable {
                return read_on(to.first(std::min(to.size(), most)));
            };
            const auto profile = read_profile(source);
            ASSERT_TRUE(profile);
            EXPECT_EQ(first_difference(dump(*profile), expected), "") << most;
        }
    }
}

TEST(Reading, lines_that_end_in_cr_lf_give_the_same_model) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const std::string bytes = profile_bytes(path);
        if (bytes.find('\r') != std::string::npos) continue;
        std::string windows;
        for (const char c : bytes) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
        const Profile original = read(bytes);
        const Profile profile = read(windows);
        EXPECT_EQ(first_difference(model_dump(profile), model_dump(original)), "");
        Lines expected, got;
        std::uint64_t crlf = 0;
        const auto count = [](const Diagnostic& diagnostic) {
            return std::string(kind_of(diagnostic.id).name) + ' ' + std::to_string(diagnostic.count);
        };
        for (const Diagnostic& diagnostic : original.diagnostics()) expected.push_back(count(diagnostic));
        for (const Diagnostic& diagnostic : profile.diagnostics()) {
            if (diagnostic.id == DiagnosticId::crlf) crlf = diagnostic.count;
            if (diagnostic.id != DiagnosticId::crlf) got.push_back(count(diagnostic));
        }
        EXPECT_EQ(got, expected);
        EXPECT_EQ(crlf, static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n')));
    }
}

/// Total, arcs and calls as one line.
std::string sums_text(const Profile& profile, std::int64_t factor) {
    std::string text;
    for (std::size_t i = 0; i < profile.events().size(); ++i)
        text += profile.events()[i].name + '=' +
                std::to_string(static_cast<std::uint64_t>(profile.total(EventId(i))) *
                               static_cast<std::uint64_t>(factor)) +
                ' ';
    return text;
}

TEST(Reading, one_file_twice_doubles_everything) {
    for (const std::string& path : all_profiles()) {
        SCOPED_TRACE(path);
        const std::string bytes = profile_bytes(path);
        ProfileReader reader;
        ASSERT_TRUE(reader.add(from_memory(bytes, "one")));
        ASSERT_TRUE(reader.add(from_memory(bytes, "two")));
        const Profile twice = std::move(reader).finish();
        const Profile once = read(bytes);
        ASSERT_EQ(twice.function_count(), once.function_count());
        ASSERT_EQ(twice.arc_count(), once.arc_count());
        EXPECT_EQ(twice.parts().size(), 2 * once.parts().size());
        EXPECT_EQ(twice.parts().back().profile + 1, 2 * (once.parts().back().profile + 1));
        EXPECT_EQ(sums_text(twice, 1), sums_text(once, 2));
        for (const FunctionId function : all_functions(once)) {
            EXPECT_EQ(function_text(twice, function), function_text(once, function));
            for (std::size_t i = 0; i < once.events().size(); ++i)
                EXPECT_EQ(twice.self(function, EventId(i)),
                          wrapped_sum(once.self(function, EventId(i)), once.self(function, EventId(i))));
            Lines expected = records_of(once, function);
            const Lines again = expected;
            expected.insert(expected.end(), again.begin(), again.end());
            EXPECT_EQ(records_of(twice, function), expected);
        }
        for (std::size_t i = 0; i < once.arc_count(); ++i)
            EXPECT_EQ(twice.count(ArcId(i)).known, 2 * once.count(ArcId(i)).known);
        for (const Diagnostic& diagnostic : once.diagnostics()) {
            const auto same =
                std::find_if(twice.diagnostics().begin(), twice.diagnostics().end(),
                             [&](const Diagnostic& other) { return other.id == diagnostic.id; });
            ASSERT_NE(same, twice.diagnostics().end()) << kind_of(diagnostic.id).name;
            if (diagnostic.id == DiagnosticId::callee_linked_by_name ||
                diagnostic.id == DiagnosticId::non_utf8_name)  // once for a name
                continue;
            EXPECT_EQ(same->count, 2 * diagnostic.count) << kind_of(diagnostic.id).name;
        }
    }
}

TEST(Reading, a_file_that_is_no_profile_leaves_nothing) {
    const std::string good =
        "event: X = 2 Ir : x\n" + by_callgrind("ob=o\nfl=a\nfn=(1) f\n1 2\nfn=(2) (7)\n3 4\n");
    const std::string more = by_others("fl=b\nfn=(8) h\n5 6\ncfi=c\ncfn=(9)\ncalls=1 1\n7 8\n");
    std::string junk = "event: Ir : junk\nevent: Y = 3 Ir\nob=q\nfl=(7) z\n";
    for (int i = 0; i < 1'000; ++i)
        junk += "fn=(" + std::to_string(i) + ")\nfn=junk" + std::to_string(i) + '\n';
    const auto read_all = [](std::initializer_list<std::string_view> texts) {
        ProfileReader reader;
        for (const std::string_view text : texts) static_cast<void>(reader.add(from_memory(text)));
        return std::move(reader).finish();
    };
    const Profile expected = read_all({good, more});
    EXPECT_EQ(expected.file_count(), 4U);
    for (const std::string& bad : {junk + "hello\n", junk, junk + "creator: x\nfl=(1)\nfn=f\n1 1\n"}) {
        const Profile profile = read_all({bad, good, bad, more, bad});
        EXPECT_EQ(first_difference(dump(profile), dump(expected)), "");
        EXPECT_EQ(profile.file_count(), expected.file_count());
        EXPECT_EQ(profile.object_count(), expected.object_count());
    }
}

TEST(Reading, different_files_add_up) {
    const std::vector<std::string> paths = real_profiles();
    for (std::size_t i = 1; i < paths.size(); ++i) {
        SCOPED_TRACE(paths[i - 1] + " and " + paths[i]);
        const std::string first_bytes = profile_bytes(paths[i - 1]), second_bytes = profile_bytes(paths[i]);
        ProfileReader reader;
        ASSERT_TRUE(reader.add(from_memory(first_bytes)));
        ASSERT_TRUE(reader.add(from_memory(second_bytes)));
        const Profile both = std::move(reader).finish();
        std::map<std::string, std::int64_t> expected, got;
        for (const std::string* bytes : {&first_bytes, &second_bytes}) {
            const Profile one = read(*bytes);
            for (std::size_t k = 0; k < one.events().size(); ++k) {
                std::int64_t& sum = expected[one.events()[k].name];
                sum = wrapped_sum(sum, one.total(EventId(k)));
            }
        }
        for (std::size_t k = 0; k < both.events().size(); ++k)
            got[both.events()[k].name] = both.total(EventId(k));
        EXPECT_EQ(got, expected);
    }
}

}  // namespace
}  // namespace callcost::test
