#ifndef CCURL_URL_H
#define CCURL_URL_H

#include <curl/curl.h>

/// A part of `url`, which curl_free takes back; NULL where it has none. `flags` are curl_url_get's.
char *ccurl_url_part(CURLU *url, CURLUPart part, unsigned int flags);

#endif
