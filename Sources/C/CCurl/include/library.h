/// Initializes libcurl. The daemon also runs without libcurl and reports the missing package; in that case no
/// other function of libcurl may be called.
#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

#include <curl/curl.h>

/// Returns CURLE_FAILED_INIT if libcurl is not installed.
CURLcode ccurl_global_init(long flags);
CURL *ccurl_easy_init(void);
CURLM *ccurl_multi_init(void);
CURLU *ccurl_url(void);

#endif
