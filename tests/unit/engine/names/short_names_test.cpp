#include "names/short_names.hpp"

#include <ctime>
#include <map>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "callcost/call_graph.hpp"
#include "callcost/file.hpp"
#include "callcost/read.hpp"
#include "names/name_parts.hpp"
#include "text/characters.hpp"
#include "text/names.hpp"

namespace callcost::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Style unicode() {
    Style style;
    style.unicode = true;
    return style;
}

std::string to(std::size_t width, std::string_view name) { return short_name(name, width, unicode()); }

std::vector<std::string> together(std::size_t width, const std::vector<std::string_view>& names) {
    std::vector<NameToShorten> list;
    list.reserve(names.size());
    for (const auto name : names) list.push_back({name, width});
    return short_names(list, unicode());
}

TEST(ShortNames, fit_as_they_are) {
    EXPECT_EQ(to(80, "llvm::FoldingSetNodeID::AddInteger(signed long long)"),
              "llvm::FoldingSetNodeID::AddInteger(signed long long)");
    EXPECT_EQ(to(0, "any::number::of(columns)"), "any::number::of(columns)");
}

TEST(ShortNames, leave_out_return_types_then_parameters_then_arguments_then_namespaces) {
    const std::string_view name =
        "void std::__detail::_Executor<std::string, std::allocator<int>, true>::_M_dfs(Mode, long) const "
        "[clone .isra.0]";
    EXPECT_EQ(to(110, name),
              "std::__detail::_Executor<std::string, std::allocator<int>, true>::_M_dfs(Mode, long) const "
              "[clone .isra.0]");
    EXPECT_EQ(to(104, name),
              "std::__detail::_Executor<std::string, std::allocator<int>, true>::_M_dfs(…) const [clone "
              ".isra.0]");
    EXPECT_EQ(to(70, name), "std::__detail::_Executor<…>::_M_dfs(…) const [clone .isra.0]");
    EXPECT_EQ(to(55, name), "std::__detail::_Executor<…>::_M_dfs(…) const […]");
    EXPECT_EQ(to(46, name), "std::__detail::_Executor<…>::_M_dfs(…) […]");
    EXPECT_EQ(to(40, name), "…::__detail::_Executor<…>::_M_dfs(…) […]");
    EXPECT_EQ(to(35, name), "…::_Executor<…>::_M_dfs(…) […]");
    EXPECT_EQ(to(25, name), "_Executor::_M_dfs");
    EXPECT_EQ(to(15, name), "_Ex…tor::_M_dfs");
    EXPECT_EQ(to(10, name), "_M_dfs");
}

TEST(ShortNames, keep_the_class_of_a_method_and_leave_out_its_middle) {
    constexpr std::string_view name = "llvm::FoldingSetNodeID::AddInteger(signed long long)";
    EXPECT_EQ(to(31, name), "FoldingSetNodeID::AddInteger");
    EXPECT_EQ(to(22, name), "Foldi…deID::AddInteger");
    EXPECT_EQ(to(17, name), "…::AddInteger(…)") << "too little of it would be left";
    EXPECT_EQ(to(25, "boost::asio::detail::scheduler::do_run_one(int)"), "scheduler::do_run_one");
}

TEST(ShortNames, leave_no_remains_of_what_goes) {
    const std::vector<std::string_view> names = {"unsigned long exercise<unsigned>(int)",
                                                 "unsigned int exercise<int>(int)"};
    for (const std::size_t width : {16U, 20U, 24U, 30U})
        for (const auto& name : together(width, names)) EXPECT_THAT(name, testing::StartsWith("exercise"));
    // Only what nothing else tells.
    EXPECT_THAT(together(26, {"unsigned long get_all(std::string const&)",
                              "unsigned short get_all(std::string const&)"}),
                ElementsAre("unsigned long get_all(…)", "unsigned short get_all(…)"));
}

