// Measures words: a driver that calls a function, which calls three others.
#include <cstdio>

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE static unsigned hash_of(const char* text) {
    unsigned hash = 5381;
    for (; *text != 0; ++text) hash = hash * 33 + static_cast<unsigned char>(*text);
    return hash % 251;
}

NOINLINE static unsigned length_of(const char* text) {
    unsigned length = 0;
    while (text[length] != 0) ++length;
    return length;
}

NOINLINE static unsigned vowels_of(const char* text) {
    unsigned vowels = 0;
    for (; *text != 0; ++text) vowels += *text == 'a' || *text == 'e' || *text == 'i';
    return vowels;
}

NOINLINE static unsigned measure(const char* const* words, unsigned round) {
    unsigned sum = round;
    for (int i = 0; i < 6; ++i) {
        sum += hash_of(words[i]) ^ sum;
        sum += length_of(words[i]) * vowels_of(words[i]);
    }
    return sum;
}

int main() {
    const char* words[] = {"instruction", "inclusive", "arc", "caller", "callee", "subposition"};
    unsigned sum = 0;
    for (unsigned i = 0; i < 400; ++i) {
        words[i % 6] += i % 71 == 70 ? 1 : 0;
        sum += measure(words, i);
    }
    std::printf("%u\n", sum);
}
