/* Preloaded into a program: its clock shows what CLOCK=SECONDS:STEP says, each time STEP seconds later, or earlier. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_long seconds;
static long step;

__attribute__((constructor)) static void begin(void) {
    const char* clock = getenv("CLOCK");
    long first = 0;
    if (clock == NULL || sscanf(clock, "%ld:%ld", &first, &step) != 2) abort();
    atomic_store(&seconds, first);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return (int)syscall(SYS_clock_gettime, clock, now);
    *now = (struct timespec){.tv_sec = atomic_fetch_add(&seconds, step), .tv_nsec = 999999999};
    return 0;
}

time_t time(time_t* result) {
    const time_t now = atomic_fetch_add(&seconds, step);
    if (result != NULL) *result = now;
    return now;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
    (void)zone;
    *now = (struct timeval){.tv_sec = atomic_fetch_add(&seconds, step), .tv_usec = 999999};
    return 0;
}
