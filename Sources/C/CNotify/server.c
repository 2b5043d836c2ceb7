#include "server.h"

#include "failure.h"
#include "owner.h"

#include <libnotify/notify.h>
#include <stdlib.h>

// GDBus gives up on a call after 25 s; libnotify hides which error it was.
static const gint64 answer_timeout = 20 * G_USEC_PER_SEC;

static char *application_name;

void cnotify_start(const char *application) {
    if (application_name != NULL) return;
    application_name = g_strdup(application);
    notify_init(application_name);
}

void cnotify_reset(void) {
    cnotify_unwatch_owner();
    notify_uninit();
    notify_init(application_name);
}

static char *joined_capabilities(void) {
    GList *list = notify_get_server_caps();
    GString *joined = g_string_new(NULL);
    for (GList *each = list; each != NULL; each = each->next) {
        if (joined->len > 0) g_string_append_c(joined, '\n');
        g_string_append(joined, each->data);
    }
    g_list_free_full(list, g_free);
    return g_string_free(joined, FALSE);
}

bool cnotify_server_ask(cnotify_server *server, cnotify_failure *failure) {
    if (!cnotify_bus_is_alive(failure)) return false;
    cnotify_watch_owner();
    gint64 asked = g_get_monotonic_time();
    *server = (cnotify_server){0};
    if (!notify_get_server_info(&server->name, &server->vendor, &server->version, &server->specification)) {
        bool late = g_get_monotonic_time() - asked > answer_timeout;
        return cnotify_fail(
            failure, late ? CNOTIFY_TIMED_OUT : CNOTIFY_NO_SERVER,
            late ? "the notification server does not answer" : "no notification server answers");
    }
    // Newer libnotify asserts, when it shows something, that the server has told a version of 1 or more.
    if (atoi(server->specification) < 1) {
        cnotify_server_free(server);
        return cnotify_fail(failure, CNOTIFY_NO_SERVER, "what answers tells no specification version");
    }
    server->capabilities = joined_capabilities();
    return true;
}

void cnotify_server_free(cnotify_server *server) {
    g_free(server->name);
    g_free(server->vendor);
    g_free(server->version);
    g_free(server->specification);
    g_free(server->capabilities);
    *server = (cnotify_server){0};
}
