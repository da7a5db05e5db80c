// Before, serve formats; after, respond does, which serve calls. Nothing else changed.
#include <stdio.h>
static __attribute__((noinline)) unsigned long format(unsigned long n) { unsigned long s = n; for (int i = 0; i < 40; ++i) s = s * 31 + (s >> 7); return s; }
static __attribute__((noinline)) unsigned long respond(unsigned long n) {
    unsigned long s = n ^ 5;
#if AFTER
    s += format(n);
#endif
    return s;
}
static __attribute__((noinline)) unsigned long serve(unsigned long n) {
    unsigned long s = 1;
    for (unsigned long i = 0; i < n; ++i) {
#if !AFTER
        s += format(i);
#else
        s += i / 3 + i % 5;
#endif
        s += respond(i);
    }
    return s;
}
int main(void) { printf("%lu\n", serve(2000)); }
