#include "summary/code_kinds.hpp"

#include <algorithm>
#include <array>

namespace callcost::engine {
namespace {

using std::string_view;

template <std::size_t N>
bool begins_with_any(string_view text, const std::array<string_view, N>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](string_view beginning) { return text.starts_with(beginning); });
}

/// glibc, musl, jemalloc, tcmalloc, C++, Rust, Zend.
bool allocates(string_view function) {
    constexpr std::array<string_view, 26> names = {// sorted
                                                   "__rust_alloc",
                                                   "__rust_dealloc",
                                                   "__rust_realloc",
                                                   "_efree",
                                                   "_emalloc",
                                                   "_int_free",
                                                   "_int_malloc",
                                                   "_int_memalign",
                                                   "_int_realloc",
                                                   "aligned_alloc",
                                                   "alloc_perturb",
                                                   "arena_get2",
                                                   "calloc",
                                                   "cfree",
                                                   "free",
                                                   "free_perturb",
                                                   "heap_trim",
                                                   "malloc",
                                                   "malloc_consolidate",
                                                   "memalign",
                                                   "posix_memalign",
                                                   "realloc",
                                                   "sysmalloc",
                                                   "systrim",
                                                   "tcache_init",
                                                   "unlink_chunk"};
    constexpr std::array<string_view, 8> beginnings = {
        "operator new(", "operator new[](", "operator delete(", "operator delete[](",
        "je_",           "tc_malloc",       "tc_free",          "__libc_malloc"};
    constexpr string_view first_letters = "_acfhjmoprstu";
    if (function.empty() || first_letters.find(function.front()) == string_view::npos) return false;
    // `f'2`, `f.isra.0`, `f@GLIBC_2.2.5`
    const auto end = std::find_if(function.begin(), function.end(),
                                  [](char c) { return c == '\'' || c == '.' || c == '@'; });
    const auto plain = function.substr(0, static_cast<std::size_t>(end - function.begin()));
    constexpr std::size_t longest = 18;
    return (plain.size() <= longest && std::binary_search(names.begin(), names.end(), plain)) ||
           begins_with_any(function, beginnings);
}

}  // namespace

CodeKind kind_of_object(string_view object) {
    const auto file = object.substr(object.find_last_of("/\\") + 1);
    constexpr std::array<string_view, 2> loader = {"ld-", "ld.so"};
    constexpr std::array<string_view, 8> c_library = {"libc.so",       "libc-",       "libm.so", "libm-",
                                                      "libpthread.so", "libpthread-", "libmvec", "libc.musl"};
    constexpr std::array<string_view, 4> cpp_library = {"libstdc++.so", "libgcc_s", "libc++.so", "libc++abi"};
    return begins_with_any(file, loader)        ? CodeKind::dynamic_linking
           : begins_with_any(file, c_library)   ? CodeKind::c_library
           : begins_with_any(file, cpp_library) ? CodeKind::cpp_library
                                                : CodeKind::unknown;
}

CodeKind kind_of_function(string_view function, CodeKind of_object) {
    if (of_object == CodeKind::dynamic_linking) return of_object;
    constexpr std::array<string_view, 4> built_in = {"php::", "<built-in ", "{built-in ", "{method "};
    if (begins_with_any(function, built_in)) return CodeKind::built_in;
    return allocates(function) ? CodeKind::memory_allocation : of_object;
}

string_view to_string(CodeKind kind) {
    switch (kind) {
        case CodeKind::dynamic_linking:
            return "dynamic linking";
        case CodeKind::memory_allocation:
            return "memory allocation";
        case CodeKind::c_library:
            return "the C library";
        case CodeKind::cpp_library:
            return "the C++ library";
        case CodeKind::built_in:
            return "built-in functions";
        case CodeKind::unknown:
            break;
    }
    return {};
}

}  // namespace callcost::engine
