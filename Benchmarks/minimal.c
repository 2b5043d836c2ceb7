// The minimal notifier, a lower bound for the benchmarks. The program reads the event stream with libcurl and
// shows each message with libnotify, but stores nothing and does not recover from errors. Usage: minimal URL
#include <libnotify/notify.h>

#include "stream.h"

static NotifyNotification *popup;

static void show(const char *event) {
    char *summary = stream_field(event, "\"sender_name\":\"");
    char *body = stream_field(event, "\"message\":\"");
    if (popup == NULL) popup = notify_notification_new(summary, body, NULL);
    notify_notification_update(popup, summary, body, NULL);
    notify_notification_show(popup, NULL);
    g_free(summary);
    g_free(body);
}

int main(int count, char **arguments) {
    if (count != 2 || !notify_init("minimal")) return 64;
    stream_read(arguments[1], show);
    return 0;
}
