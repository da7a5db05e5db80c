// A table whose size is a template argument.
#include <cstdio>

template <int Size>
struct Table {
    int cells[Size] = {};
    __attribute__((noinline)) void insert(int key) { cells[static_cast<unsigned>(key) % Size] += key; }
    __attribute__((noinline)) int find(int key) const { return cells[static_cast<unsigned>(key * 31) % Size]; }
    __attribute__((noinline)) int sum() const {
        int sum = 0;
        for (int cell : cells) sum += cell;
        return sum;
    }
    __attribute__((noinline)) int work() {
        int result = 0;
        for (int i = 0; i < 2000; ++i) {
            insert(i * 17);
            result += find(i);
        }
        return result + sum();
    }
};

int main() {
    Table<64> table;
    std::printf("%d\n", table.work());
}
