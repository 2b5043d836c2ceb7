// An event stream client that both C benchmarks use.

// Reads the stream at `url` until the connection closes. Calls `take` with the JSON of each event.
void stream_read(const char *url, void (*take)(const char *json));

// Returns the text between `key` and the next quotation mark. Does not support escapes. The caller must free
// the result.
char *stream_field(const char *json, const char *key);
