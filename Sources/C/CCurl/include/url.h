#ifndef CCURL_URL_H
#define CCURL_URL_H

#include <curl/curl.h>

/// Returns a part of `url`; NULL if the URL does not contain this part. For `flags`, see curl_url_get. The
/// caller must free the result with curl_free.
char *ccurl_url_part(CURLU *url, CURLUPart part, unsigned int flags);

#endif
