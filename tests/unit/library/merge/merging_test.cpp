// Adding profiles up, and leaving functions out (F78, W16).
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/call_graph.hpp"
#include "unit/library/merge/meaning.hpp"
#include "unit/library/merge/random_profile.hpp"
#include "unit/library/parser/corpus.hpp"
#include "unit/library/parser/profile_dump.hpp"

namespace callcost::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Profile> try_merge(std::initializer_list<const Profile*> profiles) {
    ProfileMerger merger;
    for (const Profile* profile : profiles)
        if (auto done = merger.add(*profile); !done) return tl::unexpected(done.error());
    return std::move(merger).finish();
}

Profile merge(std::initializer_list<const Profile*> profiles, Renaming renaming = {}) {
    ProfileMerger merger(std::move(renaming));
    for (const Profile* profile : profiles)
        if (!merger.add(*profile)) throw std::runtime_error("not added");
    Result<Profile> sum = std::move(merger).finish();
    if (!sum) throw std::runtime_error("not merged: " + sum.error().detail);
    return *std::move(sum);
}

Profile merge_texts(const std::vector<std::string>& texts, Renaming renaming = {}) {
    ProfileMerger merger(std::move(renaming));
    for (const std::string& text : texts)
        if (!merger.add(read(text))) throw std::runtime_error("not added");
    return *std::move(merger).finish();
}

std::string merged_bytes(std::initializer_list<const Profile*> profiles) {
    return written(merge(profiles), canonical_form);
}

void expect_any_order(const Profile& a, const Profile& b, const Profile& c) {
    const std::string sum = merged_bytes({&a, &b, &c});
    const Profile ab = merge({&a, &b}), bc = merge({&b, &c});
    EXPECT_EQ(first_difference(merged_bytes({&ab, &c}), sum), "");
    EXPECT_EQ(first_difference(merged_bytes({&a, &bc}), sum), "");
    EXPECT_EQ(first_difference(merged_bytes({&b, &a, &c}), sum), "");
    EXPECT_EQ(first_difference(merged_bytes({&c, &b, &a}), sum), "");
    EXPECT_EQ(first_difference(merged_bytes({&c, &ab}), sum), "");
}

std::vector<std::string> event_names(const Profile& profile) {
    std::vector<std::string> names;
    for (const EventType& event : profile.events()) names.push_back(event.name);
    return names;
}

std::size_t row_of(const Profile& profile, std::string_view event) {
    for (std::size_t i = 0; i < profile.events().size(); ++i)
        if (profile.events()[i].name == event) return i;
    throw std::runtime_error("no event " + std::string(event));
}
std::int64_t total_of(const Profile& profile, std::string_view event) {
    return profile.total(EventId(row_of(profile, event)));
}

