// Two lambdas that a template sorts and folds by.
#include <algorithm>
#include <cstdio>
#include <vector>

template <class Function>
__attribute__((noinline)) int run(const std::vector<int>& values, Function function) {
    int sum = 0;
    for (int value : values) sum = function(sum, value);
    return sum;
}

int main() {
    std::vector<int> values;
    for (int i = 0; i < 3000; ++i) values.push_back(i * 7919 % 3001);
    std::sort(values.begin(), values.end(), [](int a, int b) { return a % 64 < b % 64; });
    int sum = run(values, [](int a, int b) { return a + b; });
    sum += run(values, [](int a, int b) { return a ^ (b * b % 17); });
    std::printf("%d\n", sum);
}
