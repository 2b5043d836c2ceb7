/// The functions of libnotify. The functions are loaded at run time, because computers without a desktop may
/// not have libnotify.
#ifndef CNOTIFY_LIBRARY_H
#define CNOTIFY_LIBRARY_H

#include <libnotify/notify.h>

typedef struct {
    __typeof__(notify_init) *init;
    __typeof__(notify_uninit) *uninit;
    __typeof__(notify_get_server_caps) *get_server_caps;
    __typeof__(notify_get_server_info) *get_server_info;
    __typeof__(notify_notification_new) *notification_new;
    __typeof__(notify_notification_update) *update;
    __typeof__(notify_notification_show) *show;
    __typeof__(notify_notification_close) *close;
    __typeof__(notify_notification_set_urgency) *set_urgency;
    __typeof__(notify_notification_set_timeout) *set_timeout;
    __typeof__(notify_notification_set_hint) *set_hint;
    __typeof__(notify_notification_add_action) *add_action;
    __typeof__(notify_notification_clear_actions) *clear_actions;
} cnotify_library;

/// The loaded functions, set by `cnotify_is_installed`. The functions must be called only if
/// `cnotify_is_installed` has returned true or a server has responded.
extern cnotify_library libnotify;

#endif
