// What of names survives another build.
#include <gtest/gtest.h>

#include "diff/canonical_name.hpp"
#include "diff/place_names.hpp"

namespace callcost::test {
namespace {

struct Case {
    const char* name;
    const char* canonical;
    bool was_counted;
};

TEST(CanonicalName, is_what_no_compiler_and_no_linker_added) {
    const Case cases[] = {
        {"main", "main", false},
        {"f.part.0", "f", true},
        {"f.constprop.0.isra.1", "f", true},
        {"f.cold", "f", false},
        {"tree.clone", "tree.clone", false},
        {"tree.part", "tree.part", false},
        {"f.llvm.123456", "f", true},
        {"f [clone .constprop.0]", "f", true},
        {"f(int) [clone .isra.0] [clone .cold]", "f(int)", true},
        {"run<main::{lambda(int)#2}>(main::{lambda(int)#2})",
         "run<main::{lambda(int)#}>(main::{lambda(int)#})", true},
        {"main::$_0::operator()() const", "main::$_::operator()() const", true},
        {"(anonymous namespace)::f()", "f()", false},
        {"std::__cxx11::basic_string<char>::append", "std::basic_string<char>::append", false},
        {"std::__1::vector<int>::push_back", "std::vector<int>::push_back", false},
        {"core::fmt::write::h0123456789abcdef", "core::fmt::write", false},
        {"core[8f2a6f5c3b1e9d47]::fmt::write", "core::fmt::write", false},
        {"app::main::{closure#3}", "app::main::{closure#}", true},
        {"memcpy@@GLIBC_2.14", "memcpy", false},
        {"memcpy@GLIBC_2.2.5", "memcpy", false},
        {"user@example", "user@example", false},
        {"main.f.func1.2", "main.f.func", true},
        {"main.function1", "main.function1", false},
        {"{closure:/srv/app/a.php:12-14}", "{closure:a.php}", true},
        {"{closure:C:\\xampp\\htdocs\\a.php:12-14}", "{closure:a.php}", true},
        {"{closure:C:/xampp/htdocs\\a.php:12-14}", "{closure:a.php}", true},
        {"{closure:\\\\server\\share\\a.php:12-14}", "{closure:a.php}", true},
        {"{closure:App\\f():12}", "{closure:App\\f():12}", false},
        {"operator[](int)", "operator[](int)", false},
        {"a[3]", "a[3]", false},
        {"main.run [1/3]", "main.run", true},
        {"a [b/3]", "a [b/3]", false},
        {"0x000000000001ab70", "0x", true},
        {"0x", "0x", false},
        {"0xylophone", "0xylophone", false},
        {"", "", false},
        {".part.0", ".part.0", false},
    };
    for (const auto& [name, canonical, was_counted] : cases) {
        const auto found = canonical_name(name);
        EXPECT_EQ(found.text, canonical) << name;
        EXPECT_EQ(found.was_counted, was_counted) << name;
    }
}

TEST(CanonicalName, has_no_arguments_if_nobody_wants_them) {
    const std::pair<const char*, const char*> cases[] = {
        {"f(int)", "f"},
        {"void ns::f<int, 3>(ns::T<int>)", "void ns::f"},
        {"Table<64>::find(int) const", "Table::find const"},
        {"operator<<(A, B)", "operator<<"},
        {"A::operator()(int)", "A::operator()"},
        {"A::operator->() const", "A::operator-> const"},
        {"(below main)", "(below main)"},
        {"<T as U>::f", "<T as U>::f"},
        {"a > b", "a > b"},
        {"f(int", "f(int"},
        {"f(<)", "f(<)"},
        {"Foo->bar", "Foo->bar"},
        {"", ""},
    };
    for (const auto& [name, without] : cases) EXPECT_EQ(name_without_arguments(name), without) << name;
}

TEST(PlaceNames, do_not_depend_on_where_a_program_was_built) {
    EXPECT_EQ(normal_path("./math/./w_pow_template.c"), "math/w_pow_template.c");
    EXPECT_EQ(normal_path("/rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/library/core/src/fmt/mod.rs"),
              "/rustc/*/library/core/src/fmt/mod.rs");
    EXPECT_EQ(
        normal_path("/home/a/.cargo/registry/src/index.crates.io-6f17d22bba15001f/serde-1.0.1/src/lib.rs"),
        "/home/a/.cargo/registry/src/index.crates.io/serde-1.0.1/src/lib.rs");
    EXPECT_EQ(normal_path("/build/glibc-B3wQXB/glibc-2.31/csu/a.c"), "/build/glibc/glibc-2.31/csu/a.c");
    EXPECT_EQ(normal_path("???"), "");
    EXPECT_EQ(common_tail("/a/b/c.c", "/x/b/c.c"), 2U);
    EXPECT_EQ(common_tail("c.c", "/x/b/c.c"), 1U);
    EXPECT_EQ(common_tail("/a.c", "/b.c"), 0U);
    EXPECT_EQ(compare_from_end("a/f.c", "a/f.c"), 0);
    EXPECT_LT(compare_from_end("f.c", "a/f.c"), 0);
    EXPECT_LT(compare_from_end("b/f.c", "-f.c"), 0);  // not between paths that end in f.c
    EXPECT_GT(compare_from_end("b/f.c", "a/f.c"), 0);
    EXPECT_EQ(object_key("/usr/lib/libfoo.so.1.2.3"), "libfoo.so");
    EXPECT_EQ(object_key("/usr/lib/ld-2.31.so"), "ld.so");
    EXPECT_EQ(object_key("/usr/bin/prog-1.2"), "prog");
    EXPECT_EQ(object_key("???"), "");
}

TEST(PlaceNames, of_windows_are_paths) {
    EXPECT_EQ(base_name("C:\\xampp\\htdocs\\a.php"), "a.php");
    EXPECT_EQ(base_name("C:\\xampp/htdocs/a.php"), "a.php");
    EXPECT_EQ(normal_path("c:\\xampp\\.\\htdocs/a.php"), "C:/xampp/htdocs/a.php");
    EXPECT_EQ(normal_path("\\\\server\\share\\a.php"), "/server/share/a.php");
    EXPECT_EQ(common_tail("C:\\xampp\\htdocs\\app\\a.php", "/srv/htdocs/app/a.php"), 3U);
    EXPECT_EQ(object_key("C:\\php\\ext\\php_xdebug.dll"), "php_xdebug.dll");
}

TEST(PlaceNames, of_windows_begin_with_a_path_in_any_spelling) {
    EXPECT_TRUE(begins_with_path("C:\\xampp\\htdocs\\a.php", "c:/XAMPP/htdocs"));
    EXPECT_TRUE(begins_with_path("\\\\Server\\share\\a.php", "//server/share"));
    EXPECT_FALSE(begins_with_path("C:\\xampp\\a.php", "D:\\xampp"));
    EXPECT_FALSE(begins_with_path("C:\\xampp", "C:\\xampp\\htdocs"));
    EXPECT_TRUE(begins_with_path("/srv/a.php", "/srv"));
    EXPECT_FALSE(begins_with_path("/srv/a.php", "/SRV"));
    EXPECT_FALSE(begins_with_path("/srv/a\\b.php", "/SRV"));
}

}  // namespace
}  // namespace callcost::test
