#include <string>

#include <gtest/gtest.h>

#include <callcost/call_graph.hpp>
#include <callcost/groups.hpp>

namespace {

using callcost::name_space_of;

TEST(NameSpace, is_what_stands_before_the_last_two_colons) {
    EXPECT_EQ(name_space_of("ns::Class::method(int, char const*) const"), "ns::Class");
    EXPECT_EQ(name_space_of("std::thread::join()"), "std::thread");
    EXPECT_EQ(name_space_of("ns::Class::~Class()"), "ns::Class");
    EXPECT_EQ(name_space_of("main"), "");
    EXPECT_EQ(name_space_of("free_function(ns::Argument)"), "");
    EXPECT_EQ(name_space_of("::global"), "");
    EXPECT_EQ(name_space_of(""), "");
}

TEST(NameSpace, leaves_template_arguments_alone) {
    EXPECT_EQ(name_space_of("std::vector<a::b, std::allocator<a::b> >::push_back(a::b const&)"),
              "std::vector<a::b, std::allocator<a::b> >");
    EXPECT_EQ(name_space_of("f<ns::g>(int)"), "");
    EXPECT_EQ(name_space_of("ns::f<&ns::operator->, (1>2)>(int)"), "ns");
}

TEST(NameSpace, leaves_out_the_return_type_of_a_function_template) {
    EXPECT_EQ(name_space_of("void ns::f<int>(int)"), "ns");
    EXPECT_EQ(name_space_of("std::ostream& std::ostream::_M_insert<double>(double)"), "std::ostream");
    EXPECT_EQ(name_space_of("unsigned long ns::size<a::b>(a::b const&)"), "ns");
    EXPECT_EQ(name_space_of("other::type free_template<int>(int)"), "");
    EXPECT_EQ(name_space_of("decltype(auto) ns::f<int>(int)"), "ns");
    EXPECT_EQ(name_space_of("decltype (x::y()) ns::f<int>(int)"), "ns");
    EXPECT_EQ(name_space_of("std::enable_if<((1)>(2)), void>::type ns::f<int>(int)"), "ns");
    EXPECT_EQ(name_space_of("non-virtual thunk to ns::Class::f()"), "ns::Class");
}

TEST(NameSpace, knows_operators) {
    EXPECT_EQ(name_space_of("ns::C::operator<(ns::C const&) const"), "ns::C");
    EXPECT_EQ(name_space_of("ns::C::operator->() const"), "ns::C");
    EXPECT_EQ(name_space_of("ns::C::operator()(int)"), "ns::C");
    EXPECT_EQ(name_space_of("ns::C::operator[](int)"), "ns::C");
    EXPECT_EQ(name_space_of("ns::C::operator=(ns::C&&)"), "ns::C");
    EXPECT_EQ(name_space_of("ns::C::operator std::string() const"), "ns::C");
    EXPECT_EQ(name_space_of("ns::C::operator new(unsigned long)"), "ns::C");
    EXPECT_EQ(name_space_of("ns::operator\"\" _km(long double)"), "ns");
    EXPECT_EQ(name_space_of("std::ostream& ns::operator<< <char>(std::ostream&, char)"), "ns");
    EXPECT_EQ(name_space_of("bool ns::operator< <int>(ns::C<int> const&, ns::C<int> const&)"), "ns");
    EXPECT_EQ(name_space_of("operator new(unsigned long)"), "");
    EXPECT_EQ(name_space_of("ns::operators::apply(int)"), "ns::operators");
}

TEST(NameSpace, knows_lambdas_and_anonymous_namespaces) {
    EXPECT_EQ(name_space_of("main::{lambda(int)#1}::operator()(int) const"), "main::{lambda(int)#1}");
    EXPECT_EQ(name_space_of("ns::f(int) const::{lambda(a::b)#2}::operator()(a::b) const"),
              "ns::f(int) const::{lambda(a::b)#2}");
    EXPECT_EQ(name_space_of("(anonymous namespace)::f(int)"), "(anonymous namespace)");
    EXPECT_EQ(name_space_of("ns::(anonymous namespace)::C::f()"), "ns::(anonymous namespace)::C");
    EXPECT_EQ(name_space_of("void (anonymous namespace)::f<int>(int)"), "(anonymous namespace)");
    EXPECT_EQ(name_space_of("ns::f(int) [clone .isra.0]"), "ns");
}

TEST(NameSpace, knows_rust) {
    EXPECT_EQ(name_space_of("<T as core::fmt::Display>::fmt"), "<T as core::fmt::Display>");
    EXPECT_EQ(name_space_of("<fn(u8) -> u8 as core::ops::Fn>::call"), "<fn(u8) -> u8 as core::ops::Fn>");
    EXPECT_EQ(name_space_of("core::ptr::drop_in_place<alloc::vec::Vec<u8>>"), "core::ptr");
    EXPECT_EQ(name_space_of("std::rt::lang_start::{{closure}}"), "std::rt::lang_start");
    EXPECT_EQ(name_space_of("core::fmt::write::h0123456789abcdef"), "core::fmt");
}

TEST(NameSpace, knows_scripting_languages) {
    EXPECT_EQ(name_space_of("App\\Model->save"), "App\\Model");
    EXPECT_EQ(name_space_of("App\\Model::load"), "App\\Model");
    EXPECT_EQ(name_space_of("php::strlen"), "php");
    EXPECT_EQ(name_space_of("{closure:/srv/a.php:3-5}"), "");
    EXPECT_EQ(name_space_of("include::/srv/a dir/b.php"), "include");
    EXPECT_EQ(name_space_of("Foo::Bar#baz"), "Foo::Bar");
    EXPECT_EQ(name_space_of("Integer#<=>"), "Integer");
    EXPECT_EQ(name_space_of("Data::Dumper::BEGIN@258"), "Data::Dumper");
    EXPECT_EQ(name_space_of("<method 'append' of 'list' objects>"), "");
}

TEST(NameSpace, takes_dots_only_where_there_is_nothing_else) {
    EXPECT_EQ(name_space_of("package.module.Class.method"), "package.module.Class");
    EXPECT_EQ(name_space_of("java.util.HashMap.put(java.lang.Object)"), "java.util.HashMap");
    EXPECT_EQ(name_space_of("com.foo.Bar.<init>"), "com.foo.Bar");
    EXPECT_EQ(name_space_of("main.(*T).Method"), "main.(*T)");
    EXPECT_EQ(name_space_of("github.com/foo/bar.F"), "github.com/foo/bar");
    EXPECT_EQ(name_space_of("Foo::Bar.baz"), "Foo");
    EXPECT_EQ(name_space_of("memcpy@@GLIBC_2.14"), "");
    EXPECT_EQ(name_space_of("helper.isra.0"), "");
    EXPECT_EQ(name_space_of("ns::helper(int) (.constprop.0)"), "ns");
    EXPECT_EQ(name_space_of("/srv/www/index.php"), "");
}

TEST(NameSpace, takes_time_in_proportion_to_the_name) {
    const std::string open(4'000'000, '<');
    EXPECT_EQ(name_space_of("a::" + open), "a");
    std::string nested = "a::";
    for (int i = 0; i < 1'000'000; ++i) nested += "(<[{";
    EXPECT_EQ(name_space_of(nested), "a");
    EXPECT_EQ(name_space_of("f(" + open + ")"), "");
}

TEST(NameSpace, never_leaves_the_name) {
    // Every cut of names that use all of the grammar: whatever comes out is part of the name.
    for (const std::string name : {"std::ostream& ns::operator<< <char, (1>2)>(int) "
                                   "const::{lambda(a::b)#2}::operator()(a::b) const [clone .isra.0]",
                                   "ns::C::operator std::vector<int>()",
                                   "<&'a T as x::Y>::z::h0123456789abcdef", "a.(*T).f->g#h@@V_2.3"}) {
        for (std::size_t from = 0; from <= name.size(); ++from)
            for (std::size_t to = from; to <= name.size(); ++to) {
                const std::string piece = name.substr(from, to - from);
                const std::string_view found = name_space_of(piece);
                EXPECT_TRUE(found.empty() || (found.data() >= piece.data() &&
                                              found.data() + found.size() <= piece.data() + piece.size()));
            }
    }
}

}  // namespace