TEST(ShortNames, keep_the_own_name_whole_as_long_as_it_fits) {
    EXPECT_EQ(to(35, "llvm::FoldingSetNodeID::AddInteger(signed long long)"),
              "…::FoldingSetNodeID::AddInteger(…)");
    EXPECT_EQ(to(12, "llvm::FoldingSetNodeID::AddInteger(signed long long)"), "AddInteger");
    EXPECT_EQ(to(25, "a_c_function_that_is_wider_than_the_column"), "a_c_function…n_the_column");
}

TEST(ShortNames, of_c_plus_plus) {
    EXPECT_EQ(to(45, "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)"),
              "std::operator<< <std::char_traits<char> >(…)");
    EXPECT_EQ(to(45, "bool a::b::operator<(a::b::Thing const&, a::b::Thing const&)"), "a::b::operator<(…)");
    EXPECT_EQ(to(21, "bool a::b::operator->*(a::b::Thing const&)"), "a::b::operator->*(…)");
    EXPECT_EQ(to(45, "my::ns::Foo<int>::operator std::vector<int, std::allocator<int> >() const"),
              "my::ns::Foo<…>::operator std::vector<…>()");
    EXPECT_EQ(to(16, "operator new[](unsigned long)"), "operator new[]");
    EXPECT_EQ(to(45,
                 "(anonymous namespace)::Parser::parse(char const*) "
                 "const::{lambda(int)#1}::operator()<int>(int) const"),
              "Parser::parse::{lambda#1}::operator()")
        << "operator() alone says nothing";
    EXPECT_EQ(to(35, "std::_Rb_tree<int, std::less<int> >::_M_insert[abi:cxx11](std::pair<int>&&)"),
              "std::_Rb_tree<…>::_M_insert […](…)");
    EXPECT_EQ(to(35, "decltype(auto) boost::hana::unpack<lots<int>>(int)"),
              "boost::hana::unpack<lots<int>>(int)");
    EXPECT_EQ(to(22, "std::function<void (int, char)>::operator()(int) const"), "function::operator()");
    EXPECT_EQ(to(30, "a::first(std::vector<(b::C)1, (1>2)> const&)"), "a::first(…)");
    EXPECT_EQ(to(45,
                 "std::basic_string<char, std::char_traits<char> >::basic_string<std::allocator<char> >(char "
                 "const*)'2"),
              "std::basic_string<…>::basic_string<…>(…)'2")
        << "a level of recursion";
}

TEST(ShortNames, of_rust) {
    EXPECT_EQ(to(45, "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop"), "<Vec<…> as Drop>::drop");
    EXPECT_EQ(to(45,
                 "core::iter::traits::iterator::<impl core::iter::traits::iterator::Iterator for "
                 "core::slice::Iter<T>>::next"),
              "…::iterator::<impl Iterator for Iter>::next");
    EXPECT_EQ(
        to(45, "<core::iter::adapters::map::Map<I,F> as core::iter::Iterator>::fold::h0123456789abcdef"),
        "<Map<…> as Iterator>::fold […]");
    EXPECT_EQ(to(45, "core::ptr::drop_in_place::<alloc::string::String>"), "core::ptr::drop_in_place::<…>");
    EXPECT_EQ(to(30,
                 "<core::iter::adapters::enumerate::Enumerate<core::slice::Iter<u8>> as "
                 "core::iter::Iterator>::next"),
              "<Enumerate as Iterator>::next");
    EXPECT_EQ(to(30, "std::rt::lang_start::<()>::{closure#0}"), "rt::lang_start::{closure#0}");
    EXPECT_EQ(to(40, "<&mut std::io::Stdout as core::fmt::Write>::write_str"),
              "<&mut Stdout as Write>::write_str");
    EXPECT_EQ(to(30, "alloc::collections::btree::map::BTreeMap<K,V>::insert"), "…::map::BTreeMap<…>::insert");
}

