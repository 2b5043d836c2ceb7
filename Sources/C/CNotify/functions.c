// The functions that are called of libnotify, and of GLib and GObject: none of GDBus (`make symbols` checks that).
#include <lazy_load.h>

LAZY_LOAD_NOTE("libglib-2.0.so.0");
#define GLIB(name) LAZY_LOAD("libglib-2.0.so.0", name)
GLIB(g_error_free);
GLIB(g_file_test);
GLIB(g_free);
GLIB(g_get_monotonic_time);
GLIB(g_list_free_full);
GLIB(g_log_set_handler);
GLIB(g_main_context_get_thread_default);
GLIB(g_main_context_iteration);
GLIB(g_main_context_new);
GLIB(g_main_context_push_thread_default);
GLIB(g_main_context_wakeup);
GLIB(g_malloc);
GLIB(g_malloc0);
GLIB(g_malloc0_n);
GLIB(g_malloc_n);
GLIB(g_path_is_absolute);
GLIB(g_quark_to_string);
GLIB(g_str_has_prefix);
GLIB(g_strcmp0);
GLIB(g_strconcat);
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
GOBJECT(g_signal_add_emission_hook);
GOBJECT(g_signal_lookup);
GOBJECT(g_signal_remove_emission_hook);
GOBJECT(g_type_class_peek);
GOBJECT(g_type_from_name);
GOBJECT(g_value_get_object);
GOBJECT(g_value_get_string);
GOBJECT(g_value_get_variant);

LAZY_LOAD_NOTE("libnotify.so.4");
#define NOTIFY(name) LAZY_LOAD("libnotify.so.4", name)
NOTIFY(notify_get_server_caps);
NOTIFY(notify_get_server_info);
NOTIFY(notify_init);
NOTIFY(notify_notification_add_action);
NOTIFY(notify_notification_clear_actions);
NOTIFY(notify_notification_close);
NOTIFY(notify_notification_new);
NOTIFY(notify_notification_set_hint);
NOTIFY(notify_notification_set_timeout);
NOTIFY(notify_notification_set_urgency);
NOTIFY(notify_notification_show);
NOTIFY(notify_notification_update);
NOTIFY(notify_uninit);
