/// The notification server of the session, as reported by libnotify.
#ifndef CNOTIFY_SERVER_H
#define CNOTIFY_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/// The outcome of a call. NO_BUS: there is no session bus. NO_SERVER: the server exited or was never started.
typedef enum {
    CNOTIFY_OK,
    CNOTIFY_NO_BUS,
    CNOTIFY_NO_SERVER,
    CNOTIFY_TIMED_OUT,
    CNOTIFY_REFUSED,
    /// libnotify is not installed.
    CNOTIFY_NO_LIBRARY,
} cnotify_outcome;

typedef struct {
    cnotify_outcome outcome;
    char text[256];  // The error message of GLib in UTF-8
} cnotify_failure;

/// Loads libnotify, which stays loaded. Returns false if libnotify is not installed. May be called on any
/// thread.
bool cnotify_is_installed(void);

/// Loads libnotify and sets its application name. Later calls have no effect once libnotify was found.
void cnotify_start(const char *application);

/// The result of `GetServerInformation` and `GetCapabilities`. Strings are NULL if the server did not send
/// them.
typedef struct {
    char *name, *vendor, *version, *specification;
    /// The capabilities, separated by newlines; never NULL.
    char *capabilities;
    /// The name of the call that failed; NULL if neither GetServerInformation nor GetCapabilities failed.
    char *problem;
    /// Whether libnotify can use the server; false if the server rejected GetServerInformation.
    bool is_usable;
} cnotify_server;

/// Queries the server, with up to three calls that may block for 25 s each. A server that rejects a call
/// counts as available. Returns false on failure, with the reason in `failure`.
bool cnotify_server_ask(cnotify_server *server, cnotify_failure *failure);

/// Returns the number of times that the server was found to have exited or to have been replaced. Each of
/// these changes invalidates all previous IDs. Changes are detected only after the server's first signal
/// (`cnotify_knows_owner`), because libnotify does not report the owner of the server's name.
uint32_t cnotify_server_changes(void);

/// Returns whether a change of the server would be detected.
bool cnotify_knows_owner(void);

/// Returns a string that identifies the server process: the ID of the bus and the server's unique name on the
/// bus, which are never reused. Returns NULL before the server's first signal. The caller must free the
/// string with `cnotify_free_instance`.
char *cnotify_server_instance(void);
void cnotify_free_instance(char *instance);

void cnotify_server_free(cnotify_server *server);

/// Releases libnotify's proxy and its connection, so that the next call connects to the bus again. All
/// notifications must be freed first.
void cnotify_reset(void);

#endif
