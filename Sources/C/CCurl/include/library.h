/// Where all of libcurl begins. The daemon runs without it, too, and says what to install: what is asked for here
/// is NULL then, and nothing else of libcurl may be called.
#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

#include <curl/curl.h>

/// CURLE_FAILED_INIT where there is no libcurl.
CURLcode ccurl_global_init(long flags);
CURL *ccurl_easy_init(void);
CURLM *ccurl_multi_init(void);
CURLU *ccurl_url(void);

#endif
