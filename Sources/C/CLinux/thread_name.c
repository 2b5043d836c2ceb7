#define _GNU_SOURCE
#include "thread_name.h"

#include <pthread.h>
#include <stdio.h>

void clinux_name_this_thread(const char *name) {
    char kept[16];
    snprintf(kept, sizeof kept, "%s", name);
    pthread_setname_np(pthread_self(), kept);
}
