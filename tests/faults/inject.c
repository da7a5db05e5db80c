/* Preloaded into a program: lets its n-th call of a kind fail, or kills it there. Calls before main() are not counted.

   FAULT=KIND:N:ERROR   KIND is "system" (files, directories, clocks do not count) or "memory". ERROR is a number of errno; "kill": SIGKILL
   instead of the call. N = 0: nothing fails.
   FAULT_COUNT=FILE     gets the number of calls when the program ends. */
#include "preload.h"
#include <signal.h>
#include <stdatomic.h>
#include <sys/syscall.h>

static atomic_int is_active;
static atomic_long calls;
static long wanted;
static int error_number; /* 0: kill */
static int wants_memory;

/* Whether this call fails; errno is set. */
static int fails(int is_memory) {
    if (!atomic_load(&is_active) || is_memory != wants_memory) return 0;
    if (atomic_fetch_add(&calls, 1) + 1 != wanted) return 0;
    if (error_number == 0) syscall(SYS_kill, getpid(), SIGKILL);
    errno = error_number;
    return 1;
}

#define SYSTEM(result, name, failed, parameters, arguments, ...)           \
    result name parameters {                                               \
        REAL(result, #name, __VA_ARGS__);                                  \
        if (fails(0)) return failed;                                       \
        return real arguments;                                             \
    }

SYSTEM(ssize_t, read, -1, (int file, void* data, size_t size), (file, data, size), int, void*, size_t)
SYSTEM(ssize_t, pread, -1, (int file, void* data, size_t size, off_t at), (file, data, size, at), int, void*, size_t, off_t)
SYSTEM(ssize_t, pread64, -1, (int file, void* data, size_t size, off64_t at), (file, data, size, at), int, void*, size_t, off64_t)
SYSTEM(ssize_t, write, -1, (int file, const void* data, size_t size), (file, data, size), int, const void*, size_t)
SYSTEM(ssize_t, pwrite, -1, (int file, const void* data, size_t size, off_t at), (file, data, size, at), int, const void*, size_t, off_t)
SYSTEM(ssize_t, pwrite64, -1, (int file, const void* data, size_t size, off64_t at), (file, data, size, at), int, const void*, size_t, off64_t)
SYSTEM(int, fsync, -1, (int file), (file), int)
SYSTEM(int, fdatasync, -1, (int file), (file), int)
SYSTEM(int, ftruncate, -1, (int file, off_t size), (file, size), int, off_t)
SYSTEM(int, ftruncate64, -1, (int file, off64_t size), (file, size), int, off64_t)
SYSTEM(int, rename, -1, (const char* from, const char* to), (from, to), const char*, const char*)
SYSTEM(int, link, -1, (const char* from, const char* to), (from, to), const char*, const char*)
SYSTEM(int, linkat, -1, (int a, const char* from, int b, const char* to, int flags), (a, from, b, to, flags), int, const char*, int, const char*, int)
SYSTEM(int, mkdir, -1, (const char* name, mode_t mode), (name, mode), const char*, mode_t)
SYSTEM(int, fchmod, -1, (int file, mode_t mode), (file, mode), int, mode_t)
SYSTEM(int, stat, -1, (const char* name, struct stat* facts), (name, facts), const char*, struct stat*)
SYSTEM(int, stat64, -1, (const char* name, struct stat64* facts), (name, facts), const char*, struct stat64*)
SYSTEM(int, fstat, -1, (int file, struct stat* facts), (file, facts), int, struct stat*)
SYSTEM(int, fstat64, -1, (int file, struct stat64* facts), (file, facts), int, struct stat64*)
SYSTEM(int, access, -1, (const char* name, int mode), (name, mode), const char*, int)

OPEN(open, if (fails(0)) return -1; return real(path, flags, mode);)
OPEN(open64, if (fails(0)) return -1; return real(path, flags, mode);)

/* An error of close() says that something was not written; the descriptor is gone all the same. */
int close(int file) {
    REAL(int, "close", int);
    const int failed = fails(0);
    const int problem = errno;
    const int result = real(file);
    if (!failed) return result;
    errno = problem;
    return -1;
}

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* block, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size) { return fails(1) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(1) ? NULL : __libc_calloc(count, size); }
void* realloc(void* block, size_t size) { return fails(1) ? NULL : __libc_realloc(block, size); }
void* aligned_alloc(size_t alignment, size_t size) { return fails(1) ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void** block, size_t alignment, size_t size) {
    if (fails(1)) return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}

static void tell_count(void) {
    const long count = atomic_load(&calls);
    atomic_store(&is_active, 0);
    const char* path = getenv("FAULT_COUNT");
    if (path == NULL) return;
    FILE* file = fopen(path, "w");
    if (file == NULL) return;
    fprintf(file, "%ld\n", count);
    fclose(file);
}

static int (*real_main)(int, char**, char**);

static int main_with_faults(int count, char** words, char** environment) {
    const char* fault = getenv("FAULT");
    if (fault != NULL) {
        char kind[16] = "", what[16] = "";
        if (sscanf(fault, "%15[a-z]:%ld:%15s", kind, &wanted, what) != 3) abort();
        wants_memory = strcmp(kind, "memory") == 0;
        error_number = atoi(what);
        unsetenv("LD_PRELOAD"); /* what it starts is not ours */
        atexit(tell_count);
        atomic_store(&is_active, 1);
    }
    return real_main(count, words, environment);
}

int __libc_start_main(int (*program)(int, char**, char**), int count, char** words, void (*begin)(void), void (*end)(void),
                      void (*loader)(void), void* stack) {
    REAL(int, "__libc_start_main", int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
    real_main = program;
    return real(main_with_faults, count, words, begin, end, loader, stack);
}
