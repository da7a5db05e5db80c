#include "summary/code_kinds.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "text/characters.hpp"

namespace callcost::engine {
namespace {

using std::string_view;

template <std::size_t N>
bool begins_with_any(string_view text, const std::array<string_view, N>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](string_view beginning) { return text.starts_with(beginning); });
}

// Of glibc, musl, jemalloc, tcmalloc, C++, Rust, Zend; sorted.
constexpr std::array<string_view, 26> allocating_names = {"__rust_alloc",
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
static_assert(std::is_sorted(allocating_names.begin(), allocating_names.end()));
constexpr std::array<string_view, 8> allocating_beginnings = {
    "operator new(", "operator new[](", "operator delete(", "operator delete[](",
    "je_",           "tc_malloc",       "tc_free",          "__libc_malloc"};
// Mercurial's converter puts Python's file name for them, "~", in front.
constexpr std::array<string_view, 8> built_in = {"php::",    "<built-in ",  "{built-in ", "<method '",
                                                 "{method ", "~<built-in ", "~<method '", "<slot wrapper '"};

/// The two first characters of all these, as a set: by the first one a bit for the second. Nearly all
/// functions are something else, which two characters tell.
class FirstCharacters {
  public:
    constexpr FirstCharacters() {
        for (const auto name : allocating_names) add(name);
        for (const auto name : allocating_beginnings) add(name);
        for (const auto name : built_in) add(name);
    }
    [[nodiscard]] constexpr bool may_have(string_view name) const {
        return name.size() >= 2 && (seconds_[index(name[0])] & bit(name[1])) != 0;
    }

  private:
    static constexpr std::size_t index(char c) { return static_cast<unsigned char>(c); }
    static constexpr std::uint32_t bit(char c) { return std::uint32_t{1} << (index(c) % 32); }
    constexpr void add(string_view name) { seconds_[index(name[0])] |= bit(name[1]); }

    std::array<std::uint32_t, 256> seconds_{};
};
constexpr FirstCharacters first_characters;

bool allocates(string_view function) {
    const auto name =
        function.substr(0, function.find_first_of("'.@"));  // of `f'2`, `f.isra.0`, `f@GLIBC_2.2.5`
    return std::binary_search(allocating_names.begin(), allocating_names.end(), name) ||
           begins_with_any(function, allocating_beginnings);
}

}  // namespace

CodeKind kind_of_object(string_view object) {
    const auto file = base_name(object);
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
    if (!first_characters.may_have(function)) return of_object;
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
