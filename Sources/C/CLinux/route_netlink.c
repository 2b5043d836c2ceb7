#define _GNU_SOURCE
#include "route_netlink.h"

#include <sys/socket.h>
#include <unistd.h>

int clinux_open_route_socket(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0)
        return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
    };
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

int clinux_request_routes(int socket, uint16_t kind, uint32_t sequence) {
    struct {
        struct nlmsghdr header;
        // The first byte of each of ifinfomsg, ifaddrmsg and rtmsg is the address family. 0 requests all
        // families.
        struct ifinfomsg body;
    } request = {
        .header = {
            .nlmsg_len = sizeof request,
            .nlmsg_type = kind,
            .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
            .nlmsg_seq = sequence,
        },
    };
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    ssize_t sent = sendto(socket, &request, sizeof request, 0, (struct sockaddr *)&kernel, sizeof kernel);
    return sent == (ssize_t)sizeof request ? 0 : -1;
}

ssize_t clinux_receive_routes(int socket, void *buffer, size_t size) {
    struct sockaddr_nl sender = {0};
    socklen_t length = sizeof sender;
    ssize_t count = recvfrom(socket, buffer, size, 0, (struct sockaddr *)&sender, &length);
    return count > 0 && sender.nl_pid != 0 ? 0 : count;
}
