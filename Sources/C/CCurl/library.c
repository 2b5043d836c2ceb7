#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static bool is_loaded;

static void load(void) {
    is_loaded = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL) != NULL;
}

static bool loaded(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

CURLcode ccurl_global_init(long flags) {
    return loaded() ? curl_global_init(flags) : CURLE_FAILED_INIT;
}

CURL *ccurl_easy_init(void) { return loaded() ? curl_easy_init() : NULL; }

CURLM *ccurl_multi_init(void) { return loaded() ? curl_multi_init() : NULL; }

CURLU *ccurl_url(void) { return loaded() ? curl_url() : NULL; }
