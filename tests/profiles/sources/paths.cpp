// Costs that depend on the path: for the bounds of estimated trees.
#include <cstdlib>

static volatile unsigned sink;

__attribute__((noinline)) static void work(unsigned n) {
    for (unsigned i = 0; i < n; ++i) sink = sink + i;
}
__attribute__((noinline)) static void copy(unsigned n) { work(n); sink = sink * 3; }
__attribute__((noinline)) static void parse(unsigned n) { copy(n); copy(n / 2); work(3); }
__attribute__((noinline)) static void cheap() { parse(5); work(1); }
__attribute__((noinline)) static void costly() { parse(900); work(100); }
__attribute__((noinline)) static void once() { work(700); }

__attribute__((noinline)) static unsigned fibonacci(unsigned n) {
    work(2);
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__attribute__((noinline)) static void odd(unsigned n);
__attribute__((noinline)) static void even(unsigned n) {
    copy(n);
    if (n != 0) odd(n - 1);
}
__attribute__((noinline)) static void odd(unsigned n) {
    work(5 * n);
    if (n != 0) even(n - 1);
}
__attribute__((noinline)) static void walk(unsigned depth) {
    if (depth == 0) return costly();
    if (depth % 2 == 0) cheap();
    walk(depth - 1);
    once();
}

__attribute__((noinline)) static void run() {
    for (int i = 0; i < 20; ++i) cheap();
    costly();
    once();
    fibonacci(6);
    even(7);
    odd(4);
    walk(5);
    copy(40);
}

int main() {
    run();
    return sink == 1 ? 1 : 0;
}
