#include "service.h"

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
    return libsecret.attributes_build(
        &schema, "account", name.account, "origin", name.origin, "type", name.type, "subject", name.subject,
        NULL);
}

/// Finds the first item with this name and loads its secret. Sets `item` to NULL if there is no such item.
static csecret_outcome search(
    csecret_call *call, SecretService *service, csecret_name name, SecretItem **item) {
    SecretSearchFlags flags = SECRET_SEARCH_LOAD_SECRETS;
    if (call->may_prompt) flags |= SECRET_SEARCH_UNLOCK;
    GHashTable *attributes = attributes_of(name);
    GError *error = NULL;
    GList *items = libsecret.service_search_sync(service, &schema, attributes, flags, NULL, &error);
    g_hash_table_unref(attributes);
    if (error != NULL) return csecret_failed(call, error);
    *item = items == NULL ? NULL : g_object_ref(items->data);
    g_list_free_full(items, g_object_unref);
    if (*item == NULL) return CSECRET_ABSENT;
    return libsecret.item_get_locked(*item) ? CSECRET_LOCKED : CSECRET_DONE;
}

/// Like `search`, but returns `CSECRET_LOCKED` instead of `CSECRET_ABSENT` if a locked keyring may contain
/// the item.
static csecret_outcome find(
    csecret_call *call, SecretService *service, csecret_name name, SecretItem **item) {
    csecret_outcome outcome = search(call, service, name, item);
    if (outcome != CSECRET_ABSENT) return outcome;
    switch (csecret_open_keyring(call, service)) {
        case CSECRET_LOCKED: return CSECRET_LOCKED;
        case CSECRET_TIMED_OUT: return CSECRET_TIMED_OUT;
        default: return search(call, service, name, item);
    }
}

static csecret_outcome text_of(SecretItem *item, char **text) {
    SecretValue *value = libsecret.item_get_secret(item);
    if (value == NULL) return CSECRET_REFUSED;
    gsize size = 0;
    const char *bytes = libsecret.value_get(value, &size);
    *text = g_strndup(bytes, size);
    libsecret.value_unref(value);
    return CSECRET_DONE;
}

csecret_outcome csecret_lookup(csecret_call *call, csecret_name name, char **text) {
    SecretService *service;
    SecretItem *item = NULL;
    csecret_outcome outcome = csecret_connect(call, &service);
    if (outcome == CSECRET_DONE) outcome = find(call, service, name, &item);
    if (outcome == CSECRET_DONE) outcome = text_of(item, text);
    g_clear_object(&item);
    g_clear_object(&service);
    return outcome;
}

static csecret_outcome store_item(
    csecret_call *call, SecretService *service, csecret_name name, const char *label, const char *text) {
    GHashTable *attributes = attributes_of(name);
    SecretValue *value = libsecret.value_new(text, -1, "text/plain");
    GError *error = NULL;
    bool stored = libsecret.service_store_sync(
        service, &schema, attributes, SECRET_COLLECTION_DEFAULT, label, value, NULL, &error);
    libsecret.value_unref(value);
    g_hash_table_unref(attributes);
    return stored ? CSECRET_DONE : csecret_failed(call, error);
}

csecret_outcome csecret_store(csecret_call *call, csecret_name name, const char *label, const char *text) {
    SecretService *service;
    csecret_outcome outcome = csecret_connect(call, &service);
    // Open the default keyring first, because `put` would otherwise let libsecret prompt the user to create
    // or unlock a keyring.
    if (outcome == CSECRET_DONE) outcome = csecret_open_keyring(call, service);
    if (outcome == CSECRET_DONE) outcome = store_item(call, service, name, label, text);
    g_clear_object(&service);
    return outcome;
}

static csecret_outcome remove_item(csecret_call *call, SecretItem *item) {
    GError *error = NULL;
    return libsecret.item_delete_sync(item, NULL, &error) ? CSECRET_DONE : csecret_failed(call, error);
}

csecret_outcome csecret_delete(csecret_call *call, csecret_name name) {
    SecretService *service;
    csecret_outcome outcome = csecret_connect(call, &service);
    while (outcome == CSECRET_DONE) {
        // Delete all items with this name, because another program or the user may have copied the item.
        SecretItem *item = NULL;
        outcome = find(call, service, name, &item);
        if (outcome == CSECRET_DONE) outcome = remove_item(call, item);
        g_clear_object(&item);
    }
    g_clear_object(&service);
    return outcome == CSECRET_ABSENT ? CSECRET_DONE : outcome;
}

void csecret_free(char *text) {
    if (text == NULL) return;
    explicit_bzero(text, strlen(text));
    g_free(text);
}
