#define _GNU_SOURCE
#include "memory_file.h"

#include <sys/mman.h>

int clinux_open_memory_file(void) { return memfd_create("input", MFD_CLOEXEC); }
