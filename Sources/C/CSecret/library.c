#include "library.h"

#include <dlfcn.h>
#include <pthread.h>

csecret_library libsecret;

static bool find(void *object, const char *name, void *function) {
    // ISO C does not allow converting an object pointer to a function pointer, but POSIX requires this
    // conversion to work for `dlsym`. Assigning through `void **` avoids a compiler warning.
    void *found = object == NULL ? NULL : dlsym(object, name);
    *(void **)function = found;
    return found != NULL;
}

static bool is_loaded;

static void load(void) {
    void *object = dlopen("libsecret-1.so.0", RTLD_NOW | RTLD_LOCAL);
    is_loaded = find(object, "secret_attributes_build", &libsecret.attributes_build)
        && find(object, "secret_collection_for_alias_sync", &libsecret.collection_for_alias_sync)
        && find(object, "secret_collection_get_locked", &libsecret.collection_get_locked)
        && find(object, "secret_error_get_quark", &libsecret.error_get_quark)
        && find(object, "secret_item_delete_sync", &libsecret.item_delete_sync)
        && find(object, "secret_item_get_locked", &libsecret.item_get_locked)
        && find(object, "secret_item_get_secret", &libsecret.item_get_secret)
        && find(object, "secret_service_get_type", &libsecret.service_get_type)
        && find(object, "secret_service_open_sync", &libsecret.service_open_sync)
        && find(object, "secret_service_search_sync", &libsecret.service_search_sync)
        && find(object, "secret_service_store_sync", &libsecret.service_store_sync)
        && find(object, "secret_service_unlock_sync", &libsecret.service_unlock_sync)
        && find(object, "secret_value_get", &libsecret.value_get)
        && find(object, "secret_value_new", &libsecret.value_new)
        && find(object, "secret_value_unref", &libsecret.value_unref);
}

bool csecret_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
