#include "login.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-login.h>

int csystemd_find_display(uint32_t user, char *id, size_t size) {
    char *session = NULL;
    int result = sd_uid_get_display(user, &session);
    if (result < 0)
        return result;
    size_t length = session == NULL ? 0 : strlen(session);
    if (length > 0 && length < size)
        memcpy(id, session, length + 1);
    else
        result = -ENODATA;
    free(session);
    return result < 0 ? result : 0;
}

csystemd_user_changes *csystemd_user_changes_new(void) {
    csystemd_user_changes *changes = NULL;
    return sd_login_monitor_new("uid", &changes) < 0 ? NULL : changes;
}

void csystemd_user_changes_free(csystemd_user_changes *changes) { sd_login_monitor_unref(changes); }

bool csystemd_user_changes_take(csystemd_user_changes *changes) {
    struct pollfd descriptor = {
        .fd = sd_login_monitor_get_fd(changes), .events = (short)sd_login_monitor_get_events(changes)};
    if (poll(&descriptor, 1, 0) == 0)
        return false;
    sd_login_monitor_flush(changes);
    return true;
}
