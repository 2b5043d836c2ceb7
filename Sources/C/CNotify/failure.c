#include "failure.h"

#include <gio/gio.h>
#include <string.h>

bool cnotify_fail(cnotify_failure *failure, cnotify_outcome outcome, const char *text) {
    failure->outcome = outcome;
    g_strlcpy(failure->text, text, sizeof failure->text);
    const char *end;
    // Remove an incomplete character at the end, where g_strlcpy may have truncated the text.
    if (!g_utf8_validate(failure->text, -1, &end)) failure->text[end - failure->text] = '\0';
    return false;
}

// Compares the domain by name, because the macros G_IO_ERROR and G_DBUS_ERROR call functions of GIO, and this
// module is not linked to GIO.
static bool is_of(const GError *error, const char *domain) {
    return strcmp(g_quark_to_string(error->domain), domain) == 0;
}

static cnotify_outcome outcome_of(const GError *error) {
    if (is_of(error, "g-io-error-quark")) {
        switch (error->code) {
            case G_IO_ERROR_TIMED_OUT: return CNOTIFY_TIMED_OUT;
            case G_IO_ERROR_DBUS_ERROR: return CNOTIFY_REFUSED;  // an error that the server defined
            default: return CNOTIFY_NO_BUS;
        }
    }
    if (!is_of(error, "g-dbus-error-quark")) return CNOTIFY_REFUSED;
    switch (error->code) {
        case G_DBUS_ERROR_NO_SERVER:
        case G_DBUS_ERROR_DISCONNECTED: return CNOTIFY_NO_BUS;
        case G_DBUS_ERROR_SERVICE_UNKNOWN:
        case G_DBUS_ERROR_NAME_HAS_NO_OWNER:
        case G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND: return CNOTIFY_NO_SERVER;
        case G_DBUS_ERROR_NO_REPLY:  // the server exited without a reply; for a timeout, see TIMED_OUT
        case G_DBUS_ERROR_SPAWN_EXEC_FAILED:
        case G_DBUS_ERROR_SPAWN_FORK_FAILED:
        case G_DBUS_ERROR_SPAWN_CHILD_EXITED:
        case G_DBUS_ERROR_SPAWN_CHILD_SIGNALED:
        case G_DBUS_ERROR_SPAWN_FAILED: return CNOTIFY_SERVER_EXITED;
        case G_DBUS_ERROR_TIMEOUT:
        case G_DBUS_ERROR_TIMED_OUT: return CNOTIFY_TIMED_OUT;
        default: return CNOTIFY_REFUSED;
    }
}

// Returns the error message without the prefixes that GLib adds: "GDBus.Error:org.example.Error.Name: " and
// "Error calling StartServiceByName for org.example.Name: ".
static const char *text_of(const GError *error) {
    const char *text = error->message;
    if (!g_str_has_prefix(text, "GDBus.Error:") && !g_str_has_prefix(text, "Error calling ")) return text;
    const char *end = strstr(text, ": ");
    return end == NULL ? text : end + 2;
}

bool cnotify_fail_with(cnotify_failure *failure, GError *error) {
    cnotify_fail(failure, outcome_of(error), text_of(error));
    g_error_free(error);
    return false;
}
