/// The notification server of the session, to which libnotify connects.
#ifndef CNOTIFY_SERVER_H
#define CNOTIFY_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/// The outcome of a call. NO_BUS: there is no session bus. NO_SERVER: no notification server is running.
/// SERVER_EXITED: the bus started a server that exited at once, or the server exited without a reply.
typedef enum {
    CNOTIFY_OK,
    CNOTIFY_NO_BUS,
    CNOTIFY_NO_SERVER,
    CNOTIFY_SERVER_EXITED,
    CNOTIFY_TIMED_OUT,
    CNOTIFY_REFUSED,
    /// libnotify is not installed.
    CNOTIFY_NO_LIBRARY,
} cnotify_outcome;

typedef struct {
    cnotify_outcome outcome;
    char text[256];  // the error message of GLib, in UTF-8
} cnotify_failure;

/// Loads libnotify permanently. Returns false if libnotify is not installed. May be called on any thread.
bool cnotify_is_installed(void);

/// Loads libnotify and sets the application name. Calls after the first successful call have no effect.
void cnotify_start(const char *application);

/// The description of a server, from `GetServerInformation` and `GetCapabilities`. A string is NULL if the
/// server did not send it.
typedef struct {
    char *name, *vendor, *version, *specification;
    /// The capabilities of the server, separated by newlines; never NULL.
    char *capabilities;
    /// The name of the failed D-Bus call; NULL if both calls succeeded.
    char *problem;
    /// Whether libnotify can use the server. The value is false if the server rejects GetServerInformation.
    bool is_usable;
} cnotify_server;

/// Queries the server with up to four calls, each of which may block for 25 s. On failure, returns false and
/// fills `failure`. A server that rejects a call is still available, so the query succeeds.
bool cnotify_server_query(cnotify_server *server, cnotify_failure *failure);

/// Returns the number of detected server changes (the server exited or was replaced). Each change invalidates
/// all previous IDs. Changes are detected only after the first signal of the server (`cnotify_knows_owner`),
/// because libnotify does not report the owner of the server's bus name.
uint32_t cnotify_server_changes(void);

/// Returns whether server changes are currently detected.
bool cnotify_knows_owner(void);

/// Returns a string that identifies the server process; NULL before the first signal of the server. The
/// string consists of the bus ID and the unique bus name of the server, which are never reused. The caller
/// must free the string with `cnotify_free_instance`.
char *cnotify_server_instance(void);
void cnotify_free_instance(char *instance);

void cnotify_server_free(cnotify_server *server);

/// Releases libnotify's proxy and bus connection, so that the next call opens a new connection. All
/// notification handles must be freed first.
void cnotify_reset(void);

#endif
