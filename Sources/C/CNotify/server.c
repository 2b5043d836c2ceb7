#include "server.h"

#include "bus.h"
#include "failure.h"
#include "library.h"

#include <stdlib.h>

// The timeout of a libnotify call in microseconds. A call that took longer counts as timed out: GDBus aborts
// a call after 25 s, but libnotify does not report that error.
static const gint64 answer_timeout = 20 * G_USEC_PER_SEC;

static char *application_name;
// Whether the last query succeeded, so that libnotify has a proxy of the server.
static bool is_known;

// Discards the log messages of libnotify about a missing bus, because the caller receives the error in
// `failure`.
static void discard(const char *domain, GLogLevelFlags level, const char *message, gpointer data) {
    (void)domain, (void)level, (void)message, (void)data;
}

void cnotify_start(const char *application) {
    if (application_name != NULL || !cnotify_is_installed()) return;
    application_name = g_strdup(application);
    g_log_set_handler("libnotify", G_LOG_LEVEL_WARNING, discard, NULL);
    libnotify.init(application_name);
}

void cnotify_reset(void) {
    if (application_name == NULL) return;
    libnotify.uninit();
    is_known = false;
    cnotify_forget_owner();
    // Dispatch pending events, because they keep references to the connection, which must be freed.
    while (g_main_context_iteration(g_main_context_get_thread_default(), FALSE)) continue;
    libnotify.init(application_name);
}

static char *joined_capabilities(void) {
    GList *list = libnotify.get_server_caps();
    GString *joined = g_string_new(NULL);
    for (GList *each = list; each != NULL; each = each->next) {
        if (joined->len > 0) g_string_append_c(joined, '\n');
        g_string_append(joined, each->data);
    }
    g_list_free_full(list, g_free);
    return g_string_free(joined, FALSE);
}

// Returns whether a server responds. Stores any error in `failure`. Closes the notification 0, which never
// exists: closing is the only libnotify call that reports errors without showing a notification.
static bool has_server(cnotify_failure *failure) {
    // Never released, because releasing a notification makes libnotify connect to the server again.
    static NotifyNotification *none;
    if (none == NULL) none = libnotify.notification_new(" ", NULL, NULL);
    GError *error = NULL;
    bool is_closed = libnotify.close(none, &error);
    if (!is_closed) cnotify_fail_with(failure, error);
    return is_closed || failure->outcome == CNOTIFY_REFUSED;
}

static bool describe(cnotify_server *server, cnotify_failure *failure) {
    // Call `has_server` first, because each call after a failed call makes the bus start a server again that
    // exits at once, and `get_server_info` does not report the error.
    if (!is_known && !has_server(failure)) return false;
    gint64 asked = g_get_monotonic_time();
    if (libnotify.get_server_info(&server->name, &server->vendor, &server->version, &server->specification)) {
        // If the specification version is less than 1, some versions of libnotify abort the program when a
        // notification is shown.
        return atoi(server->specification) >= 1
            || cnotify_fail(
                   failure, CNOTIFY_NO_SERVER, "the notification server reports no specification version");
    }
    if (g_get_monotonic_time() - asked > answer_timeout)
        return cnotify_fail(failure, CNOTIFY_TIMED_OUT, "the notification server does not answer");
    if (!has_server(failure)) return false;
    // If the server does not respond to GetServerInformation, libnotify creates no proxy, so all later calls
    // would fail.
    server->is_usable = failure->outcome != CNOTIFY_REFUSED;
    server->problem = g_strconcat(
        "GetServerInformation failed", server->is_usable ? "" : ": ", failure->text, NULL);
    return true;
}

bool cnotify_server_query(cnotify_server *server, cnotify_failure *failure) {
    *server = (cnotify_server){.is_usable = true};
    *failure = (cnotify_failure){0};
    if (application_name == NULL)
        return cnotify_fail(failure, CNOTIFY_NO_LIBRARY, "libnotify is not installed");
    if (!cnotify_bus_is_open(failure)) return false;
    bool is_described = describe(server, failure);
    is_known = is_described && server->problem == NULL;
    cnotify_watch_bus();
    if (!is_described) {
        cnotify_server_free(server);
        return false;
    }
    server->capabilities = joined_capabilities();
    if (server->problem == NULL && server->capabilities[0] == '\0')
        server->problem = g_strdup("GetCapabilities failed or lists nothing");
    return true;
}

void cnotify_server_free(cnotify_server *server) {
    g_free(server->name);
    g_free(server->vendor);
    g_free(server->version);
    g_free(server->specification);
    g_free(server->capabilities);
    g_free(server->problem);
    *server = (cnotify_server){0};
}
