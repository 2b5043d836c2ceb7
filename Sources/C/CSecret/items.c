#include "keyring.h"

#include <string.h>

static const SecretSchema schema = {
    "io.cutied.Secret",
    SECRET_SCHEMA_NONE,
    {{"account", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {"origin", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {"type", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {"subject", SECRET_SCHEMA_ATTRIBUTE_STRING},
     {NULL, 0}},
    0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
};

static GHashTable *attributes_of(csecret_name name) {
    return secret_attributes_build(
        &schema, "account", name.account, "origin", name.origin, "type", name.type, "subject", name.subject,
        NULL);
}

/// Sets `item` to the first one of that name, open and with its secret.
static csecret_outcome search(csecret_session *session, csecret_name name, SecretItem **item) {
    GHashTable *attributes = attributes_of(name);
    SecretSearchFlags flags = SECRET_SEARCH_LOAD_SECRETS;
    if (session->call->may_prompt) flags |= SECRET_SEARCH_UNLOCK;
    secret_service_search(
        session->service, &schema, attributes, flags, session->cancellable, csecret_answered, session);
    g_hash_table_unref(attributes);
    GAsyncResult *answer = csecret_answer(session);
    if (answer == NULL) return csecret_failed(session, NULL);
    GError *error = NULL;
    GList *items = secret_service_search_finish(session->service, answer, &error);
    g_object_unref(answer);
    if (error != NULL) return csecret_failed(session, error);
    *item = items == NULL ? NULL : g_object_ref(items->data);
    g_list_free_full(items, g_object_unref);
    if (*item == NULL) return CSECRET_ABSENT;
    return secret_item_get_locked(*item) ? CSECRET_LOCKED : CSECRET_DONE;
}

/// As `search`, but what a locked keyring may hide is not absent.
static csecret_outcome find(csecret_session *session, csecret_name name, SecretItem **item) {
    csecret_outcome outcome = search(session, name, item);
    if (outcome != CSECRET_ABSENT) return outcome;
    switch (csecret_open_keyring(session)) {
        case CSECRET_LOCKED: return CSECRET_LOCKED;
        case CSECRET_TIMED_OUT: return CSECRET_TIMED_OUT;
        default: return search(session, name, item);
    }
}

static csecret_outcome text_of(SecretItem *item, char **text) {
    SecretValue *value = secret_item_get_secret(item);
    if (value == NULL) return CSECRET_REFUSED;
    gsize size = 0;
    const char *bytes = secret_value_get(value, &size);
    *text = g_strndup(bytes, size);
    secret_value_unref(value);
    return CSECRET_DONE;
}

csecret_outcome csecret_lookup(csecret_call *call, csecret_name name, char **text) {
    csecret_session session;
    SecretItem *item = NULL;
    csecret_outcome outcome = csecret_session_begin(&session, call);
    if (outcome == CSECRET_DONE) outcome = find(&session, name, &item);
    if (outcome == CSECRET_DONE) outcome = text_of(item, text);
    g_clear_object(&item);
    csecret_session_end(&session);
    return outcome;
}

static csecret_outcome put(csecret_session *session, csecret_name name, const char *label, const char *text) {
    GHashTable *attributes = attributes_of(name);
    SecretValue *value = secret_value_new(text, -1, "text/plain");
    secret_service_store(
        session->service, &schema, attributes, SECRET_COLLECTION_DEFAULT, label, value, session->cancellable,
        csecret_answered, session);
    secret_value_unref(value);
    g_hash_table_unref(attributes);
    GAsyncResult *answer = csecret_answer(session);
    if (answer == NULL) return csecret_failed(session, NULL);
    GError *error = NULL;
    bool stored = secret_service_store_finish(session->service, answer, &error);
    g_object_unref(answer);
    return stored ? CSECRET_DONE : csecret_failed(session, error);
}

csecret_outcome csecret_store(csecret_call *call, csecret_name name, const char *label, const char *text) {
    csecret_session session;
    csecret_outcome outcome = csecret_session_begin(&session, call);
    // Without a default keyring libsecret would ask the person to make one; a locked one it would unlock.
    if (outcome == CSECRET_DONE) outcome = csecret_open_keyring(&session);
    if (outcome == CSECRET_DONE) outcome = put(&session, name, label, text);
    csecret_session_end(&session);
    return outcome;
}

static csecret_outcome remove_item(csecret_session *session, SecretItem *item) {
    secret_item_delete(item, session->cancellable, csecret_answered, session);
    GAsyncResult *answer = csecret_answer(session);
    if (answer == NULL) return csecret_failed(session, NULL);
    GError *error = NULL;
    bool deleted = secret_item_delete_finish(item, answer, &error);
    g_object_unref(answer);
    return deleted ? CSECRET_DONE : csecret_failed(session, error);
}

csecret_outcome csecret_delete(csecret_call *call, csecret_name name) {
    csecret_session session;
    csecret_outcome outcome = csecret_session_begin(&session, call);
    while (outcome == CSECRET_DONE) {
        // Another program, or the person, may have made a copy.
        SecretItem *item = NULL;
        outcome = find(&session, name, &item);
        if (outcome == CSECRET_DONE) outcome = remove_item(&session, item);
        g_clear_object(&item);
    }
    csecret_session_end(&session);
    return outcome == CSECRET_ABSENT ? CSECRET_DONE : outcome;
}

void csecret_free(char *text) {
    if (text == NULL) return;
    explicit_bzero(text, strlen(text));
    g_free(text);
}
