/// The service manager's and the journal's side of libsystemd.
#ifndef CSYSTEMD_SYSTEMD_H
#define CSYSTEMD_SYSTEMD_H

// Otherwise sd_journal_sendv is a macro that adds the place of its caller, and Swift cannot call macros.
#define SD_JOURNAL_SUPPRESS_LOCATION

#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

#endif
