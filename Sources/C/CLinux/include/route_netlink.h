/// The kernel's messages about links, addresses and routes. Swift's Glibc module does not include these
/// headers.
#ifndef CLINUX_ROUTE_NETLINK_H
#define CLINUX_ROUTE_NETLINK_H

#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <sys/types.h>

/// Returns a socket that receives changes to links, addresses and routes, non-blocking and close-on-exec; -1,
/// with errno set, on failure.
int clinux_open_route_socket(void);

/// Requests all entries of one kind (RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE). The responses contain
/// `sequence`.
int clinux_request_routes(int socket, uint16_t kind, uint32_t sequence);

/// Reads a datagram of messages into `buffer`. Returns the size of the datagram; 0 if the sender is not the
/// kernel; -1, with errno set, on failure.
ssize_t clinux_receive_routes(int socket, void *buffer, size_t size);

#endif
