#include <stdio.h>
#if AFTER
#define HELP static inline __attribute__((always_inline))
#else
#define HELP static __attribute__((noinline))
#endif
HELP unsigned long mix(unsigned long x) { x ^= x >> 12; x *= 2685821657736338717ul; x ^= x << 25; return x + 7; }
static __attribute__((noinline)) unsigned long first(unsigned long n) { unsigned long s = 1; for (unsigned long i = 0; i < n; ++i) s += mix(i); return s; }
static __attribute__((noinline)) unsigned long second(unsigned long n) {
    unsigned long s = 1;
#if !AFTER
    for (unsigned long i = 0; i < n * 40; ++i) s += s / (i + 1);
#endif
    for (unsigned long i = 0; i < n; ++i) s += mix(i) ^ 5;
    return s;
}
static __attribute__((noinline)) unsigned long third(unsigned long n) {
    unsigned long s = 1;
#if AFTER
    for (unsigned long i = 0; i < n * 2; ++i) s += s / (i + 1);
#endif
    for (unsigned long i = 0; i < n / 100; ++i) s += mix(i) ^ 5;
    return s;
}
int main(void) { printf("%lu\n", first(1000) + second(1000) + third(1000)); }
