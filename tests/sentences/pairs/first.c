// The first call of report fills a table; the others only look in it. Before it is called once, after 20 times.
#include <stdio.h>
static unsigned long table[512];
static __attribute__((noinline)) unsigned long report(unsigned long n) {
    if (table[1] == 0)
        for (unsigned long i = 0; i < 512; ++i) table[i] = i * 31 + (i >> 3) + 1;
    return table[n % 512] * 3 + n;
}
static __attribute__((noinline)) unsigned long work(unsigned long n) { unsigned long s = 1; for (unsigned long i = 0; i < n; ++i) s = s * 31 + (s >> 7); return s; }
int main(void) {
    unsigned long s = work(AFTER ? 400 : 100);
    for (unsigned long i = 0; i < (AFTER ? 20 : 1); ++i) s += report(i);
    printf("%lu\n", s);
}
