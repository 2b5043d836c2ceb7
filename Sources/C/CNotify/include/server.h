/// The notification server of the session, as far as libnotify tells.
#ifndef CNOTIFY_SERVER_H
#define CNOTIFY_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/// Why a call failed. The bus is the session's; a server that is gone and one that never was look alike.
typedef enum {
    CNOTIFY_OK,
    CNOTIFY_NO_BUS,
    CNOTIFY_NO_SERVER,
    CNOTIFY_TIMED_OUT,
    CNOTIFY_REFUSED,
} cnotify_outcome;

typedef struct {
    cnotify_outcome outcome;
    char text[256];  // what GLib says, UTF-8
} cnotify_failure;

/// Names the application to libnotify. Only the first call of a process has an effect.
void cnotify_start(const char *application);

/// What the server says of itself. `capabilities` are separated by newlines.
typedef struct {
    char *name, *vendor, *version, *specification, *capabilities;
} cnotify_server;

/// Asks the server. May wait for 25 s a question, of which there are two. False: see `failure`.
bool cnotify_server_ask(cnotify_server *server, cnotify_failure *failure);

/// How often the server on the bus was found to be gone or another one, since it was asked first: ids that were
/// given before the last time name nothing, or another's. libnotify tells nothing of it.
uint32_t cnotify_server_changes(void);

void cnotify_server_free(cnotify_server *server);

/// Lets go of libnotify's proxy, so that the next call looks for the bus anew. No pop-up may be held.
void cnotify_reset(void);

#endif
