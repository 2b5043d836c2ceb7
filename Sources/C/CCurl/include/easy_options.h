/// Typed wrappers for curl_easy_setopt and curl_easy_getinfo, which Swift cannot call because they are
/// variadic.
#ifndef CCURL_EASY_OPTIONS_H
#define CCURL_EASY_OPTIONS_H

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);

/// Sets a string option. libcurl copies `value`; NULL resets the option.
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);

/// Sets a ...DATA option or CURLOPT_ERRORBUFFER. libcurl stores the pointer `value` and does not copy the
/// data.
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);

/// Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION.
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, curl_write_callback receiver);

/// Sets CURLOPT_OPENSOCKETFUNCTION.
CURLcode ccurl_set_socket_opener(CURL *easy, curl_opensocket_callback opener);

/// Sets CURLOPT_HTTPHEADER. `fields` must outlive the transfer.
CURLcode ccurl_set_header_fields(CURL *easy, struct curl_slist *fields);

/// Sets the request body. libcurl copies the bytes.
CURLcode ccurl_set_body(CURL *easy, const void *body, size_t count);

/// Attaches a number to the handle (CURLOPT_PRIVATE).
CURLcode ccurl_set_key(CURL *easy, uint64_t key);

/// Returns the number that ccurl_set_key attached; 0 if no number is attached.
uint64_t ccurl_get_key(CURL *easy);

/// Returns a transfer property of type long; 0 if libcurl reports an error.
long ccurl_get_long(CURL *easy, CURLINFO info);

#endif
