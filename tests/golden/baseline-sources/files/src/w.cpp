#include <cstdio>

unsigned work(unsigned n) {
    unsigned s = 0;
    for (unsigned i = 0; i < 2 * n; ++i) s = s * 31 + i;
    return s;
}

int main() {
    unsigned s = 0;
    for (unsigned i = 0; i < 200; ++i) s += work(i);
    std::printf("%u\n", s);
}
