import CLinux
import Glibc

/// A kernel message about a link, an address or a route, with only the fields that the daemon needs.
struct RouteMessage: Hashable, Sendable {
    /// The sequence number of the request that the message answers; 0 if the message reports a change.
    var sequence: UInt32
    var content: Content

    enum Content: Hashable, Sendable {
        case link(Link, present: Bool)
        case address(Address, present: Bool)
        case defaultRoute(DefaultRoute, present: Bool)
        /// The message that terminates a dump.
        case end
        case other
    }

    struct Link: Hashable, Sendable {
        var index: Int32
        var isUp: Bool
        /// Whether the link has a carrier; always `true` for links that have no carrier detection.
        var isRunning: Bool
    }

    /// An address whose scope is not limited to the link or the host.
    struct Address: Hashable, Sendable {
        var link: Int32
        var bytes: [UInt8]
        /// Whether duplicate address detection is still running, so that the address is not yet usable.
        var isTentative: Bool
    }

    struct DefaultRoute: Hashable, Sendable {
        var family: UInt8
        var link: Int32
        var gateway: [UInt8]
        var metric: UInt32
    }

    /// Parses the messages in a datagram. Omits truncated messages. Messages of unknown types have the
    /// content `other`.
    static func parseMessages(in datagram: ArraySlice<UInt8>) -> [RouteMessage] {
        var messages: [RouteMessage] = []
        var rest = datagram
        while let length = rest.number(at: 0, as: UInt32.self).map(Int.init), length >= 16,
            length <= rest.count
        {
            messages.append(RouteMessage(rest.prefix(length)))
            rest = rest.dropFirst(alignedLength(length))
        }
        return messages
    }

    init(sequence: UInt32, content: Content) {
        self.sequence = sequence
        self.content = content
    }

    /// Parses a complete message, including its 16-byte header.
    private init(_ bytes: ArraySlice<UInt8>) {
        let kind = Int32(bytes.number(at: 4, as: UInt16.self) ?? 0)
        sequence = bytes.number(at: 8, as: UInt32.self) ?? 0
        let body = bytes.dropFirst(16)
        let content: Content? =
            switch kind {
            case Int32(RTM_NEWLINK), Int32(RTM_DELLINK):
                Link(body).map { .link($0, present: kind == Int32(RTM_NEWLINK)) }
            case Int32(RTM_NEWADDR), Int32(RTM_DELADDR):
                Address(body).map { .address($0, present: kind == Int32(RTM_NEWADDR)) }
            case Int32(RTM_NEWROUTE), Int32(RTM_DELROUTE):
                DefaultRoute(body).map { .defaultRoute($0, present: kind == Int32(RTM_NEWROUTE)) }
            case NLMSG_DONE, NLMSG_ERROR: .end
            default: nil
            }
        self.content = content ?? .other
    }
}

extension RouteMessage.Link {
    /// Parses `struct ifinfomsg`. Returns `nil` for the loopback interface.
    fileprivate init?(_ body: ArraySlice<UInt8>) {
        guard let index = body.number(at: 4, as: Int32.self), let flags = body.number(at: 8, as: UInt32.self),
            flags & UInt32(IFF_LOOPBACK) == 0
        else { return nil }
        self.init(
            index: index, isUp: flags & UInt32(IFF_UP) != 0, isRunning: flags & UInt32(IFF_RUNNING) != 0)
    }
}

extension RouteMessage.Address {
    /// Parses `struct ifaddrmsg`. Returns `nil` for an address with host or link scope.
    fileprivate init?(_ body: ArraySlice<UInt8>) {
        guard let flags = body.number(at: 2, as: UInt8.self), let scope = body.number(at: 3, as: UInt8.self),
            Int32(scope) < Int32(RT_SCOPE_LINK.rawValue), let link = body.number(at: 4, as: Int32.self)
        else { return nil }
        let attributes = RouteAttributes(body.dropFirst(8))
        guard let bytes = attributes[Int32(IFA_LOCAL)] ?? attributes[Int32(IFA_ADDRESS)] else { return nil }
        self.init(link: link, bytes: Array(bytes), isTentative: Int32(flags) & Int32(IFA_F_TENTATIVE) != 0)
    }
}

extension RouteMessage.DefaultRoute {
    /// Parses `struct rtmsg`. Returns `nil` if the message is not about a default route in the main table.
    fileprivate init?(_ body: ArraySlice<UInt8>) {
        guard let family = body.first, body.number(at: 1, as: UInt8.self) == 0,
            body.number(at: 4, as: UInt8.self).map(Int32.init) == Int32(RT_TABLE_MAIN.rawValue),
            body.number(at: 7, as: UInt8.self).map(Int32.init) == Int32(RTN_UNICAST)
        else { return nil }
        let attributes = RouteAttributes(body.dropFirst(12))
        self.init(
            family: family, link: attributes[Int32(RTA_OIF.rawValue)]?.number(at: 0, as: Int32.self) ?? 0,
            gateway: attributes[Int32(RTA_GATEWAY.rawValue)].map(Array.init) ?? [],
            metric: attributes[Int32(RTA_PRIORITY.rawValue)]?.number(at: 0, as: UInt32.self) ?? 0)
    }
}

/// The attributes that follow the fixed part of a route message. Each attribute has a length, a type and a
/// value.
private struct RouteAttributes {
    private var values: [Int32: ArraySlice<UInt8>] = [:]

    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let length = rest.number(at: 0, as: UInt16.self).map(Int.init), length >= 4,
            length <= rest.count,
            let kind = rest.number(at: 2, as: UInt16.self)
        {
            values[Int32(kind)] = rest.prefix(length).dropFirst(4)
            rest = rest.dropFirst(alignedLength(length))
        }
    }

    subscript(kind: Int32) -> ArraySlice<UInt8>? { values[kind] }
}

/// Rounds up to a multiple of 4, which is the alignment of messages and attributes.
func alignedLength(_ length: Int) -> Int { (length + 3) & ~3 }

extension ArraySlice<UInt8> {
    /// Reads a number in native byte order. `offset` is relative to the start of the slice. Returns `nil` if
    /// the slice is too short.
    func number<Number: FixedWidthInteger>(at offset: Int, as: Number.Type) -> Number? {
        let size = MemoryLayout<Number>.size
        guard offset + size <= count else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
    }
}
