// The functions of libsystemd that are loaded lazily.
#include <lazy_load.h>

LAZY_LOAD_NOTE("libsystemd.so.0");
#define SYSTEMD(name) LAZY_LOAD("libsystemd.so.0", name)
SYSTEMD(sd_journal_sendv);
SYSTEMD(sd_listen_fds_with_names);
SYSTEMD(sd_notify);
SYSTEMD(sd_watchdog_enabled);
