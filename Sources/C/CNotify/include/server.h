/// The notification server of the session, as far as libnotify reports it.
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
    /// libnotify is not installed.
    CNOTIFY_NO_LIBRARY,
} cnotify_outcome;

typedef struct {
    cnotify_outcome outcome;
    char text[256];  // GLib's message, UTF-8
} cnotify_failure;

/// Loads libnotify, which stays loaded. Returns false if it is not installed. From any thread.
bool cnotify_is_installed(void);

/// Loads libnotify and sets its application name. Only the first call of a process that finds libnotify has an
/// effect.
void cnotify_start(const char *application);

/// The server's description of itself. NULL stands for what it did not answer.
typedef struct {
    char *name, *vendor, *version, *specification;
    /// Separated by newlines; never NULL.
    char *capabilities;
    /// Which question failed; NULL if both were answered.
    char *problem;
    /// Whether libnotify can show anything on the server: it must have answered GetServerInformation.
    bool is_usable;
} cnotify_server;

/// Asks the server for its description. May wait for 25 s per question, of which there are up to three. A server
/// that refuses a question is there all the same. False: see `failure`.
bool cnotify_server_ask(cnotify_server *server, cnotify_failure *failure);

/// Counts how often the server was found to be gone or replaced: ids from before the last time are void. A
/// change is found after the server's first signal only (`cnotify_knows_owner`): libnotify does not report who
/// the server is.
uint32_t cnotify_server_changes(void);

/// Returns whether a change of the server would be found.
bool cnotify_knows_owner(void);

void cnotify_server_free(cnotify_server *server);

/// Releases libnotify's proxy and with it the connection, so that the next call looks for the bus again. No
/// pop-up may be held.
void cnotify_reset(void);

#endif
