#include "keyring.h"

csecret_outcome csecret_unlock(csecret_session *session, GDBusProxy *object) {
    if (!session->call->may_prompt) return CSECRET_LOCKED;
    GList *objects = g_list_append(NULL, object);
    secret_service_unlock(session->service, objects, session->cancellable, csecret_answered, session);
    g_list_free(objects);
    GAsyncResult *answer = csecret_answer(session);
    if (answer == NULL) return csecret_failed(session, NULL);
    GError *error = NULL;
    int count = secret_service_unlock_finish(session->service, answer, NULL, &error);
    g_object_unref(answer);
    if (error != NULL) return csecret_failed(session, error);
    return count > 0 ? CSECRET_DONE : CSECRET_LOCKED;
}

csecret_outcome csecret_open_keyring(csecret_session *session) {
    secret_collection_for_alias(
        session->service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, session->cancellable,
        csecret_answered, session);
    GAsyncResult *answer = csecret_answer(session);
    if (answer == NULL) return csecret_failed(session, NULL);
    GError *error = NULL;
    SecretCollection *keyring = secret_collection_for_alias_finish(answer, &error);
    g_object_unref(answer);
    if (error != NULL) return csecret_failed(session, error);
    if (keyring == NULL) return CSECRET_NO_KEYRING;
    csecret_outcome outcome = CSECRET_DONE;
    if (secret_collection_get_locked(keyring)) outcome = csecret_unlock(session, G_DBUS_PROXY(keyring));
    g_object_unref(keyring);
    return outcome;
}

csecret_outcome csecret_probe(csecret_call *call) {
    csecret_session session;
    csecret_outcome outcome = csecret_session_begin(&session, call);
    if (outcome == CSECRET_DONE) outcome = csecret_open_keyring(&session);
    csecret_session_end(&session);
    return outcome;
}
