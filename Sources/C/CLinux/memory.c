#include "memory.h"

#include <malloc.h>

void clinux_share_heap(void) {
    mallopt(M_ARENA_MAX, 1);
}

void clinux_trim_heap(void) {
    malloc_trim(0);
}
