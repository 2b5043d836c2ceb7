#define _GNU_SOURCE
#include "memory.h"

#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

void clinux_share_heap(void) {
    mallopt(M_ARENA_MAX, 1);
}

void clinux_trim_heap(void) {
    malloc_trim(0);
}

/// Returns whether an object has relocations in its code. Such code differs from the file, and would be read
/// again without its relocations.
static bool has_relocated_code(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL))
                return true;
    }
    return false;
}

static int release(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    if (has_relocated_code(object)) return 0;
    const uintptr_t page = sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr, first = start & -page;
        madvise((void *)first, start + segment->p_memsz - first, MADV_DONTNEED);
    }
    return 0;
}

void clinux_release_code(void) {
    dl_iterate_phdr(release, NULL);
}
