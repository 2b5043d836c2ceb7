import Glibc

/// The IP address and port of a connection's peer.
struct PeerAddress {
    /// The address in network byte order, 4 or 16 bytes.
    private let bytes: [UInt8]
    let port: UInt16

    /// Parses a socket address. Returns `nil` if it is neither IPv4 nor IPv6.
    init?(_ address: UnsafeRawPointer, count: Int) {
        guard count >= MemoryLayout<sockaddr>.size else { return nil }
        switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET where count >= MemoryLayout<sockaddr_in>.size:
            let internet = address.loadUnaligned(as: sockaddr_in.self)
            bytes = withUnsafeBytes(of: internet.sin_addr) { Array($0) }
            port = UInt16(bigEndian: internet.sin_port)
        case AF_INET6 where count >= MemoryLayout<sockaddr_in6>.size:
            let internet = address.loadUnaligned(as: sockaddr_in6.self)
            bytes = withUnsafeBytes(of: internet.sin6_addr) { Array($0) }
            port = UInt16(bigEndian: internet.sin6_port)
        default: return nil
        }
    }

    /// Parses an IP address as written in a URL, without brackets. Returns `nil` for a host name.
    init?(_ text: String) {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
        port = 0
    }

    /// Whether the address is loopback, unspecified, link-local, multicast, reserved, or an IPv6 address that
    /// embeds an IPv4 address. Private network addresses do not count as local, because institutions run
    /// servers there.
    var isLocal: Bool {
        if bytes.count == 4 {
            return switch (bytes[0], bytes[1]) {
            case (0, _), (127, _), (169, 254), (224..., _): true
            default: false
            }
        }
        // ::/96 contains the unspecified address, loopback, and the deprecated IPv4-compatible addresses.
        // ::ffff:0:0/96 contains the IPv4-mapped addresses.
        let isZero = bytes.prefix(10).allSatisfy { $0 == 0 }
        let isIPv4 = isZero && [[0, 0], [0xFF, 0xFF]].contains(Array(bytes[10..<12]))
        let isLink = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        return isIPv4 || isLink || bytes[0] == 0xFF
    }
}

/// The proxy settings in the environment, parsed in the same way as by libcurl.
enum ProxyEnvironment {
    /// The ports of the https proxies. The policy allows connections to these ports on this computer, because
    /// a proxy may run on this computer.
    static var ports: Set<UInt16> {
        let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return Set(names.compactMap { name in getenv(name).flatMap { port(of: String(cString: $0)) } })
    }

    /// Returns the port of a proxy in the form `[scheme://][user@]host[:port][/]`. If the port is absent,
    /// returns libcurl's default port. Returns `nil` if `proxy` is empty or the port is not a number.
    static func port(of proxy: String) -> UInt16? {
        guard !proxy.isEmpty else { return nil }
        let scheme = proxy.firstRange(of: "://")
        let place = proxy[(scheme?.upperBound ?? proxy.startIndex)...].prefix { $0 != "/" }
        let isSecure = scheme.map { proxy[..<$0.lowerBound].lowercased() == "https" } ?? false
        let digits = place.split(separator: ":").last.flatMap { UInt16($0) }
        return place.contains(":") ? digits : isSecure ? 443 : 1080
    }
}
