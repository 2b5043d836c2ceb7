#include "service.h"

csecret_outcome csecret_connect(csecret_call *call, SecretService **service) {
    *service = NULL;
    if (!csecret_load()) return CSECRET_NO_LIBRARY;
    GError *error = NULL;
    *service = libsecret.service_open_sync(
        libsecret.service_get_type(), NULL, SECRET_SERVICE_OPEN_SESSION, NULL, &error);
    if (*service != NULL) return CSECRET_DONE;
    csecret_outcome outcome = csecret_failed(call, error);
    return outcome == CSECRET_REFUSED ? CSECRET_NO_SERVICE : outcome;
}

static csecret_outcome unlock(csecret_call *call, SecretService *service, SecretCollection *keyring) {
    if (!call->may_prompt) return CSECRET_LOCKED;
    GError *error = NULL;
    GList *objects = g_list_append(NULL, keyring);
    int count = libsecret.service_unlock_sync(service, objects, NULL, NULL, &error);
    g_list_free(objects);
    if (error != NULL) return csecret_failed(call, error);
    return count > 0 ? CSECRET_DONE : CSECRET_LOCKED;
}

csecret_outcome csecret_open_keyring(csecret_call *call, SecretService *service) {
    GError *error = NULL;
    SecretCollection *keyring = libsecret.collection_for_alias_sync(
        service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, NULL, &error);
    if (error != NULL) return csecret_failed(call, error);
    if (keyring == NULL) return CSECRET_NO_KEYRING;
    csecret_outcome outcome = CSECRET_DONE;
    if (libsecret.collection_get_locked(keyring)) outcome = unlock(call, service, keyring);
    g_object_unref(keyring);
    return outcome;
}

csecret_outcome csecret_probe(csecret_call *call) {
    SecretService *service;
    csecret_outcome outcome = csecret_connect(call, &service);
    if (outcome == CSECRET_DONE) outcome = csecret_open_keyring(call, service);
    g_clear_object(&service);
    return outcome;
}

static csecret_outcome outcome_of(const GError *error) {
    if (error->domain == libsecret.error_get_quark())
        return error->code == SECRET_ERROR_IS_LOCKED ? CSECRET_LOCKED : CSECRET_REFUSED;
    if (error->domain == G_IO_ERROR) {
        switch (error->code) {
            case G_IO_ERROR_TIMED_OUT: return CSECRET_TIMED_OUT;
            case G_IO_ERROR_DBUS_ERROR: return CSECRET_REFUSED;  // an error that the service defined
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

csecret_outcome csecret_failed(csecret_call *call, GError *error) {
    csecret_outcome outcome = outcome_of(error);
    g_dbus_error_strip_remote_error(error);
    g_utf8_strncpy(call->text, error->message, sizeof call->text / 4 - 1);
    g_error_free(error);
    return outcome;
}