Lines functions_of(const Profile& profile) {
    Lines lines;
    for (const FunctionId function : all_functions(profile)) {
        std::string text = function_text(profile, function);
        for (std::size_t k = 0; k < profile.events().size(); ++k)
            text += ' ' + std::to_string(profile.self(function, EventId(k)));
        lines.push_back(text);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

Lines arcs_of(const Profile& profile) {
    Lines lines;
    for (std::size_t i = 0; i < profile.arc_count(); ++i) {
        const ArcId arc(i);
        std::string text = function_text(profile, profile.caller(arc)) + " > " +
                           function_text(profile, profile.callee(arc)) + " x" +
                           count_text(profile.count(arc));
        for (std::size_t k = 0; k < profile.events().size(); ++k)
            text += ' ' + std::to_string(profile.cost(arc, EventId(k)));
        lines.push_back(text);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

// ---- Any order ----

TEST(Merging, random_profiles_in_any_order_gives_the_same) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 200; ++round) {
        const std::string texts[] = {random_profile(random), random_profile(random), random_profile(random)};
        SCOPED_TRACE(texts[0] + "\n---\n" + texts[1] + "\n---\n" + texts[2]);
        expect_any_order(read(texts[0]), read(texts[1]), read(texts[2]));
        if (HasFailure()) break;
    }
}

TEST(Merging, real_profiles_in_any_order_gives_the_same) {
    std::vector<Profile> profiles;
    for (const std::string& path : real_profiles())
        if (const std::string bytes = profile_bytes(path); bytes.size() < 60'000)
            profiles.push_back(read(bytes));
    ASSERT_GT(profiles.size(), 20U);
    for (std::size_t i = 0; i + 2 < profiles.size(); ++i) {
        const Result<Profile> all = try_merge({&profiles[i], &profiles[i + 1], &profiles[i + 2]});
        if (!all || all->events().empty()) continue;
        expect_any_order(profiles[i], profiles[i + 1], profiles[i + 2]);
    }
}

TEST(Merging, columns_that_cannot_be_combined_do_not_disturb_the_order_of_the_others) {
    const auto with = [](const std::string& events, const std::string& costs) {
        return read("events: " + events + "\nfn=f\n1 " + costs + "\n");
    };
    const Profile a = with("zz usphit aa", "5 7 9"), b = with("zz usphit aa", "1 2 3");
    EXPECT_THAT(event_names(merge({&a, &b})), ElementsAre("zz", "aa"));
    expect_any_order(a, b, a);
    expect_any_order(a, with("aa usphit zz", "1 1 1"), b);
    expect_any_order(a, with("zz aa", "1 1"), b);
}

// ---- Sums ----

TEST(Merging, a_profile_with_itself_doubles_every_cost_and_count) {
    std::size_t checked = 0;
    for (const std::string& path : real_profiles()) {
        const std::string bytes = profile_bytes(path);
        if (bytes.size() > 2'000'000) continue;
        SCOPED_TRACE(path);
        const Profile once = read(bytes);
        const auto is_sum = [](const EventType& event) { return event.aggregation == Aggregation::sum; };
        if (!std::all_of(once.events().begin(), once.events().end(), is_sum)) continue;
        const Profile one = merge({&once}), two = merge({&once, &once});
        ASSERT_EQ(one.function_count(), two.function_count());
        ASSERT_EQ(one.arc_count(), two.arc_count());
        ASSERT_EQ(one.arc_count(), once.arc_count());
        for (std::size_t k = 0; k < one.events().size(); ++k) {
            const EventId event(k);
            EXPECT_EQ(one.total(event), once.total(event));
            EXPECT_EQ(two.total(event), wrapped_sum(one.total(event), one.total(event)));
            for (const FunctionId f : all_functions(one))
                EXPECT_EQ(two.self(f, event), wrapped_sum(one.self(f, event), one.self(f, event)));
            for (std::size_t i = 0; i < one.arc_count(); ++i)
                EXPECT_EQ(two.cost(ArcId(i), event),
                          wrapped_sum(one.cost(ArcId(i), event), one.cost(ArcId(i), event)));
        }
        for (std::size_t i = 0; i < one.arc_count(); ++i) {
            CallCount twice = one.count(ArcId(i));
            twice.add(one.count(ArcId(i)));
            EXPECT_EQ(two.count(ArcId(i)), twice);
        }
        ++checked;
    }
    EXPECT_GT(checked, 40U);
}

TEST(Merging, the_parts_of_a_profile_gives_the_whole) {
    std::size_t checked = 0;
    for (const std::string& path : real_profiles()) {
        const Profile whole = read(profile_bytes(path));
        if (whole.parts().size() < 2 || whole.parts().size() > 20) continue;
        SCOPED_TRACE(path);
        ProfileMerger merger;
        for (std::size_t i = whole.parts().size(); i-- != 0;) {
            const PartId part[] = {PartId(i)};
            ASSERT_TRUE(merger.add(whole, part).has_value());
        }
        const Result<Profile> sum = std::move(merger).finish();
        ASSERT_TRUE(sum.has_value());
        EXPECT_EQ(first_difference(written(*sum, canonical_form), written(whole, canonical_form)), "");
        ++checked;
    }
    EXPECT_GT(checked, 3U);
}

TEST(Merging, chosen_parts_takes_nothing_of_the_others) {
    const Profile two_parts = read(
        "events: Ir\npart: 1\nfn=a\n1 5\ncfn=b\ncalls=2 1\n1 7\n\npart: 2\nfn=a\n1 10\ncfn=c\ncalls=3 1\n2 "
        "9\n");
    ASSERT_EQ(two_parts.parts().size(), 2U);
    ProfileMerger merger;
    const PartId second[] = {PartId(1U)};
    ASSERT_TRUE(merger.add(two_parts, second).has_value());
    const Result<Profile> sum = std::move(merger).finish();
    ASSERT_TRUE(sum.has_value());
    EXPECT_THAT(arcs_of(*sum), ElementsAre("a > c x3 9"));
    EXPECT_EQ(total_of(*sum, "Ir"), 10);
}

TEST(Merging, nothing_is_an_error) {
    const Result<Profile> nothing = ProfileMerger().finish();
    ASSERT_FALSE(nothing.has_value());
    EXPECT_EQ(nothing.error().code, ErrorCode::bad_argument);
}

TEST(Merging, needs_records) {
    ReadOptions options;
    options.detail = Detail::functions;
    ProfileMerger merger;
    const auto done = merger.add(read("events: Ir\nfn=a\n1 5\n", options));
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().code, ErrorCode::needs_detail);
}

// ---- Events ----

TEST(Merging, event_lists_unites_them_by_name) {
    const Profile sum =
        merge_texts({"events: Bcm Ir mine\nfn=f\n1 1 2 3\n", "events: Ir Dr\nfn=f\n1 10 20\nfn=g\n4 5\n"});
    EXPECT_THAT(event_names(sum), ElementsAre("Ir", "Dr", "Bcm", "mine"));
    EXPECT_THAT(functions_of(sum), ElementsAre("f 12 20 1 3", "g 5 0 0 0"));
}

TEST(Merging, a_callgrind_and_a_cachegrind_profile_adds_up_lines_and_keeps_calls) {
    const Profile sum = merge_texts(
        {"version: 1\ncreator: callgrind-3.19.0\ncmd: ./soup\nevents: Ir\nfl=s.c\nfn=main\n3 10\ncfn=chop\n"
         "calls=4 7\n4 40\nfn=chop\n7 40\n",
         "desc: I1 cache: none\ncmd: ./soup\nevents: Ir Bc\nfl=s.c\nfn=main\n3 11 2\nfn=chop\n7 41 5\n"
         "summary: 52 7\n"});
    EXPECT_THAT(event_names(sum), ElementsAre("Ir", "Bc"));
    EXPECT_THAT(functions_of(sum), ElementsAre("s.c:chop 81 5", "s.c:main 21 2"));
    EXPECT_THAT(arcs_of(sum), ElementsAre("s.c:main > s.c:chop x4 40 0"));
    EXPECT_EQ(sum.parts()[0].command, "./soup");
}

TEST(Merging, minima_and_maxima_keeps_them_as_such) {
    const std::string head = "events: Cycles-Min Cycles-Max Ir\nfn=f\n";
    const Profile sum = merge_texts({head + "1 5 8 1\n2 1 9 1\n", head + "1 3 20 1\n", head + "1 4 6 1\n"});
    ASSERT_THAT(event_names(sum), ElementsAre("Cycles-Min", "Cycles-Max", "Ir"));
    EXPECT_THAT(written(sum), HasSubstr("fn=(1) f\n1 3 20 3\n2 1 9 1\n"));
}

TEST(Merging, ratios_leaves_them_out) {
    const std::string text = "events: hits usphit\nfn=f\n1 5 8\n";
    EXPECT_THAT(event_names(merge_texts({text, text})), ElementsAre("hits"));
    EXPECT_THAT(event_names(merge_texts({text, "events: hits\nfn=f\n1 5\n"})), ElementsAre("hits"));
    EXPECT_THAT(event_names(merge_texts({text})), ElementsAre("hits", "usphit"));
}

TEST(Merging, more_than_64_event_types_in_lists_that_differ_is_refused) {
    const auto with_events = [](int first, int count) {
        std::string text = "events:";
        for (int i = first; i < first + count; ++i) text += " e" + std::to_string(i);
        return read(text + "\nfn=f\n1 1\n");
    };
    EXPECT_TRUE(try_merge({[&] {
                    static const Profile many = with_events(0, 80);
                    return &many;
                }()})
                    .has_value());
    const Profile many = with_events(0, 80), half = with_events(0, 40), other = with_events(30, 40);
    const Profile fits = with_events(30, 34);
    EXPECT_TRUE(try_merge({&many, &many}).has_value());
    EXPECT_TRUE(try_merge({&half, &fits}).has_value());
    const Result<Profile> refused = try_merge({&half, &other});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    EXPECT_THAT(refused.error().detail, HasSubstr("70 event types"));
}

// ---- Names and numbers ----

TEST(Merging, renamed_files_and_functions_joins_functions) {
    const auto strip = [](std::string_view prefix) {
        return [prefix](std::string_view name) {
            return std::string(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
        };
    };
    const Profile sum = merge_texts({"events: Ir\nfl=/old/s.c\nfn=v1_main\n3 10\nfi=/old/x.h\n5 1\n",
                                     "events: Ir\nfl=/old/s.c\nfn=main\n3 7\nfi=/old/x.h\n5 2\n",
                                     "events: Ir\nfl=s.c\nfn=main\n3 1\nfi=x.h\n5 4\n"},
                                    {.function = strip("v1_"), .file = strip("/old/")});
    EXPECT_THAT(functions_of(sum), ElementsAre("s.c:main 25"));
    EXPECT_THAT(written(sum), HasSubstr("3 18\n"));
    EXPECT_THAT(written(sum), HasSubstr("5 7\n"));
}

TEST(Merging, files_of_several_versions_of_callgrind_stay_callgrinds) {
    const std::string body = "events: Ir\nfn=main\n1 1\nfn=f'main\n1 1\nfn=f'2'main\n1 1\n";
    const auto merged = [&](const std::vector<std::string>& creators) {
        std::vector<std::string> texts;
        texts.reserve(creators.size());
        for (const std::string& creator : creators)
            texts.push_back(std::string("creator: ").append(creator).append("\n").append(body));
        return merge_texts(texts);
    };
    const Profile sum = merged({"callgrind-3.22.0", "callgrind-3.19.0", "callgrind-3.22.0"});
    EXPECT_EQ(sum.parts()[0].creator, "callgrind-3.19.0, callgrind-3.22.0");
    const Profile after = read(written(sum));
    EXPECT_TRUE(ContextNames(after).any());  // F72
    EXPECT_EQ(merge_texts({written(sum), "creator: callgrind-3.20.0\n" + body}).parts()[0].creator,
              "callgrind-3.19.0, callgrind-3.20.0, callgrind-3.22.0");
    EXPECT_EQ(merged({"callgrind-3.22.0", "yappi"}).parts()[0].creator, "");
}

TEST(Merging, unknown_numbers_of_calls_stay_at_least) {
    const std::string head = "events: Ir\nfn=a\n1 1\ncfn=b\ncalls=";
    const Profile sum = merge_texts({head + "0 1\n1 5\n", head + "3 1\n1 6\n"});
    ASSERT_EQ(sum.arc_count(), 1U);
    EXPECT_EQ(sum.count(ArcId(0U)), (CallCount{3, true}));
    EXPECT_TRUE(sum.parts()[0].calls_at_least);
    const ProfileWriteOptions compact{.dialect = FileDialect::compact};
    EXPECT_EQ(read(written(sum, compact)).count(ArcId(0U)), (CallCount{3, true}));
}

TEST(Merging, costs_wrap_and_calls_saturate) {
    const std::string text =
        "events: Ir\nfn=a\n1 9223372036854775807\ncfn=b\ncalls=9223372036854775807 1\n1 "
        "9223372036854775807\n";
    const Profile sum = merge_texts({text, text, text});
    EXPECT_EQ(sum.total(EventId(0U)), INT64_MAX - 2);
    EXPECT_EQ(sum.cost(ArcId(0U), EventId(0U)), INT64_MAX - 2);
    EXPECT_EQ(sum.count(ArcId(0U)), (CallCount{CallCount::most, true}));
    EXPECT_EQ(first_difference(written(read(written(sum, canonical_form)), canonical_form),
                               written(sum, canonical_form)),
              "");
}

// ---- Without functions ----

const char kitchen[] =
    "events: Ir Bc\n"
    "fl=s.c\nfn=main\n1 10 1\ncfn=cook\ncalls=2 1\n2 90 9\ncfn=wash\ncalls=1 1\n3 5\n"
    "fn=cook\n5 20 2\ncfn=chop\ncalls=4 1\n6 40 4\ncfn=stir\ncalls=1 1\n7 30 3\n"
    "fn=chop\n8 40 4\nfn=stir\n9 20 2\ncfn=wash\ncalls=1 1\n9 10 1\nfn=wash\n11 15 1\n";

TEST(WithoutFunctions, is_exact_for_the_kept_ones_and_keeps_the_total) {
    const Profile whole = read(kitchen);
    const Result<Profile> rest = without_functions(whole, named(whole, {"cook", "stir"}));
    ASSERT_TRUE(rest.has_value());
    EXPECT_THAT(functions_of(*rest),
                ElementsAre("(filtered) 40 4", "s.c:chop 40 4", "s.c:main 10 1", "s.c:wash 15 1"));
    EXPECT_THAT(arcs_of(*rest), ElementsAre("(filtered) > s.c:chop x4 40 4", "(filtered) > s.c:wash x1 10 1",
                                            "s.c:main > (filtered) x2 90 9", "s.c:main > s.c:wash x1 5 0"));
    EXPECT_EQ(rest->total(EventId(0U)), whole.total(EventId(0U)));
}

TEST(WithoutFunctions, of_real_profiles_keeps_totals_and_arcs_among_the_kept) {
    for (const std::string& path : real_profiles()) {
        const std::string bytes = profile_bytes(path);
        if (bytes.size() > 1'000'000) continue;
        SCOPED_TRACE(path);
        const Profile whole = read(bytes);
        const auto dropped = [](FunctionId function) { return function.value % 3 == 1; };
        const Result<Profile> rest = without_functions(whole, dropped);
        ASSERT_TRUE(rest.has_value());
        for (std::size_t k = 0; k < whole.events().size(); ++k)
            EXPECT_EQ(rest->total(EventId(k)), whole.total(EventId(k)));
        const Lines all = arcs_of(*rest);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < whole.arc_count(); ++i)
            if (!dropped(whole.caller(ArcId(i))) && !dropped(whole.callee(ArcId(i)))) ++kept;
        const auto is_kept = [](const std::string& arc) {
            return arc.find("(filtered)") == std::string::npos;
        };
        Lines kept_arcs, arcs = arcs_of(whole);
        std::copy_if(all.begin(), all.end(), std::back_inserter(kept_arcs), is_kept);
        EXPECT_EQ(kept_arcs.size(), kept);
        EXPECT_TRUE(std::includes(arcs.begin(), arcs.end(), kept_arcs.begin(), kept_arcs.end()));
    }
}

TEST(WithoutFunctions, leaves_no_arc_without_calls) {
    const Profile whole = read(kitchen);
    const auto rest = without_functions(whole, [](FunctionId) { return true; });
    ASSERT_TRUE(rest.has_value());
    EXPECT_EQ(rest->arc_count(), 0U);
    EXPECT_THAT(functions_of(*rest), ElementsAre("(filtered) 105 10"));
}

// ---- Pieces ----

TEST(Pieces, of_a_profile_add_up_to_the_whole) {
    for (const std::string& path : real_profiles()) {
        const std::string bytes = profile_bytes(path);
        if (bytes.size() > 1'000'000) continue;
        SCOPED_TRACE(path);
        const Profile whole = read(bytes);
        ProfileMerger merger;
        bool is_linked = false;
        for (std::size_t piece = 0; piece < 3; ++piece) {
            ProfileWriteOptions options{.dialect = FileDialect::compact};
            options.where = [piece](FunctionId function) { return function.value % 3 == piece; };
            const Profile some = read(written(whole, options));
            for (const Diagnostic& diagnostic : some.diagnostics())
                is_linked = is_linked || diagnostic.id == DiagnosticId::callee_linked_by_name;
            ASSERT_TRUE(merger.add(some).has_value());
        }
        const Result<Profile> sum = std::move(merger).finish();
        ASSERT_TRUE(sum.has_value());
        if (sum->events().size() < whole.events().size()) continue;  // ratios
        if (is_linked) {  // a callee that a piece has no records of is taken for another one of its name
                          // (F61)
            EXPECT_EQ(functions_of(*sum), functions_of(merge({&whole})));
            continue;
        }
        const Said said{.parts = false, .addresses = true, .jumps = true, .formulas = true};
        const Profile expected = read(written(whole, canonical_form));
        EXPECT_EQ(first_difference(meaning(*sum, said), meaning(expected, said)), "");
    }
}

}  // namespace
}  // namespace callcost::test
