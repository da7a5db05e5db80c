// What tracing_profiler.cpp measures here: recursion, two functions that call each other, and a plain call.
#include <cstdio>

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

bool is_odd(int n);
bool is_even(int n) { return n == 0 || is_odd(n - 1); }
bool is_odd(int n) { return n != 0 && is_even(n - 1); }

void greet() { std::puts("fibonacci(12) is"); }

int main() {
    greet();
    const int found = fibonacci(12);
    std::printf("%d, which is %s\n", found, is_even(found) ? "even" : "odd");
}
