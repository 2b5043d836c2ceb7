#include "multi_options.h"

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *owner) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, owner);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

CURLMcode ccurl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *owner) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, owner);
    return code ? code : curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}
