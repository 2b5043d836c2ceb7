#include "failure.h"

bool cnotify_fail(cnotify_failure *failure, cnotify_outcome outcome, const char *text) {
    failure->outcome = outcome;
    g_strlcpy(failure->text, text, sizeof failure->text);
    const char *end;
    // The last character may have been cut in two.
    if (!g_utf8_validate(failure->text, -1, &end)) failure->text[end - failure->text] = '\0';
    return false;
}

static cnotify_outcome outcome_of(const GError *error) {
    if (error->domain == G_IO_ERROR) {
        switch (error->code) {
            case G_IO_ERROR_TIMED_OUT: return CNOTIFY_TIMED_OUT;
            case G_IO_ERROR_DBUS_ERROR: return CNOTIFY_REFUSED;  // an error that only the server knows
            default: return CNOTIFY_NO_BUS;
        }
    }
    if (error->domain != G_DBUS_ERROR) return CNOTIFY_REFUSED;
    switch (error->code) {
        case G_DBUS_ERROR_NO_SERVER:
        case G_DBUS_ERROR_DISCONNECTED: return CNOTIFY_NO_BUS;
        case G_DBUS_ERROR_SERVICE_UNKNOWN:
        case G_DBUS_ERROR_NAME_HAS_NO_OWNER:
        case G_DBUS_ERROR_NO_REPLY:  // it went away before it answered; our own limit is TIMED_OUT above
        case G_DBUS_ERROR_SPAWN_EXEC_FAILED:
        case G_DBUS_ERROR_SPAWN_FORK_FAILED:
        case G_DBUS_ERROR_SPAWN_CHILD_EXITED:
        case G_DBUS_ERROR_SPAWN_CHILD_SIGNALED:
        case G_DBUS_ERROR_SPAWN_FAILED:
        case G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND: return CNOTIFY_NO_SERVER;
        case G_DBUS_ERROR_TIMEOUT:
        case G_DBUS_ERROR_TIMED_OUT: return CNOTIFY_TIMED_OUT;
        default: return CNOTIFY_REFUSED;
    }
}

bool cnotify_fail_with(cnotify_failure *failure, GError *error) {
    cnotify_outcome outcome = outcome_of(error);
    g_dbus_error_strip_remote_error(error);
    cnotify_fail(failure, outcome, error->message);
    g_error_free(error);
    return false;
}

bool cnotify_bus_is_alive(cnotify_failure *failure) {
    GError *error = NULL;
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &error);
    if (bus == NULL) {
        cnotify_fail_with(failure, error);
        failure->outcome = CNOTIFY_NO_BUS;
        return false;
    }
    // GDBus raises SIGTERM when the session bus closes, unless told not to.
    g_dbus_connection_set_exit_on_close(bus, FALSE);
    bool alive = !g_dbus_connection_is_closed(bus);
    g_object_unref(bus);
    return alive || cnotify_fail(failure, CNOTIFY_NO_BUS, "the session bus has closed the connection");
}
