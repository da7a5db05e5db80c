#include <unistd.h>
void leave(void) { _exit(0); }
int main(void) { leave(); return 0; }
