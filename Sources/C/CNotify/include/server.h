/// The notification server of the session, as reported by libnotify.
#ifndef CNOTIFY_SERVER_H
#define CNOTIFY_SERVER_H

#include <stdbool.h>
#include <stdint.h>

/// The outcome of a call. NO_BUS refers to the session bus. NO_SERVER does not distinguish a server that
/// ended from one that never existed.
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
    char text[256];  // GLib's message, UTF-8
} cnotify_failure;

/// Loads libnotify, which stays loaded. Returns false if it is not installed. Can be called on any thread.
bool cnotify_is_installed(void);

/// Loads libnotify and sets its application name. Later calls have no effect if libnotify was found.
void cnotify_start(const char *application);

/// The server's description of itself. Texts are NULL if the server did not send them.
typedef struct {
    char *name, *vendor, *version, *specification;
    /// Separated by newlines; never NULL.
    char *capabilities;
    /// The call that failed; NULL if both GetServerInformation and GetCapabilities were answered.
    char *problem;
    /// Whether libnotify can use the server: false if the server rejected GetServerInformation.
    bool is_usable;
} cnotify_server;

/// Asks the server for its description, with up to three calls that may block for 25 s each. A server that
/// rejects a call counts as available. Returns false on failure, with the reason in `failure`.
bool cnotify_server_ask(cnotify_server *server, cnotify_failure *failure);

/// Returns how many times the server was found to have ended or been replaced. Each change invalidates all
/// earlier ids. Changes are only detected after the server's first signal (`cnotify_knows_owner`), because
/// libnotify does not report the owner of the server's name.
uint32_t cnotify_server_changes(void);

/// Returns whether a change of the server would be detected.
bool cnotify_knows_owner(void);

/// Returns a text that identifies this run of the server: the id of the bus and the server's unique name on
/// it, neither of which is ever reused. NULL before the server's first signal. Free it with
/// `cnotify_free_instance`.
char *cnotify_server_instance(void);
void cnotify_free_instance(char *instance);

void cnotify_server_free(cnotify_server *server);

/// Releases libnotify's proxy and its connection, so that the next call looks for the bus again. Free all
/// notifications first.
void cnotify_reset(void);

#endif
