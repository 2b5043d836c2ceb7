/// curl_multi_setopt is variadic, which Swift cannot call: one function for each type.
#ifndef CCURL_MULTI_OPTIONS_H
#define CCURL_MULTI_OPTIONS_H

#include <curl/curl.h>

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// NULL for `callback` removes it.
CURLMcode ccurl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *owner);

/// NULL for `callback` removes it.
CURLMcode ccurl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *owner);

#endif
