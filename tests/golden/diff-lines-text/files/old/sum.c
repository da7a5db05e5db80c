static int weight_of(int value) {
    return value % 7 + 1;
}

int sum_of(const int* values, int count) {
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        if (values[i] < 0) sum -= values[i];
        sum += values[i] * weight_of(values[i]);
    }
    return sum;
}
