/* The program of loop.out; README.md says how it was built. */
static int table[64];

__attribute__((noinline, cold)) static void complain(int number) { table[63] = number; }

__attribute__((noinline)) int twice(int number) { return number + number; }

__attribute__((noinline)) int add_up(int count) {
    int sum = 0;
    if (count < 0) complain(count);
    for (int i = 0; i < count; ++i) {
        if (i % 3 == 0) {
            sum += twice(i);
        } else {
            sum -= table[i & 63];
        }
    }
    return sum;
}

void _start(void) {
    int result = add_up(30);
    __asm__ volatile("syscall" : : "a"(231), "D"(result == 270 ? 0 : 1) : "rcx", "r11", "memory");
    for (;;) {
    }
}
