/* What the preloaded libraries have in common: the function that would have been called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(result, name, ...)                                            \
    static result (*real)(__VA_ARGS__);                                    \
    if (real == NULL) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* open() and open64(); the statements after the name know `path`, `flags`, `mode` and `real`. */
#define OPEN(name, ...)                                                    \
    int name(const char* path, int flags, ...) {                           \
        REAL(int, #name, const char*, int, ...);                           \
        va_list rest;                                                      \
        va_start(rest, flags);                                             \
        const mode_t mode = va_arg(rest, mode_t);                          \
        va_end(rest);                                                      \
        __VA_ARGS__                                                        \
    }
