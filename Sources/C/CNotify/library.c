#include "library.h"

#include "server.h"

#include <dlfcn.h>
#include <pthread.h>

cnotify_library libnotify;

static bool find(void *object, const char *name, void *function) {
    // ISO C does not allow converting an object pointer to a function pointer, but POSIX requires this
    // conversion to work for `dlsym`. Assigning through `void **` avoids a compiler warning.
    void *found = object == NULL ? NULL : dlsym(object, name);
    *(void **)function = found;
    return found != NULL;
}

static bool is_loaded;

static void load(void) {
    void *object = dlopen("libnotify.so.4", RTLD_NOW | RTLD_LOCAL);
    is_loaded = find(object, "notify_init", &libnotify.init)
        && find(object, "notify_uninit", &libnotify.uninit)
        && find(object, "notify_get_server_caps", &libnotify.get_server_caps)
        && find(object, "notify_get_server_info", &libnotify.get_server_info)
        && find(object, "notify_notification_new", &libnotify.notification_new)
        && find(object, "notify_notification_update", &libnotify.update)
        && find(object, "notify_notification_show", &libnotify.show)
        && find(object, "notify_notification_close", &libnotify.close)
        && find(object, "notify_notification_set_urgency", &libnotify.set_urgency)
        && find(object, "notify_notification_set_timeout", &libnotify.set_timeout)
        && find(object, "notify_notification_set_hint", &libnotify.set_hint)
        && find(object, "notify_notification_add_action", &libnotify.add_action)
        && find(object, "notify_notification_clear_actions", &libnotify.clear_actions);
}

bool cnotify_is_installed(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
