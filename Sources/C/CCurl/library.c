/// What is called of libcurl. It is loaded with the first call: with the thirty libraries it brings, it would
/// take half the time of `cutied ctl`, which calls nothing of it.
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>

// Seen from outside, these names would take the place of libcurl's own within libcurl.
#pragma GCC visibility push(hidden)
#include "url.h"
// Macros in the header.
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

#define FUNCTIONS(F) \
    F(curl_easy_cleanup) F(curl_easy_getinfo) F(curl_easy_init) F(curl_easy_pause) F(curl_easy_setopt) \
    F(curl_easy_strerror) F(curl_free) F(curl_global_init) F(curl_multi_add_handle) F(curl_multi_cleanup) \
    F(curl_multi_info_read) F(curl_multi_init) F(curl_multi_remove_handle) F(curl_multi_setopt) \
    F(curl_multi_socket_action) F(curl_slist_append) F(curl_slist_free_all) F(curl_url) F(curl_url_cleanup) \
    F(curl_url_get) F(curl_url_set)

#define MEMBER(name) __typeof__(name) *name;
// POSIX lets a function be found as data only.
#define FIND(name) &&(*(void **)&library.name = dlsym(object, #name))

static struct { FUNCTIONS(MEMBER) } library;
static bool is_loaded;

static void load(void) {
    void *object = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    is_loaded = object FUNCTIONS(FIND);
}

static bool loaded(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

// Where all begins, and ends where there is no libcurl.

CURLcode curl_global_init(long flags) {
    return loaded() ? library.curl_global_init(flags) : CURLE_FAILED_INIT;
}

CURL *curl_easy_init(void) { return loaded() ? library.curl_easy_init() : NULL; }

CURLM *curl_multi_init(void) { return loaded() ? library.curl_multi_init() : NULL; }

CURLU *curl_url(void) { return loaded() ? library.curl_url() : NULL; }

// Each of these is given what one of those made.

void curl_easy_cleanup(CURL *easy) { library.curl_easy_cleanup(easy); }

CURLcode curl_easy_pause(CURL *easy, int mask) { return library.curl_easy_pause(easy, mask); }

const char *curl_easy_strerror(CURLcode code) { return library.curl_easy_strerror(code); }

void curl_free(void *text) { library.curl_free(text); }

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) { return library.curl_multi_add_handle(multi, easy); }

CURLMcode curl_multi_cleanup(CURLM *multi) { return library.curl_multi_cleanup(multi); }

CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { return library.curl_multi_info_read(multi, left); }

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) {
    return library.curl_multi_remove_handle(multi, easy);
}

CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
    return library.curl_multi_socket_action(multi, socket, events, running);
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line) {
    return library.curl_slist_append(list, line);
}

void curl_slist_free_all(struct curl_slist *list) { library.curl_slist_free_all(list); }

void curl_url_cleanup(CURLU *url) { library.curl_url_cleanup(url); }

CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return library.curl_url_set(url, part, text, flags);
}

// Its declaration differs from one release to the next.
char *ccurl_url_part(CURLU *url, CURLUPart part, unsigned int flags) {
    char *text = NULL;
    return library.curl_url_get(url, part, &text, flags) == CURLUE_OK ? text : NULL;
}

// As wide as a pointer for every option that is used here.
#define NEXT_ARGUMENT(last) \
    ({ \
        va_list arguments; \
        va_start(arguments, last); \
        void *next = va_arg(arguments, void *); \
        va_end(arguments); \
        next; \
    })

CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...) {
    return library.curl_easy_getinfo(easy, info, NEXT_ARGUMENT(info));
}

CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...) {
    return library.curl_easy_setopt(easy, option, NEXT_ARGUMENT(option));
}

CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) {
    return library.curl_multi_setopt(multi, option, NEXT_ARGUMENT(option));
}
