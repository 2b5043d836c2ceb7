#include "session.h"

enum { GRACE = 1000 };

csecret_stop *csecret_stop_new(void) {
    csecret_stop *stop = g_new(csecret_stop, 1);
    stop->cancellable = g_cancellable_new();
    return stop;
}

void csecret_stop_now(csecret_stop *stop) { g_cancellable_cancel(stop->cancellable); }

void csecret_stop_free(csecret_stop *stop) {
    g_object_unref(stop->cancellable);
    g_free(stop);
}

static gboolean on_limit(gpointer data) {
    csecret_session *session = data;
    session->late = true;
    g_cancellable_cancel(session->stop);
    return G_SOURCE_REMOVE;
}

static gboolean on_grace_over(gpointer data) {
    csecret_session *session = data;
    session->abandoned = true;
    return G_SOURCE_REMOVE;
}

static GSource *attached(csecret_session *session, GSource *source, GSourceFunc function) {
    g_source_set_callback(source, function, session, NULL);
    g_source_attach(source, session->context);
    return source;
}

// A call that is cancelled may still hang, and a prompt is left to the person: the keyring that is unlocked
// later is as good then.
static gboolean on_cancelled(GCancellable *cancellable, gpointer data) {
    (void)cancellable;
    csecret_session *session = data;
    guint grace = session->call->may_prompt ? 0 : GRACE;
    session->grace = attached(session, g_timeout_source_new(grace), on_grace_over);
    return G_SOURCE_REMOVE;
}

void csecret_answered(GObject *source, GAsyncResult *result, gpointer data) {
    (void)source;
    csecret_session *session = data;
    session->result = g_object_ref(result);
}

GAsyncResult *csecret_answer(csecret_session *session) {
    // After the grace nobody iterates the context any more: a late answer cannot find a session that is gone.
    while (session->result == NULL && !session->abandoned) g_main_context_iteration(session->context, TRUE);
    return g_steal_pointer(&session->result);
}

static csecret_outcome connect_to_bus(csecret_session *session) {
    GError *error = NULL;
    g_bus_get(G_BUS_TYPE_SESSION, session->cancellable, csecret_answered, session);
    GAsyncResult *answer = csecret_answer(session);
    if (answer == NULL) return csecret_failed(session, NULL);
    session->bus = g_bus_get_finish(answer, &error);
    g_object_unref(answer);
    if (session->bus == NULL) {
        csecret_outcome outcome = csecret_failed(session, error);
        return outcome == CSECRET_REFUSED ? CSECRET_NO_SERVICE : outcome;
    }
    // GDBus raises SIGTERM when the session bus closes, unless told not to.
    g_dbus_connection_set_exit_on_close(session->bus, FALSE);
    return CSECRET_DONE;
}

csecret_outcome csecret_session_begin(csecret_session *session, csecret_call *call) {
    *session = (csecret_session){.call = call, .stop = g_object_ref(call->stop->cancellable)};
    // gnome-keyring 42 crashes when libsecret, cancelled, dismisses a prompt whose prompter hangs.
    session->cancellable = call->may_prompt ? NULL : session->stop;
    session->context = g_main_context_new();
    g_main_context_push_thread_default(session->context);
    session->limit = attached(session, g_timeout_source_new(call->limit), on_limit);
    session->cancelled =
        attached(session, g_cancellable_source_new(session->stop), G_SOURCE_FUNC(on_cancelled));
    csecret_outcome outcome = connect_to_bus(session);
    if (outcome != CSECRET_DONE) return outcome;
    GError *error = NULL;
    // Not the shared service of `secret_service_get`: it would listen to the bus, and hold it, for ever.
    secret_service_open(
        SECRET_TYPE_SERVICE, NULL, SECRET_SERVICE_OPEN_SESSION, session->cancellable, csecret_answered,
        session);
    GAsyncResult *answer = csecret_answer(session);
    if (answer == NULL) return csecret_failed(session, NULL);
    session->service = secret_service_open_finish(answer, &error);
    g_object_unref(answer);
    return session->service == NULL ? csecret_failed(session, error) : CSECRET_DONE;
}

static void dropped(GSource *source) {
    if (source == NULL) return;
    g_source_destroy(source);
    g_source_unref(source);
}

void csecret_session_end(csecret_session *session) {
    g_clear_object(&session->service);
    g_clear_object(&session->bus);
    dropped(session->limit);
    dropped(session->cancelled);
    dropped(session->grace);
    // What was let go of says goodbye in the context.
    while (!session->abandoned && g_main_context_iteration(session->context, FALSE)) continue;
    g_main_context_pop_thread_default(session->context);
    g_main_context_unref(session->context);
    g_object_unref(session->stop);
}

static csecret_outcome outcome_of(const GError *error) {
    if (error->domain == SECRET_ERROR)
        return error->code == SECRET_ERROR_IS_LOCKED ? CSECRET_LOCKED : CSECRET_REFUSED;
    if (error->domain == G_IO_ERROR) {
        switch (error->code) {
            case G_IO_ERROR_TIMED_OUT: return CSECRET_TIMED_OUT;
            case G_IO_ERROR_DBUS_ERROR: return CSECRET_REFUSED;  // an error that only the service knows
            default: return CSECRET_NO_SERVICE;
        }
    }
    if (error->domain != G_DBUS_ERROR) return CSECRET_REFUSED;
    switch (error->code) {
        case G_DBUS_ERROR_TIMEOUT:
        case G_DBUS_ERROR_TIMED_OUT: return CSECRET_TIMED_OUT;
        case G_DBUS_ERROR_NO_SERVER:
        case G_DBUS_ERROR_DISCONNECTED:
        case G_DBUS_ERROR_NO_REPLY:
        case G_DBUS_ERROR_SERVICE_UNKNOWN:
        case G_DBUS_ERROR_NAME_HAS_NO_OWNER:
        case G_DBUS_ERROR_SPAWN_EXEC_FAILED:
        case G_DBUS_ERROR_SPAWN_FORK_FAILED:
        case G_DBUS_ERROR_SPAWN_CHILD_EXITED:
        case G_DBUS_ERROR_SPAWN_CHILD_SIGNALED:
        case G_DBUS_ERROR_SPAWN_FAILED:
        case G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND: return CSECRET_NO_SERVICE;
        default: return CSECRET_REFUSED;
    }
}

csecret_outcome csecret_failed(csecret_session *session, GError *error) {
    csecret_outcome outcome = error == NULL ? CSECRET_TIMED_OUT : outcome_of(error);
    if (error != NULL) {
        g_dbus_error_strip_remote_error(error);
        g_utf8_strncpy(session->call->text, error->message, sizeof session->call->text / 4 - 1);
        g_error_free(error);
    }
    if (session->late) return CSECRET_TIMED_OUT;
    return g_cancellable_is_cancelled(session->stop) ? CSECRET_CANCELLED : outcome;
}
