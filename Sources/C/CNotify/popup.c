#include "popup.h"

#include "bus.h"
#include "failure.h"
#include "library.h"

struct cnotify_popup {
    NotifyNotification *notification;
};

static uint32_t id_of(NotifyNotification *notification) {
    gint id = 0;
    g_object_get(notification, "id", &id, NULL);
    return (uint32_t)id;
}

// Does nothing. libnotify requires a callback for each action, but `cnotify_signals` reports clicks.
static void on_action(NotifyNotification *notification, char *action, gpointer data) {
    (void)notification, (void)action, (void)data;
}

cnotify_popup *cnotify_popup_new(
    const char *summary, const char *body, const char *icon, uint32_t replaced) {
    cnotify_popup *popup = g_new0(cnotify_popup, 1);
    popup->notification = libnotify.notification_new(summary, body, icon);
    if (replaced <= INT32_MAX) g_object_set(popup->notification, "id", (gint)replaced, NULL);
    return popup;
}

void cnotify_popup_set_texts(cnotify_popup *popup, const char *summary, const char *body, const char *icon) {
    libnotify.update(popup->notification, summary, body, icon);
}

void cnotify_popup_free(cnotify_popup *popup) {
    g_object_unref(popup->notification);
    g_free(popup);
}

void cnotify_popup_set_urgency(cnotify_popup *popup, int urgency) {
    libnotify.set_urgency(popup->notification, (NotifyUrgency)urgency);
}

void cnotify_popup_set_timeout(cnotify_popup *popup, int milliseconds) {
    libnotify.set_timeout(popup->notification, milliseconds);
}

void cnotify_popup_set_text_hint(cnotify_popup *popup, const char *name, const char *value) {
    libnotify.set_hint(popup->notification, name, g_variant_new_string(value));
}

void cnotify_popup_set_flag_hint(cnotify_popup *popup, const char *name) {
    libnotify.set_hint(popup->notification, name, g_variant_new_boolean(TRUE));
}

void cnotify_popup_remove_hint(cnotify_popup *popup, const char *name) {
    libnotify.set_hint(popup->notification, name, NULL);
}

void cnotify_popup_remove_actions(cnotify_popup *popup) {
    libnotify.clear_actions(popup->notification);
}

void cnotify_popup_add_action(cnotify_popup *popup, const char *action, const char *label) {
    libnotify.add_action(popup->notification, action, label, on_action, NULL, NULL);
}

uint32_t cnotify_popup_show(cnotify_popup *popup, cnotify_failure *failure) {
    if (!cnotify_bus_is_open(failure)) return 0;
    GError *error = NULL;
    if (!libnotify.show(popup->notification, &error)) {
        cnotify_fail_with(failure, error);
        return 0;
    }
    uint32_t id = id_of(popup->notification);
    if (id == 0) cnotify_fail(failure, CNOTIFY_REFUSED, "the notification server gave no id");
    return id;
}

bool cnotify_popup_close(cnotify_popup *popup, cnotify_failure *failure) {
    if (!cnotify_bus_is_open(failure)) return false;
    GError *error = NULL;
    return libnotify.close(popup->notification, &error) || cnotify_fail_with(failure, error);
}

bool cnotify_is_local_file(const char *path) {
    return g_path_is_absolute(path) && g_file_test(path, G_FILE_TEST_IS_REGULAR);
}
