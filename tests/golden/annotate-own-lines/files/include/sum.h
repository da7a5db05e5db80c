static int sum(int n) {
    return n * n;
}
