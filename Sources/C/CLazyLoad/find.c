#include "lazy_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

// Threads may run this concurrently: both find the same address.
void *lazy_load_find(lazy_load_function *function) {
    void *library = dlopen(function->library, RTLD_NOW | RTLD_LOCAL);
    void *address = library == NULL ? NULL : dlsym(library, function->name);
    if (address == NULL) {
        fprintf(stderr, "%s; install or update the package that brings it\n", dlerror());
        _exit(127);
    }
    __atomic_store_n(&function->address, address, __ATOMIC_RELEASE);
    return address;
}
