#include "url.h"

char *ccurl_url_part(CURLU *url, CURLUPart part, unsigned int flags) {
    char *text = NULL;
    return curl_url_get(url, part, &text, flags) == CURLUE_OK ? text : NULL;
}
