/// The functions of libsecret. The functions are loaded at run time, because computers without a keyring may
/// not have libsecret.
#ifndef CSECRET_LIBRARY_H
#define CSECRET_LIBRARY_H

#include <libsecret/secret.h>
#include <stdbool.h>

typedef struct {
    __typeof__(secret_attributes_build) *attributes_build;
    __typeof__(secret_collection_for_alias_sync) *collection_for_alias_sync;
    __typeof__(secret_collection_get_locked) *collection_get_locked;
    __typeof__(secret_error_get_quark) *error_get_quark;
    __typeof__(secret_item_delete_sync) *item_delete_sync;
    __typeof__(secret_item_get_locked) *item_get_locked;
    __typeof__(secret_item_get_secret) *item_get_secret;
    __typeof__(secret_service_get_type) *service_get_type;
    __typeof__(secret_service_open_sync) *service_open_sync;
    __typeof__(secret_service_search_sync) *service_search_sync;
    __typeof__(secret_service_store_sync) *service_store_sync;
    __typeof__(secret_service_unlock_sync) *service_unlock_sync;
    __typeof__(secret_value_get) *value_get;
    __typeof__(secret_value_new) *value_new;
    __typeof__(secret_value_unref) *value_unref;
} csecret_library;

/// The loaded functions, set by `csecret_load`. The functions must be called only if `csecret_load` has
/// returned true.
extern csecret_library libsecret;

/// Loads libsecret permanently. Returns false if libsecret is not installed.
bool csecret_load(void);

#endif
