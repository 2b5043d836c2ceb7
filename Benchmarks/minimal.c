// The limit: what a notifier costs that keeps nothing, survives nothing and knows nothing.
// minimal URL: reads the event stream with libcurl and shows each message with libnotify.
#include <curl/curl.h>
#include <libnotify/notify.h>
#include <stdio.h>
#include <string.h>

static const int hour = 3600 * 1000;  // in milliseconds

static GString *line;
static NotifyNotification *popup;

// The text between `key` and the next quotation mark; the bench's texts have no escapes.
static char *field(const char *json, const char *key) {
    const char *start = strstr(json, key);
    if (start == NULL) return g_strdup("");
    start += strlen(key);
    return g_strndup(start, strcspn(start, "\""));
}

static void show(const char *event) {
    char *summary = field(event, "\"sender_name\":\"");
    char *body = field(event, "\"message\":\"");
    if (popup == NULL) popup = notify_notification_new(summary, body, NULL);
    notify_notification_update(popup, summary, body, NULL);
    notify_notification_show(popup, NULL);
    g_free(summary);
    g_free(body);
}

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    for (size_t index = 0; index < size * count; index++) {
        if (bytes[index] != '\n') {
            g_string_append_c(line, bytes[index]);
            continue;
        }
        if (g_str_has_prefix(line->str, "data: ")) show(line->str + strlen("data: "));
        g_string_truncate(line, 0);
    }
    return size * count;
}

int main(int count, char **arguments) {
    if (count != 2 || !notify_init("minimal")) return 64;
    line = g_string_new(NULL);
    CURL *request = curl_easy_init();
    curl_easy_setopt(request, CURLOPT_URL, arguments[1]);
    curl_easy_setopt(request, CURLOPT_WRITEFUNCTION, take);
    // Not curl_easy_perform, which wakes once a second.
    CURLM *loop = curl_multi_init();
    curl_multi_add_handle(loop, request);
    for (int running = 1; running > 0;) {
        curl_multi_perform(loop, &running);
        if (running > 0) curl_multi_poll(loop, NULL, 0, hour, NULL);
    }
    return 0;
}
