// evaluate is called three times as often, and costs less: each call does a tenth of what it did.
#include <stdio.h>
static __attribute__((noinline)) unsigned long evaluate(unsigned long n) { unsigned long s = n; for (unsigned long i = 0; i < (AFTER ? 30 : 300); ++i) s = s * 31 + (s >> 7); return s; }
static __attribute__((noinline)) unsigned long parse(unsigned long n) { unsigned long s = n; for (int i = 0; i < (AFTER ? 90 : 20); ++i) s = s * 31 + (s >> 7); return s; }
int main(void) {
    unsigned long s = 1;
    for (unsigned long i = 0; i < (AFTER ? 300 : 100); ++i) s += evaluate(i);
    for (unsigned long i = 0; i < 100; ++i) s += parse(i);
    printf("%lu\n", s);
}