TEST(ShortNames, of_swift_and_d) {
    EXPECT_EQ(to(25, "Swift.Array.append(__owned A) -> ()"), "Swift.Array.append(…)");
    EXPECT_EQ(
        to(60, "closure #1 (Swift.Int) -> Swift.Bool in main.Filter.run(items: [Swift.Int]) -> Swift.Int"),
        "closure #1 (…) -> Swift.Bool in main.Filter.run(…)");
    EXPECT_EQ(to(60, "generic specialization <Swift.Int> of Swift.Array.append(__owned A) -> ()"),
              "Swift.Array.append(__owned A) -> ()");
    EXPECT_EQ(to(60,
                 "pure nothrow @safe int std.format.formattedWrite!(std.array.Appender!(char[]), "
                 "char).formattedWrite(ref int)"),
              "std.format.formattedWrite!(…).formattedWrite(…)");
}

TEST(ShortNames, of_go) {
    EXPECT_EQ(to(45, "github.com/prometheus/client_golang/prometheus.(*Registry).Gather.func1"),
              "…/prometheus.(*Registry).Gather.func1");
    EXPECT_EQ(to(20, "github.com/prometheus/client_golang/prometheus.(*Registry).Gather.func1"),
              "(*R…ry).Gather.func1");
    EXPECT_EQ(to(40, "golang.org/x/exp/slices.pdqsortCmpFunc[go.shape.struct { a int; b string }]"),
              "…org/x/exp/slices.pdqsortCmpFunc[…]");
}

TEST(ShortNames, of_php_python_ruby_perl_and_java) {
    EXPECT_EQ(to(35, "App\\Http\\Controllers\\Api\\UserController->index"), "…\\Api\\UserController->index");
    EXPECT_EQ(to(12, "App\\Http\\Controllers\\Api\\UserController->index"), "…->index");
    EXPECT_EQ(to(40, "{closure:/var/www/html/vendor/laravel/framework/Pipeline.php:118-137}"),
              "{closure:Pipeline.php:118-137}");
    EXPECT_EQ(to(40, "{closure:C:\\xampp\\htdocs\\vendor\\laravel\\framework\\Pipeline.php:118-137}"),
              "{closure:Pipeline.php:118-137}");
    EXPECT_EQ(to(40, "{closure:\\\\server\\share\\laravel\\framework\\Pipeline.php:118-137}"),
              "{closure:Pipeline.php:118-137}");
    EXPECT_EQ(to(40, "require_once::C:\\xampp\\htdocs\\vendor\\composer\\autoload_real.php"),
              "…\\vendor\\composer\\autoload_real.php");
    EXPECT_EQ(to(35, "require_once::/var/www/html/vendor/composer/autoload_real.php"),
              "…/vendor/composer/autoload_real.php");
    EXPECT_EQ(to(45, "django.db.models.query.QuerySet.<locals>.filter.<lambda>"),
              "…query.QuerySet.<locals>.filter.<lambda>");
    EXPECT_EQ(to(35, "/usr/lib/python3/dist-packages/mercurial/dispatch.py:run"),
              "…/mercurial/dispatch.py:run");
    EXPECT_EQ(to(40, "log /usr/lib/python3/dist-packages/mercurial/commands.py:4513"),
              "log commands.py:4513");
    EXPECT_EQ(to(40, "_handle_fromlist of a module <frozen runpy>:262"),
              "_handle_fromlist of … <frozen runpy>:262");
    EXPECT_EQ(to(45, "block in ActiveRecord::ConnectionAdapters::PostgreSQLAdapter#execute"),
              "block in …::PostgreSQLAdapter#execute");
    EXPECT_EQ(to(35, "DBIx::Class::ResultSet::_construct_results"), "…::ResultSet::_construct_results");
    EXPECT_EQ(
        to(45,
           "java.util.concurrent.ConcurrentHashMap.computeIfAbsent(Ljava/lang/Object;)Ljava/lang/Object;"),
        "…ConcurrentHashMap.computeIfAbsent(…)");
    EXPECT_EQ(to(25, "scala.collection.immutable.List$.apply"), "…immutable.List$.apply");
}

