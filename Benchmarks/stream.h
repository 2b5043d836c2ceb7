// A client of the event stream, used by both C programs.

// Reads the stream at `url` until it ends. Calls `take` with the JSON of each event.
void stream_read(const char *url, void (*take)(const char *json));

// Returns the text between `key` and the next quotation mark. Does not support escapes. The caller frees it.
char *stream_field(const char *json, const char *key);
