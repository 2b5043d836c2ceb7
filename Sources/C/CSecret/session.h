/// One call's main context, time limit and connection to the Secret Service.
#ifndef CSECRET_SESSION_H
#define CSECRET_SESSION_H

#include "CSecret.h"

#include <libsecret/secret.h>

typedef struct {
    csecret_call *call;
    GMainContext *context;
    GSource *limit, *cancelled, *grace;
    GCancellable *stop;
    GCancellable *cancellable;  // for the calls; NULL where they may prompt
    GDBusConnection *bus;
    SecretService *service;
    GAsyncResult *result;
    bool late, abandoned;
} csecret_session;

struct csecret_stop {
    GCancellable *cancellable;
};

/// Whatever comes back, `csecret_session_end` has to follow.
csecret_outcome csecret_session_begin(csecret_session *session, csecret_call *call);
void csecret_session_end(csecret_session *session);

/// For asynchronous calls, with the session as user data.
void csecret_answered(GObject *source, GAsyncResult *result, gpointer session);

/// Sleeps until the call made last is answered. NULL: there was none, even after it was cancelled.
/// What is returned belongs to the caller.
GAsyncResult *csecret_answer(csecret_session *session);

/// Takes `error` (NULL: there was no answer) over and tells what it means.
csecret_outcome csecret_failed(csecret_session *session, GError *error);

#endif
