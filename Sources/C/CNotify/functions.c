// What is called of libnotify, and of GLib beside it.
#include <lazy_load.h>

LAZY_LOAD_NOTE("libgio-2.0.so.0");
#define GIO(name) LAZY_LOAD("libgio-2.0.so.0", name)
GIO(g_bus_get_sync);
GIO(g_bus_unwatch_name);
GIO(g_bus_watch_name_on_connection);
GIO(g_dbus_connection_is_closed);
GIO(g_dbus_connection_set_exit_on_close);
GIO(g_dbus_connection_signal_subscribe);
GIO(g_dbus_connection_signal_unsubscribe);
GIO(g_dbus_error_quark);
GIO(g_dbus_error_strip_remote_error);
GIO(g_io_error_quark);

LAZY_LOAD_NOTE("libglib-2.0.so.0");
#define GLIB(name) LAZY_LOAD("libglib-2.0.so.0", name)
GLIB(g_error_free);
GLIB(g_file_test);
GLIB(g_free);
GLIB(g_get_monotonic_time);
GLIB(g_list_free_full);
GLIB(g_main_context_iteration);
GLIB(g_main_context_new);
GLIB(g_main_context_push_thread_default);
GLIB(g_main_context_wakeup);
GLIB(g_malloc);
GLIB(g_malloc0);
GLIB(g_malloc0_n);
GLIB(g_malloc_n);
GLIB(g_path_is_absolute);
GLIB(g_strcmp0);
GLIB(g_strdup);
GLIB(g_string_append);
GLIB(g_string_free);
GLIB(g_string_insert_c);
GLIB(g_string_new);
GLIB(g_strlcpy);
GLIB(g_utf8_validate);
GLIB(g_variant_get_child);
GLIB(g_variant_get_child_value);
GLIB(g_variant_get_string);
GLIB(g_variant_is_of_type);
GLIB(g_variant_new_boolean);
GLIB(g_variant_new_string);
GLIB(g_variant_type_checked_);
GLIB(g_variant_unref);

LAZY_LOAD_NOTE("libgobject-2.0.so.0");
#define GOBJECT(name) LAZY_LOAD("libgobject-2.0.so.0", name)
GOBJECT(g_object_add_weak_pointer);
GOBJECT(g_object_get);
GOBJECT(g_object_remove_weak_pointer);
GOBJECT(g_object_set);
GOBJECT(g_object_unref);
GOBJECT(g_signal_connect_data);
GOBJECT(g_signal_handlers_disconnect_matched);

LAZY_LOAD_NOTE("libnotify.so.4");
#define NOTIFY(name) LAZY_LOAD("libnotify.so.4", name)
NOTIFY(notify_get_server_caps);
NOTIFY(notify_get_server_info);
NOTIFY(notify_init);
NOTIFY(notify_notification_add_action);
NOTIFY(notify_notification_clear_actions);
NOTIFY(notify_notification_close);
NOTIFY(notify_notification_get_activation_token);
NOTIFY(notify_notification_get_closed_reason);
NOTIFY(notify_notification_new);
NOTIFY(notify_notification_set_hint);
NOTIFY(notify_notification_set_timeout);
NOTIFY(notify_notification_set_urgency);
NOTIFY(notify_notification_show);
NOTIFY(notify_notification_update);
NOTIFY(notify_uninit);
