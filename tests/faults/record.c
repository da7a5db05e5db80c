/* Preloaded into a program: records what changes files, for a replay.

   RECORD=FILE      gets a line for each call that succeeded, words with tabs between; after those of "write" come the bytes:
                    open FILE FLAGS PATH, write FILE OFFSET SIZE, truncate FILE SIZE, sync FILE, close FILE, link FROM TO, rename FROM TO,
                    unlink PATH, mkdir PATH
   RECORD_NAMED=1   as on a file system without files that have no name (O_TMPFILE) */
#include "preload.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE* trace; /* whose writes are the C library's own, not ours */
static int has_unnamed = 1;

/* In the order in which the calls took effect. */
#define RECORDED(result, call, succeeded, ...)                             \
    pthread_mutex_lock(&lock);                                             \
    const result done = call;                                              \
    const int problem = errno;                                             \
    if (trace != NULL && (succeeded)) fprintf(trace, __VA_ARGS__);         \
    pthread_mutex_unlock(&lock);                                           \
    errno = problem;                                                       \
    return done

#define CALL(result, name, parameters, arguments, types, ...)              \
    result name parameters {                                               \
        REAL(result, #name, types);                                        \
        RECORDED(result, real arguments, done >= 0, __VA_ARGS__);          \
    }
#define TYPES(...) __VA_ARGS__

CALL(int, fsync, (int file), (file), int, "sync\t%d\n", file)
CALL(int, fdatasync, (int file), (file), int, "sync\t%d\n", file)
CALL(int, ftruncate, (int file, off_t size), (file, size), TYPES(int, off_t), "truncate\t%d\t%ld\n", file, (long)size)
CALL(int, ftruncate64, (int file, off64_t size), (file, size), TYPES(int, off64_t), "truncate\t%d\t%ld\n", file, (long)size)
CALL(int, rename, (const char* from, const char* to), (from, to), TYPES(const char*, const char*), "rename\t%s\t%s\n", from, to)
CALL(int, renameat2, (int a, const char* from, int b, const char* to, unsigned flags), (a, from, b, to, flags),
     TYPES(int, const char*, int, const char*, unsigned), "rename\t%s\t%s\n", from, to)
CALL(int, link, (const char* from, const char* to), (from, to), TYPES(const char*, const char*), "link\t%s\t%s\n", from, to)
CALL(int, linkat, (int a, const char* from, int b, const char* to, int flags), (a, from, b, to, flags),
     TYPES(int, const char*, int, const char*, int), "link\t%s\t%s\n", from, to)
CALL(int, unlink, (const char* path), (path), const char*, "unlink\t%s\n", path)
CALL(int, remove, (const char* path), (path), const char*, "unlink\t%s\n", path)
CALL(int, mkdir, (const char* path, mode_t mode), (path, mode), TYPES(const char*, mode_t), "mkdir\t%s\n", path)
CALL(int, mkostemp, (char* path, int flags), (path, flags), TYPES(char*, int), "open\t%d\t%d\t%s\n", done, O_CREAT | O_EXCL, path)
CALL(int, mkostemp64, (char* path, int flags), (path, flags), TYPES(char*, int), "open\t%d\t%d\t%s\n", done, O_CREAT | O_EXCL, path)
CALL(int, close, (int file), (file), int, "close\t%d\n", file)

static ssize_t written(int file, const void* data, ssize_t size, long at) {
    if (trace != NULL && size >= 0) {
        fprintf(trace, "write\t%d\t%ld\t%ld\n", file, at, (long)size);
        fwrite(data, 1, (size_t)size, trace);
    }
    pthread_mutex_unlock(&lock);
    return size;
}

ssize_t write(int file, const void* data, size_t size) {
    REAL(ssize_t, "write", int, const void*, size_t);
    pthread_mutex_lock(&lock);
    const long at = lseek(file, 0, SEEK_CUR);
    return written(file, data, real(file, data, size), at);
}

#define PWRITE(name, offset)                                                       \
    ssize_t name(int file, const void* data, size_t size, offset at) {             \
        REAL(ssize_t, #name, int, const void*, size_t, offset);                    \
        pthread_mutex_lock(&lock);                                                 \
        return written(file, data, real(file, data, size, at), (long)at);          \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define RECORDED_OPEN(name)                                                                            \
    OPEN(name,                                                                                         \
         if (!has_unnamed && (flags & O_TMPFILE) == O_TMPFILE) return errno = EOPNOTSUPP, -1;           \
         RECORDED(int, real(path, flags, mode), done >= 0, "open\t%d\t%d\t%s\n", done, flags, path);)
RECORDED_OPEN(open)
RECORDED_OPEN(open64)

__attribute__((constructor)) static void begin(void) {
    const char* path = getenv("RECORD");
    if (path == NULL) return;
    unsetenv("LD_PRELOAD"); /* what it starts is not ours */
    has_unnamed = getenv("RECORD_NAMED") == NULL;
    trace = fopen(path, "we");
    if (trace == NULL) abort();
}
__attribute__((destructor)) static void end(void) {
    if (trace != NULL) fflush(trace);
}
