#ifndef CCURL_URL_H
#define CCURL_URL_H

#include <curl/curl.h>

/// Returns a part of `url`, to be freed with curl_free; NULL if it has none. `flags` are those of
/// curl_url_get.
char *ccurl_url_part(CURLU *url, CURLUPart part, unsigned int flags);

#endif
