import CLinux
import Glibc
import Runtime

public enum NetworkChanges {
    /// Returns a stream with an element for each network change that affects connections: an address, a
    /// default route, or the carrier of a link with an address appears or disappears. Several changes may be
    /// merged into one element. Does not report the initial state.
    public static func watch() throws(SystemFailure) -> AsyncStream<Void> {
        let socket = try Descriptor(clinux_open_route_socket(), resultOf: "open a route socket")
        let listener = RouteListener()
        try listener.requestDump(on: socket.number)
        return DescriptorEvents.makeStream(of: socket) { listener.readMessages(from: $0) }
    }

    /// Returns whether a network interface (other than loopback) is up and has an address that is not
    /// link-local. Without such an interface, no other host can be reached. Also returns `true` if the
    /// addresses cannot be read.
    public static func hasUsableInterface() -> Bool {
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
        // Read the address family from memory instead of using the member `sa_family`: the member is declared
        // by a C macro, and Swift assigns such a declaration to whichever module was built first.
        switch Int32(UnsafeRawPointer(address).load(as: sa_family_t.self)) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                // 169.254.0.0/16 is link-local.
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 16 != 0xA9FE
            }
        case AF_INET6:
            // Only link-local addresses (fe80::/10) have a scope ID.
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { $0.pointee.sin6_scope_id == 0 }
        default: false
        }
    }
}

/// A reader of kernel messages on a route socket. The reader requests a dump of the current links, addresses
/// and routes, and then receives changes. The three dumps are requested in sequence, because the kernel
/// processes one request at a time.
private final class RouteListener: Sendable {
    private let progress = Locked(Progress())

    private struct Progress {
        var state = NetworkState()
        var remainingRequests: [UInt16] = []
        var sequence: UInt32 = 0
    }

    /// Requests the initial dump of the network state. Must be called once, before `readMessages`.
    func requestDump(on socket: Int32) throws(SystemFailure) {
        guard progress.withLock({ Self.restartDump(updating: &$0, on: socket) }) else {
            throw SystemFailure("ask for routes")
        }
    }

    /// Reads all pending messages. Returns whether the network changed.
    func readMessages(from socket: Int32) -> Bool {
        progress.withLock { progress in
            var changed = false
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = clinux_receive_routes(socket, &buffer, buffer.count)
                if count >= 0 {
                    for message in RouteMessage.parseMessages(in: buffer[..<count]) {
                        changed = Self.apply(message, to: &progress, socket: socket) || changed
                    }
                } else if errno == ENOBUFS {
                    // The socket buffer overflowed and messages were lost, so request a new dump.
                    _ = Self.restartDump(updating: &progress, on: socket)
                    changed = true
                } else if errno != EINTR {
                    return changed
                }
            }
        }
    }

    private static func apply(_ message: RouteMessage, to progress: inout Progress, socket: Int32) -> Bool {
        let isNews = message.sequence != progress.sequence || progress.remainingRequests.isEmpty
        if message.content == .end, !isNews {
            progress.remainingRequests.removeFirst()
            _ = requestNextDump(updating: &progress, on: socket)
        }
        return progress.state.apply(message.content) && isNews
    }

    private static func restartDump(updating progress: inout Progress, on socket: Int32) -> Bool {
        progress.state = NetworkState()
        progress.remainingRequests = [UInt16(RTM_GETLINK), UInt16(RTM_GETADDR), UInt16(RTM_GETROUTE)]
        return requestNextDump(updating: &progress, on: socket)
    }

    private static func requestNextDump(updating progress: inout Progress, on socket: Int32) -> Bool {
        guard let question = progress.remainingRequests.first else { return true }
        progress.sequence += 1
        return clinux_request_routes(socket, question, progress.sequence) == 0
    }
}

/// The known links, addresses and routes. A message that matches this state is not a change: the kernel
/// repeats a link after each wireless scan, and an address or route whenever its lifetime is renewed.
struct NetworkState: Sendable {
    private var links: [Int32: Bool] = [:]
    private var addresses: [AddressKey: Bool] = [:]
    private var routes: Set<RouteMessage.DefaultRoute> = []

    private struct AddressKey: Hashable {
        var link: Int32
        var bytes: [UInt8]
    }

    /// Applies a message. Returns whether the change may break connections or make new connections possible.
    mutating func apply(_ content: RouteMessage.Content) -> Bool {
        switch content {
        case .link(let link, let present): apply(link, isPresent: present)
        case .address(let address, let present): apply(address, isPresent: present)
        case .defaultRoute(let route, true): routes.insert(route).inserted
        case .defaultRoute(let route, false): routes.remove(route) != nil
        case .end, .other: false
        }
    }

    /// Applies a link message. Ignores links without an address, such as those of containers, because such
    /// links do not affect connections.
    private mutating func apply(_ link: RouteMessage.Link, isPresent present: Bool) -> Bool {
        let isUp = present && link.isUp && link.isRunning
        let before = links.updateValue(isUp, forKey: link.index) ?? false
        if !present { links[link.index] = nil }
        // The kernel removes the routes of a disabled link without sending messages.
        if !present || !link.isUp { routes = routes.filter { $0.link != link.index } }
        return before != isUp && addresses.keys.contains { $0.link == link.index }
    }

    private mutating func apply(_ address: RouteMessage.Address, isPresent present: Bool) -> Bool {
        let key = AddressKey(link: address.link, bytes: address.bytes)
        let before = addresses[key] ?? false
        addresses[key] = present ? !address.isTentative : nil
        return before != (present && !address.isTentative)
    }
}
