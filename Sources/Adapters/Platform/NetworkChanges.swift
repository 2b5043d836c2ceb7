import CLinux
import Glibc
import Threads

/// Tells when the network changed in a way that connections notice.
public enum NetworkChanges {
    /// An element when an address, a default route or the carrier of a link with an address comes or goes, or
    /// for several of them at once. No element for what is there at first.
    public static func watch() throws(SystemFailure) -> AsyncStream<Void> {
        let socket = try Descriptor(clinux_open_route_socket(), from: "open a route socket")
        let listener = RouteListener()
        try listener.start(socket.number)
        return DescriptorEvents.stream(of: socket) { listener.read($0) }
    }

    /// Whether a link that is up, other than the loopback, has an address that reaches beyond it: without one
    /// an attempt to reach another machine is in vain. True where that cannot be found out.
    public static func hasRoute() -> Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return true }
        defer { freeifaddrs(list) }
        var rest = list
        while let entry = rest?.pointee {
            if isUsable(entry) { return true }
            rest = entry.ifa_next
        }
        return false
    }

    private static func isUsable(_ entry: ifaddrs) -> Bool {
        let wanted = UInt32(IFF_UP | IFF_RUNNING), loopback = UInt32(IFF_LOOPBACK)
        guard let address = entry.ifa_addr else { return false }
        return entry.ifa_flags & (wanted | loopback) == wanted && reachesBeyondLink(address)
    }

    private static func reachesBeyondLink(_ address: UnsafeMutablePointer<sockaddr>) -> Bool {
        // Not sa_family: a macro makes that member, and it counts as of whichever module was built first.
        switch Int32(UnsafeRawPointer(address).load(as: sa_family_t.self)) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                // 169.254.0.0/16
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 16 != 0xA9FE
            }
        case AF_INET6:
            // fe80::/10 has a scope id, the others have none.
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_scope_id == 0 }
        default: false
        }
    }
}
