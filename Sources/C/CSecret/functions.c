// The functions that are called of libsecret, and of GLib beside it.
#include <lazy_load.h>

LAZY_LOAD_NOTE("libgio-2.0.so.0");
#define GIO(name) LAZY_LOAD("libgio-2.0.so.0", name)
GIO(g_dbus_error_quark);
GIO(g_dbus_error_strip_remote_error);
GIO(g_io_error_quark);

LAZY_LOAD_NOTE("libglib-2.0.so.0");
#define GLIB(name) LAZY_LOAD("libglib-2.0.so.0", name)
GLIB(g_error_free);
GLIB(g_free);
GLIB(g_hash_table_unref);
GLIB(g_list_append);
GLIB(g_list_free);
GLIB(g_list_free_full);
GLIB(g_strndup);
GLIB(g_utf8_strncpy);

LAZY_LOAD_NOTE("libgobject-2.0.so.0");
#define GOBJECT(name) LAZY_LOAD("libgobject-2.0.so.0", name)
GOBJECT(g_object_ref);
GOBJECT(g_object_unref);
GOBJECT(g_type_check_instance_cast);

LAZY_LOAD_NOTE("libsecret-1.so.0");
#define SECRET(name) LAZY_LOAD("libsecret-1.so.0", name)
SECRET(secret_attributes_build);
SECRET(secret_collection_for_alias_sync);
SECRET(secret_collection_get_locked);
SECRET(secret_error_get_quark);
SECRET(secret_item_delete_sync);
SECRET(secret_item_get_locked);
SECRET(secret_item_get_secret);
SECRET(secret_service_get_type);
SECRET(secret_service_open_sync);
SECRET(secret_service_search_sync);
SECRET(secret_service_store_sync);
SECRET(secret_service_unlock_sync);
SECRET(secret_value_get);
SECRET(secret_value_new);
SECRET(secret_value_unref);
