int main(void) {
	chop();
	return main();
}
