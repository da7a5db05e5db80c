/// What emscripten's C library expects of emscripten's JavaScript, in terms of WebAssembly. System calls are
/// not here: they are imports. Each function that one of emscripten's own object files would bring along with
/// stand-ins for system calls has to be here.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include <sched.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wasm_simd128.h>

namespace {
constexpr std::size_t page_size = 65'536;
constexpr std::size_t max_pages = 65'536;
}  // namespace

extern "C" {

void abort() { _Exit(134); }

std::size_t emscripten_get_heap_max() { return (max_pages - 1) * page_size; }

int emscripten_resize_heap(std::size_t size) {
    const auto present = __builtin_wasm_memory_size(0) * page_size;
    const auto missing = (size - present + page_size - 1) / page_size;
    return __builtin_wasm_memory_grow(0, missing) != static_cast<std::size_t>(-1) ? 1 : 0;
}

void* emscripten_memcpy_big(void* to, const void* from, std::size_t size) {
    return __builtin_memcpy(to, from, size);  // one instruction, with -mbulk-memory
}

/// The heap begins somewhere else in every run, and with it the seeds of hashes are others.
[[gnu::constructor]] void move_heap() {
    timespec day{}, run{};
    clock_gettime(CLOCK_REALTIME, &day);
    clock_gettime(CLOCK_MONOTONIC, &run);
    constexpr std::uint32_t most = 8U << 20U;
    const auto random = static_cast<std::uint32_t>(day.tv_sec ^ day.tv_nsec) * 0x9e3779b1U ^
                        static_cast<std::uint32_t>(run.tv_nsec);
    [[maybe_unused]] void* const volatile kept = std::malloc(random % most);  // unused, it would be left out
}

double emscripten_get_now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Ends of lines: sixteen bytes at a time.
void* memchr(const void* from, int wanted, std::size_t size) {
    const auto* at = static_cast<const unsigned char*>(from);
    const auto* const end = at + size;
    const auto pattern = wasm_i8x16_splat(static_cast<signed char>(wanted));
    for (; end - at >= 16; at += 16) {
        const auto found = wasm_i8x16_bitmask(wasm_i8x16_eq(wasm_v128_load(at), pattern));
        if (found != 0) return const_cast<unsigned char*>(at + __builtin_ctz(found));
    }
    for (; at != end; ++at)
        if (*at == static_cast<unsigned char>(wanted)) return const_cast<unsigned char*>(at);
    return nullptr;
}

const unsigned char* __map_file(const char*, std::size_t*) { return nullptr; }  // time zones

long _mmap_js(long, long, long, long, long, long, int*) { return -ENOSYS; }
long _munmap_js(long, long, long, long, long, long) { return -ENOSYS; }

timespec __wasi_timestamp_to_timespec(unsigned long long nanoseconds) {
    return {.tv_sec = static_cast<time_t>(nanoseconds / 1'000'000'000),
            .tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000)};
}

void bz_internal_error(int) { abort(); }  // of bzip2, without its messages

// There are neither other programs nor threads nor sockets: whoever asks for one has an answer for that.
pid_t fork() {
    errno = ENOSYS;
    return -1;
}
int execve(const char*, char* const*, char* const*) {
    errno = ENOSYS;
    return -1;
}
int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                 char* const*, char* const*) {
    return ENOSYS;
}
int socketpair(int, int, int, int*) {
    errno = ENOSYS;
    return -1;
}
ssize_t send(int, const void*, std::size_t, int) {
    errno = ENOSYS;
    return -1;
}
int sched_getaffinity(pid_t, std::size_t, cpu_set_t*) {
    errno = ENOSYS;
    return -1;
}
int __sched_cpucount(std::size_t, const cpu_set_t*) { return 1; }
void __call_sighandler(void (*handler)(int), int signal_number) { handler(signal_number); }

}  // extern "C"
