int stock;
void buy(void) {
    stock++;
}

void sell(void) {
    stock--;
}
