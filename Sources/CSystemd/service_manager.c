#include "service_manager.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>

void csystemd_notify(const char *assignments) {
    sd_notify(0, assignments);
}

uint64_t csystemd_watchdog_microseconds(void) {
    uint64_t microseconds = 0;
    return sd_watchdog_enabled(0, &microseconds) > 0 ? microseconds : 0;
}

int csystemd_find_socket(const char *name) {
    char **names = NULL;
    int count = sd_listen_fds_with_names(0, &names);
    int found = count < 0 ? count : -ENOENT;
    for (int index = 0; index < count; index++) {
        if (found < 0 && strcmp(names[index], name) == 0)
            found = SD_LISTEN_FDS_START + index;
        free(names[index]);
    }
    free(names);
    return found;
}
