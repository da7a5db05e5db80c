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
    constexpr std::array<string_view, 26> names = {"malloc",
                                                   "free",
                                                   "calloc",
                                                   "realloc",
                                                   "cfree",
                                                   "memalign",
                                                   "aligned_alloc",
                                                   "posix_memalign",
                                                   "_int_malloc",
                                                   "_int_free",
                                                   "_int_realloc",
                                                   "_int_memalign",
                                                   "malloc_consolidate",
                                                   "unlink_chunk",
                                                   "sysmalloc",
                                                   "systrim",
                                                   "arena_get2",
                                                   "tcache_init",
                                                   "alloc_perturb",
                                                   "free_perturb",
                                                   "_emalloc",
                                                   "_efree",
                                                   "__rust_alloc",
                                                   "__rust_dealloc",
                                                   "__rust_realloc",
                                                   "heap_trim"};
    constexpr std::array<string_view, 8> beginnings = {
        "operator new(", "operator new[](", "operator delete(", "operator delete[](",
        "je_",           "tc_malloc",       "tc_free",          "__libc_malloc"};
    // `f'2`, `f.isra.0`, `f@GLIBC_2.2.5`
    const auto plain = function.substr(0, function.find_first_of("'.@"));
    return std::find(names.begin(), names.end(), plain) != names.end() ||
           begins_with_any(function, beginnings);
}

}  // namespace

CodeKind code_kind(string_view function, string_view object) {
    constexpr std::array<string_view, 4> built_in = {"php::", "<built-in ", "{built-in ", "{method "};
    if (begins_with_any(function, built_in)) return CodeKind::built_in;
    const auto file = object.substr(object.find_last_of("/\\") + 1);
    if (begins_with_any(file, std::array<string_view, 3>{"ld-", "ld.so", "ld-linux"}))
        return CodeKind::dynamic_linking;
    if (allocates(function)) return CodeKind::memory_allocation;
    constexpr std::array<string_view, 8> c_library = {"libc.so",       "libc-",       "libm.so", "libm-",
                                                      "libpthread.so", "libpthread-", "libmvec", "libc.musl"};
    if (begins_with_any(file, c_library)) return CodeKind::c_library;
    constexpr std::array<string_view, 4> cpp_library = {"libstdc++.so", "libgcc_s", "libc++.so", "libc++abi"};
    return begins_with_any(file, cpp_library) ? CodeKind::cpp_library : CodeKind::unknown;
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
