#include "signals.h"

#include "bus.h"

#include <string.h>

struct cnotify_signals {
    cnotify_listener listener;
    guint signal;
    gulong hook;
    guint32 token_id;
    char *token;  // the activation token for the next action; NULL if the server sent no token
};

static void report_action(cnotify_signals *signals, guint32 id, const char *action) {
    char *token = g_steal_pointer(&signals->token);
    bool is_for_this = signals->token_id == id;
    signals->listener.acted(signals->listener.context, id, action, is_for_this ? token : NULL);
    g_free(token);
}

static void report_reply(cnotify_signals *signals, const char *name, GVariant *parameters) {
    guint32 id;
    gsize size;
    g_variant_get_child(parameters, 0, "u", &id);
    GVariant *child = g_variant_get_child_value(parameters, 1);
    const char *text = g_variant_get_string(child, &size);
    if (strcmp(name, "ActionInvoked") == 0) {
        report_action(signals, id, text);
    } else if (strcmp(name, "NotificationReplied") == 0) {
        signals->listener.replied(signals->listener.context, id, text, size);
    } else if (strcmp(name, "ActivationToken") == 0) {
        g_free(signals->token);
        signals->token = g_strdup(text);
        signals->token_id = id;
    }
    g_variant_unref(child);
}

static void report_closed(cnotify_signals *signals, const char *name, GVariant *parameters) {
    if (strcmp(name, "NotificationClosed") != 0) return;
    guint32 id, reason;
    g_variant_get_child(parameters, 0, "u", &id);
    g_variant_get_child(parameters, 1, "u", &reason);
    signals->listener.closed(signals->listener.context, id, reason);
}

// Checks the interface, because other libraries in this process may have proxies for other interfaces.
static bool is_for_notifications(GObject *proxy) {
    char *interface = NULL;
    g_object_get(proxy, "g-interface-name", &interface, NULL);
    bool matches = g_strcmp0(interface, "org.freedesktop.Notifications") == 0;
    g_free(interface);
    return matches;
}

// Handles the GObject signal `g-signal`. `values` contains its arguments: the proxy, the sender, the name and
// the parameters.
static gboolean on_signal(
    GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
    (void)hint, (void)count;
    GObject *proxy = g_value_get_object(&values[0]);
    // Check the sender: any program on the bus could send this signal, and the daemon would send the text in
    // the signal as a reply from the user.
    if (!is_for_notifications(proxy) || !cnotify_is_owner(proxy, g_value_get_string(&values[1])))
        return TRUE;
    const char *name = g_value_get_string(&values[2]);
    GVariant *parameters = g_value_get_variant(&values[3]);
    if (g_variant_is_of_type(parameters, G_VARIANT_TYPE("(us)"))) report_reply(data, name, parameters);
    if (g_variant_is_of_type(parameters, G_VARIANT_TYPE("(uu)"))) report_closed(data, name, parameters);
    return TRUE;
}

cnotify_signals *cnotify_signals_new(cnotify_listener listener) {
    GType type = g_type_from_name("GDBusProxy");
    if (type == 0 || g_type_class_peek(type) == NULL) return NULL;
    cnotify_signals *signals = g_new0(cnotify_signals, 1);
    signals->listener = listener;
    signals->signal = g_signal_lookup("g-signal", type);
    signals->hook = g_signal_add_emission_hook(signals->signal, 0, on_signal, signals, NULL);
    return signals;
}

void cnotify_signals_free(cnotify_signals *signals) {
    g_signal_remove_emission_hook(signals->signal, signals->hook);
    g_free(signals->token);
    g_free(signals);
}
