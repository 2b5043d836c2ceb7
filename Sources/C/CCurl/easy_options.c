#include "easy_options.h"

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, curl_write_callback receiver) {
    return curl_easy_setopt(easy, option, receiver);
}

CURLcode ccurl_set_socket_opener(CURL *easy, curl_opensocket_callback opener) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, opener);
}

CURLcode ccurl_set_header_fields(CURL *easy, struct curl_slist *fields) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}

CURLcode ccurl_set_body(CURL *easy, const void *body, size_t count) {
    // Set the size first. Without the size, COPYPOSTFIELDS copies only the bytes before the first NUL.
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, count ? body : "");
}

CURLcode ccurl_set_key(CURL *easy, uint64_t key) {
    return curl_easy_setopt(easy, CURLOPT_PRIVATE, (void *)(uintptr_t)key);
}

uint64_t ccurl_get_key(CURL *easy) {
    char *key = NULL;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &key);
    return (uint64_t)(uintptr_t)key;
}

long ccurl_get_long(CURL *easy, CURLINFO info) {
    long answer = 0;
    return curl_easy_getinfo(easy, info, &answer) == CURLE_OK ? answer : 0;
}
