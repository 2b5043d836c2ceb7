#include "library.h"

#include <dlfcn.h>
#include <pthread.h>

static ctpm2_library library;
static bool loaded;

static bool find(void *object, const char *name, void *function) {
    // ISO C does not allow converting an object pointer to a function pointer, but POSIX requires this
    // conversion to work for `dlsym`. Assigning through `void **` avoids a compiler warning.
    void *found = object == NULL ? NULL : dlsym(object, name);
    *(void **)function = found;
    return found != NULL;
}

static void load(void) {
    void *loader = dlopen("libtss2-tctildr.so.0", RTLD_NOW | RTLD_LOCAL);
    void *esys = dlopen("libtss2-esys.so.0", RTLD_NOW | RTLD_LOCAL);
    loaded = find(loader, "Tss2_TctiLdr_Initialize", &library.connect)
        && find(loader, "Tss2_TctiLdr_Finalize", &library.disconnect)
        && find(esys, "Esys_Initialize", &library.initialize)
        && find(esys, "Esys_Finalize", &library.finalize)
        && find(esys, "Esys_CreatePrimary", &library.create_primary)
        && find(esys, "Esys_FlushContext", &library.flush) && find(esys, "Esys_Hash", &library.hash)
        && find(esys, "Esys_Sign", &library.sign) && find(esys, "Esys_Quote", &library.quote)
        && find(esys, "Esys_Free", &library.free);
}

const ctpm2_library *ctpm2_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return loaded ? &library : NULL;
}
