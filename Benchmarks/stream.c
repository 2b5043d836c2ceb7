#include "stream.h"

#include <curl/curl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

static const int hour = 3600 * 1000;  // in milliseconds

static GString *line;
static void (*take_event)(const char *json);

char *stream_field(const char *json, const char *key) {
    const char *start = strstr(json, key);
    if (start == NULL) return g_strdup("");
    start += strlen(key);
    return g_strndup(start, strcspn(start, "\""));
}

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    for (size_t index = 0; index < size * count; index++) {
        if (bytes[index] != '\n') {
            g_string_append_c(line, bytes[index]);
            continue;
        }
        if (g_str_has_prefix(line->str, "data: ")) take_event(line->str + strlen("data: "));
        g_string_truncate(line, 0);
    }
    return size * count;
}

void stream_read(const char *url, void (*event)(const char *json)) {
    line = g_string_new(NULL);
    take_event = event;
    CURL *request = curl_easy_init();
    curl_easy_setopt(request, CURLOPT_URL, url);
    curl_easy_setopt(request, CURLOPT_WRITEFUNCTION, take);
    // The curl program reads this variable; libcurl does not.
    if (getenv("CURL_CA_BUNDLE")) curl_easy_setopt(request, CURLOPT_CAINFO, getenv("CURL_CA_BUNDLE"));
    // The multi interface is used because curl_easy_perform would wake up once per second.
    CURLM *loop = curl_multi_init();
    curl_multi_add_handle(loop, request);
    for (int running = 1; running > 0;) {
        curl_multi_perform(loop, &running);
        if (running > 0) curl_multi_poll(loop, NULL, 0, hour, NULL);
    }
}
