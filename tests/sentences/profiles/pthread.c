#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
// Three threads blur, main only loads.
struct Job { long count; unsigned long sum; };
__attribute__((noinline)) unsigned long blur(long n, unsigned long x) { for (long i = 0; i < n; ++i) x = x * 6364136223846793005ul + (x >> 13) + i; return x; }
__attribute__((noinline)) unsigned long sharpen(long n, unsigned long x) { for (long i = 0; i < n; ++i) x = (x ^ (x << 7)) + i; return x; }
static void* worker(void* p) { struct Job* job = p; for (int i = 0; i < 10; ++i) job->sum = blur(job->count, job->sum) + sharpen(job->count / 20, 3); return 0; }
__attribute__((noinline)) unsigned long load(long n) { unsigned long x = 1; for (long i = 0; i < n; ++i) x += x / (i + 1); return x; }
int main(void) {
    struct Job jobs[3] = {{3000, 1}, {3000, 2}, {3000, 3}};
    pthread_t threads[3];
    unsigned long sum = load(12000);
    for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, worker, &jobs[i]);
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0), sum += jobs[i].sum;
    printf("%lu\n", sum);
}
