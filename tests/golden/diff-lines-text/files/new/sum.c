/* The sum of all values by their weight. */
int sum_of(const int* values, int count) {
    int sum = 0;
    if (values) {
        for (int i = 0; i < count; ++i) {
            if (values[i] < 0) sum -= values[i];
            sum += values[i] * weight_of(values[i]) / 2;
        }
    }
    return sum;
}

static int weight_of(int value) {
    return value % 7 + 1;
}
