#include "service_manager.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

void csystemd_notify(const char *assignments) {
    sd_notify(0, assignments);
}

void csystemd_notify_nonblocking(const char *assignments) {
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (path == NULL || (path[0] != '/' && path[0] != '@') || strlen(path) >= sizeof address.sun_path)
        return;
    memcpy(address.sun_path, path, strlen(path));
    if (path[0] == '@')
        address.sun_path[0] = 0;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return;
    sendto(
        descriptor, assignments, strlen(assignments), MSG_NOSIGNAL, (struct sockaddr *)&address,
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path)));
    close(descriptor);
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
