#include "loading/memory.hpp"

#include <cstdint>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace callcost::program {

void trim_memory([[maybe_unused]] const Profile& profile) {
#ifdef __GLIBC__
    constexpr std::uint64_t large = 16'000'000;
    std::uint64_t bytes = 0;
    for (const SourceInfo& source : profile.sources()) bytes += source.bytes;
    if (bytes >= large) malloc_trim(0);
#endif
}

void give_back_large_tables() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1'000'000);
#endif
}

}  // namespace callcost::program
