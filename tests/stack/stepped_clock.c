/* The time of day, moved: who preloads this reads it that many seconds later as the file $STEPPED_CLOCK says, eight
   bytes that may change while processes run. Every other clock, and how long something takes, stays true. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t unmoved = 0;
static const volatile int64_t *step = &unmoved;
static int (*true_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void read_steps(void) {
    const char *path = getenv("STEPPED_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *mapped = mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (mapped != MAP_FAILED)
        step = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!true_clock) /* two threads find the same */
        true_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = true_clock(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *step;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec moved;
    int failed = clock_gettime(CLOCK_REALTIME, &moved);
    if (!failed)
        *now = (struct timeval){.tv_sec = moved.tv_sec, .tv_usec = moved.tv_nsec / 1000};
    return failed;
}

time_t time(time_t *told) {
    struct timespec moved;
    clock_gettime(CLOCK_REALTIME, &moved);
    if (told)
        *told = moved.tv_sec;
    return moved.tv_sec;
}
