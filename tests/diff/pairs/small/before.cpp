// Most of the cost is in a loop; a small function is called from elsewhere, and inlined on the other side.
static volatile unsigned sink;

__attribute__((noinline)) unsigned turn(unsigned value) {
    value ^= value << 7;
    value *= 2654435761U;
    return value ^ (value >> 9);
}

__attribute__((noinline)) unsigned seed(unsigned first) {
    unsigned all = first;
    for (unsigned i = 0; i < 40; ++i) all += turn(all + i);
    return all;
}

__attribute__((noinline)) unsigned work(unsigned from) {
    for (unsigned i = 0; i < 2000000; ++i) from = from * 31 + i;
    return from;
}

int main() {
    sink = seed(3);
    sink = work(sink);
    return 0;
}
