/// Kernel messages about links, addresses and routes (rtnetlink). The headers are missing from Swift's Glibc
/// module.
#ifndef CLINUX_ROUTE_NETLINK_H
#define CLINUX_ROUTE_NETLINK_H

#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <sys/types.h>

/// Opens a socket that receives changes of links, addresses and routes (non-blocking, close-on-exec). On
/// failure, returns -1 and sets errno.
int clinux_open_route_socket(void);

/// Requests a dump of all links, addresses or routes (`kind`: RTM_GETLINK, RTM_GETADDR or RTM_GETROUTE). The
/// kernel copies `sequence` to its responses.
int clinux_request_routes(int socket, uint16_t kind, uint32_t sequence);

/// Receives a datagram of messages. Returns the size of the datagram; 0 if the kernel did not send the
/// datagram. On failure, returns -1 and sets errno.
ssize_t clinux_receive_routes(int socket, void *buffer, size_t size);

#endif