TEST(ShortNames, are_ascii_where_the_device_is) {
    EXPECT_EQ(short_name("llvm::FoldingSetNodeID::AddInteger(signed long long)", 38, Style()),
              "...::FoldingSetNodeID::AddInteger(...)");
    EXPECT_EQ(short_name("java.util.concurrent.Map.get", 18, Style()), "...Map.get");
}

TEST(ShortNames, that_would_look_alike_keep_what_tells_them_apart) {
    EXPECT_THAT(
        together(28, {"Matrix<float, 3, 4>::times(Matrix<float, 3, 4> const&)",
                      "Matrix<float, 4, 3>::times(Matrix<float, 4, 3> const&)",
                      "Matrix<double, 4, 3>::times(Matrix<double, 4, 3> const&)"}),
        ElementsAre("Matrix<float…3…>::times(…)", "Matrix<float…4…>::times(…)", "Matrix<double…>::times(…)"));
    EXPECT_THAT(
        together(28, {"very::long::space::put(std::vector<int> const&)",
                      "very::long::space::put(std::map<int,int> const&)",
                      "very::long::space::put(std::map<int,long> const&)", "very::long::space::put()"}),
        ElementsAre("…::space::put(…vector…)", "…::space::put(…map…int…)", "…::space::put(…map…long…)",
                    "very::long::space::put()"));
    EXPECT_THAT(
        together(28, {"alpha::beta::gamma::Class::method(int)", "alpha::delta::gamma::Class::method(int)"}),
        ElementsAre("…::beta::…::Class::method(…)", "…::delta::…::method(…)"));
    EXPECT_THAT(together(29, {"int very_long_function(int) [clone .part.0]",
                              "int very_long_function(int) [clone .part.1]"}),
                ElementsAre("very_long_function(…) […0]", "very_long_function(…) […1]"));
}

TEST(ShortNames, that_are_told_apart_have_their_parameters_if_there_is_room) {
    EXPECT_THAT(together(34, {"llvm::FoldingSetNodeID::AddInteger(unsigned long long)",
                              "llvm::FoldingSetNodeID::AddInteger(unsigned int)"}),
                ElementsAre("…::AddInteger(unsigned long long)", "…::AddInteger(unsigned int)"));
    EXPECT_THAT(together(32, {"llvm::FoldingSetNodeID::AddInteger(unsigned long long)",
                              "llvm::FoldingSetNodeID::AddInteger(unsigned int)"}),
                ElementsAre("…::AddInteger(…long…)", "…::AddInteger(unsigned int)"));
}

TEST(ShortNames, keep_their_namespaces_where_lines_can_be_broken) {
    EXPECT_EQ(short_name_with_scopes("very::long::space::Class<int>::method(int, long)", 20, unicode()),
              "very::long::space::Class<…>::method(…)");
}

TEST(ShortNames, of_one_name_twice_are_the_same) {
    EXPECT_THAT(together(20, {"a::bb::ccc::function(int)", "a::bb::ccc::function(int)"}),
                ElementsAre("…::ccc::function(…)", "…::ccc::function(…)"));
}

TEST(NameParts, are_the_whole_name_in_its_order) {
    for (const std::string_view name : {"",
                                        "f",
                                        "a::b<c>::d(e) const [clone .cold]",
                                        "<",
                                        ">",
                                        "((((",
                                        "a::",
                                        "::a",
                                        "operator",
                                        "operator<<<int>(",
                                        "a in",
                                        " in ",
                                        "x in y in z",
                                        "...",
                                        "a..b",
                                        "{",
                                        "{closure:/",
                                        "<a as b>",
                                        "<a as b>::c",
                                        "operator ",
                                        "f()()()",
                                        "[abi:",
                                        "::h0123456789abcdef"}) {
        std::size_t at = 0;
        for (const NamePart& part : name_parts(name)) {
            EXPECT_EQ(part.begin, at) << name;
            at = part.end;
        }
        EXPECT_EQ(at, name.size()) << name;
    }
}

