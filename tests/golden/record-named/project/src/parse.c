void parse(void) {
    work();
}
