#include <cstdio>
#include <thread>
#include <vector>
namespace img {
class Blur {
  public:
    __attribute__((noinline)) unsigned long apply(long n) {
        for (long i = 0; i < n; ++i) x = x * 6364136223846793005ul + (x >> 13) + i;
        return x;
    }
    unsigned long x = 1;
};
}  // namespace img
__attribute__((noinline)) void worker(int count, unsigned long& sum) {
    img::Blur blur;
    for (int i = 0; i < count; ++i) sum += blur.apply(3000);
    std::vector<unsigned long> v;
    for (int i = 0; i < 300; ++i) v.push_back(sum);
    sum += v.back();
}
__attribute__((noinline)) unsigned long load(long n) {
    unsigned long x = 1;
    for (long i = 0; i < n; ++i) x += x / (i + 1);
    return x;
}
int main() {
    unsigned long sum = load(9000), sums[3] = {};
    std::vector<std::thread> threads;
    for (auto& each : sums) threads.emplace_back(worker, 10, std::ref(each));
    for (auto& thread : threads) thread.join();
    for (auto each : sums) sum += each;
    std::printf("%lu\n", sum);
}
