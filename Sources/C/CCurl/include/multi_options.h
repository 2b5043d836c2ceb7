/// Typed wrappers for curl_multi_setopt, which Swift cannot call because it is variadic.
#ifndef CCURL_MULTI_OPTIONS_H
#define CCURL_MULTI_OPTIONS_H

#include <curl/curl.h>

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// Sets CURLMOPT_SOCKETFUNCTION; NULL removes the callback.
CURLMcode ccurl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *owner);

/// Sets CURLMOPT_TIMERFUNCTION; NULL removes the callback.
CURLMcode ccurl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *owner);

#endif
