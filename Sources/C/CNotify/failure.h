/// The conversion of GLib errors to `cnotify_outcome`.
#ifndef CNOTIFY_FAILURE_H
#define CNOTIFY_FAILURE_H

#include "server.h"

#include <glib.h>

/// Fills `failure`. Always returns false, so that callers can write `return cnotify_fail(...)`.
bool cnotify_fail(cnotify_failure *failure, cnotify_outcome outcome, const char *text);

/// Fills `failure` from `error` and frees `error`. Always returns false.
bool cnotify_fail_with(cnotify_failure *failure, GError *error);

#endif