TEST(NameParts, of_random_names_are_the_whole_name) {
    std::mt19937 random(1);
    constexpr std::string_view pieces[] = {
        "<",     ">",        "(",  ")",     "[",       "]",     "{",        "}",
        "::",    ".",        "->", "/",     " ",       " in ",  "operator", "operator ",
        "const", " as ",     "f",  "func1", "'",       ",",     "lambda",   " [clone ",
        ".cold", "\xc3\xa9", "#",  "&",     "{lambda", "impl ", "<impl "};
    for (int round = 0; round < 20'000; ++round) {
        std::string name;
        for (auto length = random() % 12; length > 0; --length) name += pieces[random() % std::size(pieces)];
        std::size_t at = 0;
        for (const NamePart& part : name_parts(name)) {
            ASSERT_EQ(part.begin, at) << name;
            at = part.end;
        }
        ASSERT_EQ(at, name.size()) << name;
        for (const std::size_t width : {5U, 9U, 14U})
            ASSERT_LE(display_width(to(width, name)),
                      std::max(width, display_width(name) <= width ? width : 0))
                << name;
    }
}

TEST(NameParts, of_hostile_names_take_little_time) {
    const auto repeated = [](std::string_view text) {
        std::string name;
        while (name.size() < 16'000) name += text;
        return name;
    };
    const std::clock_t begin = std::clock();
    for (const std::string_view text :
         {"(", "<", "{", "a in ", "operator", "a::", "<a as ", "f(", "operator ", "&& "})
        EXPECT_LE(display_width(to(40, repeated(text))), 40U);
    EXPECT_LT(std::clock() - begin, 20 * CLOCKS_PER_SEC);  // sanitized, too
}

TEST(NameParts, of_names_with_thousands_of_scopes_are_left_out_as_of_others) {
    std::string name;
    for (int scope = 0; scope < 2000; ++scope) name += "scope" + std::to_string(scope) + "::";
    name += "f";
    EXPECT_EQ(to(30, name), "…::scope1998::scope1999::f");
    EXPECT_EQ(to(13, name), "scope1999::f");
    EXPECT_EQ(to(8, name), "…::f");
    const auto forms = shorter_names(name, {.unicode = true});
    EXPECT_LE(forms.size(), 80U);
    EXPECT_EQ(forms.back(), "f");
}

TEST(ShorterNames, lose_one_thing_after_the_other) {
    const auto all = [](std::string_view name) { return shorter_names(name, {.unicode = true}); };
    EXPECT_THAT(all("long a::b<int>::f(int) const"),
                ElementsAre("a::b<int>::f(int) const", "a::b<int>::f(…) const", "a::b<…>::f(…) const",
                            "a::b<…>::f(…)", "b::f", "f"));
    EXPECT_THAT(all("llvm::FoldingSetNodeID::AddInteger(long)"),
                ElementsAre("llvm::FoldingSetNodeID::AddInteger(…)", "…::FoldingSetNodeID::AddInteger(…)",
                            "FoldingSetNodeID::AddInteger", "Foldin…odeID::AddInteger", "Fol…ID::AddInteger",
                            "…::AddInteger(…)", "AddInteger"));
    EXPECT_THAT(all("App\\Models\\User->save"),
                ElementsAre("…\\Models\\User->save", "…\\User->save", "User->save", "…->save", "save"));
    EXPECT_THAT(all("main"), IsEmpty());
    EXPECT_THAT(all(""), IsEmpty());
    for (const char* name : {"<T as core::fmt::Display>::fmt", "operator<(A const&, B const&)", "(((",
                             "a::", "foo/bar/baz", "./x/file.php::{closure}", "github.com/foo/bar/run"})
        for (const auto& form : all(name)) {
            EXPECT_FALSE(form.empty()) << name;
            EXPECT_LT(display_width(form), display_width(name)) << name;
        }
    EXPECT_EQ(all("foo/bar/baz").back(), "baz");
}

TEST(ShortNames, keep_what_was_looked_for) {
    const std::string_view name = "std::map<std::string, Widget>::insert(std::pair<int, Gadget> const&)";
    EXPECT_EQ(to(24, name).find("Gadget"), std::string::npos);
    for (const std::string_view match : {"gadget", "Widget", "map"}) {
        const auto shorts = short_names({{name, 24, match}}, unicode());
        EXPECT_LE(display_width(shorts[0]), 24U);
        EXPECT_NE(lower(shorts[0]).find(lower(match)), std::string::npos) << shorts[0];
    }
    // Across parts, at the ends, and what is not there.
    for (const std::string_view match : {">::insert(s", "std::map<std::string, Widget>::insert", "&)", "no"})
        EXPECT_LE(display_width(short_names({{name, 24, match}}, unicode())[0]), 24U) << match;
    EXPECT_EQ(short_names({{name, 24, "no"}}, unicode())[0], to(24, name));
    // Names that would look alike keep both.
    const auto both = short_names(
        {{"a<int, Widget>::f(long, unsigned)", 18, "f"}, {"a<int, Gadget>::f(long, unsigned)", 18, "f"}},
        unicode());
    EXPECT_NE(both[0], both[1]);
}

TEST(ContextText, names_the_callers) {
    const auto text = [](std::string_view whole, std::size_t name, std::uint64_t recursion,
                         std::size_t callers, std::size_t width = 0, bool unicode = true) {
        return context_text({whole.substr(0, name), recursion, whole.substr(name), callers}, width,
                            {.unicode = unicode});
    };
    EXPECT_EQ(text("f'malloc'alloc", 1, 0, 2), " ← malloc ← alloc");
    EXPECT_EQ(text("f'malloc", 1, 0, 1, 0, false), " <- malloc");
    EXPECT_EQ(text("f'2", 1, 2, 0), "'2");
    EXPECT_EQ(text("f'3'main", 1, 3, 1), "'3 ← main");
    EXPECT_EQ(text("f", 1, 0, 0), "");
    EXPECT_EQ(text("f'std::vector<int>::push_back(int)'main", 1, 0, 2, 12), " ← push_back ← main");
    EXPECT_EQ(text("f'it's'main", 1, 0, 2), "'it's'main") << "a caller has a ' in its name";
}

TEST(ShortNames, of_real_profiles_fit_and_differ_as_the_names_do) {
    for (const char* file : {"callgrind/stl-O2-instr-jumps.out", "callgrind/python-instr-jumps.out"}) {
        const auto profile = read_profile(from_file(std::string(CALLCOST_TEST_PROFILES "/") + file));
        ASSERT_TRUE(profile.has_value());
        const auto graph = *call_graph(*profile);
        std::set<std::string> names;
        for (std::size_t row = 0; row < graph.size(); ++row)
            names.insert(display_name(graph.name(NodeId(row))));
        const std::vector<std::string_view> list(names.begin(), names.end());
        for (const std::size_t width : {40U, 60U, 100U}) {
            const auto shorts = together(width, list);
            std::map<std::string, std::string_view> seen;
            for (std::size_t i = 0; i < list.size(); ++i) {
                EXPECT_LE(display_width(shorts[i]), width);
                const auto [other, is_new] = seen.emplace(shorts[i], list[i]);
                EXPECT_TRUE(is_new) << width << ": " << shorts[i] << "\n  " << list[i] << "\n  "
                                    << other->second;
            }
        }
    }
}

}  // namespace
}  // namespace callcost::engine
