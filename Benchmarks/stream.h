// What the C programs share: the event stream, read with libcurl.

// Calls `take` with the JSON of each event of the stream at `url`, until it ends.
void stream_read(const char *url, void (*take)(const char *json));

// The text between `key` and the next quotation mark; the bench's texts have no escapes. To be freed.
char *stream_field(const char *json, const char *key);
