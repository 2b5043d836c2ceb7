#ifndef CCURL_URL_H
#define CCURL_URL_H

#include <curl/curl.h>

/// Returns a part of `url`, which the caller must free with curl_free; NULL if the URL does not have this
/// part. `flags` are those of curl_url_get.
char *ccurl_url_part(CURLU *url, CURLUPart part, unsigned int flags);

#endif
