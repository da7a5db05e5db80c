#include <unistd.h>
#include "inl.h"
volatile int sum;
void leave(void) { sum = (int)mix(sum, 3); _exit(0); }
int main(void) { leave(); return 0; }
