public import Reasons

/// The base URL of an API: scheme, host, port and the path before `/v1`. The scheme is HTTPS; plain HTTP is
/// accepted only for loopback hosts.
public struct APIAddress: Hashable, Sendable {
    public enum Scheme: String, Hashable, Sendable {
        case http, https
    }

    public let scheme: Scheme
    /// The host of the URL in lower case; an IPv6 address has no brackets.
    public let host: String
    /// The port of the URL; `nil` for the default port of the scheme.
    public let port: Int?
    /// The path of the URL, which starts with a slash and does not end with a slash; empty if the URL has no
    /// path.
    public let path: String
    /// Whether the host is in 127.0.0.0/8, is ::1 or is `localhost`.
    public let isLoopback: Bool

    /// The production server of the hosted service.
    public static let production = APIAddress(secureHost: "api.cuti-e.com")
    /// The sandbox of the hosted service.
    public static let hostedSandbox = APIAddress(secureHost: "cutie-worker-sandbox.invotekas.workers.dev")

    private init(secureHost host: String) {
        self.init(scheme: .https, host: host, port: nil, path: "", isLoopback: false)
    }

    init(scheme: Scheme, host: String, port: Int?, path: String, isLoopback: Bool) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.isLoopback = isLoopback
    }

    /// Scheme, host and port. Secrets are valid only for this origin.
    public var origin: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return scheme.rawValue + "://" + name + (port.map { ":\($0)" } ?? "")
    }

    /// Returns the complete URL of `request`.
    public func url(of request: APIRequest) -> String { origin + path + request.target }

    /// Parses a base URL, such as `https://api.cuti-e.com` or `http://127.0.0.1:8787/`.
    public init(_ text: String) throws(ParseError) {
        try Self.checkCharacters(of: text)
        let (scheme, rest) = try Self.splitScheme(from: text)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        guard !authority.contains("@") else { throw .userInformation }
        guard !rest.contains(where: { $0 == "?" || $0 == "#" }) else { throw .queryOrFragment }
        let (hostText, portText) = try Self.splitAuthority(authority)
        let host = try Host(hostText)
        guard scheme == .https || host.isLoopback else { throw .plainHTTP }
        self.init(
            scheme: scheme, host: host.name, port: try Self.parseNonDefaultPort(portText, scheme: scheme),
            path: try Self.parsePath(rest[slash...]), isLoopback: host.isLoopback)
    }

    /// Rejects spaces, control characters, backslashes and non-ASCII characters, because URL parsers
    /// interpret these characters differently.
    private static func checkCharacters(of text: String) throws(ParseError) {
        let foreign = text.utf8.contains { byte in
            byte <= 0x20 || byte >= 0x7F || #"\"<>^`{|}"#.utf8.contains(byte)
        }
        guard !foreign, text.utf8.count <= 2048 else { throw .characters }
    }

    private static func splitScheme(from text: String) throws(ParseError) -> (Scheme, Substring) {
        guard let colon = text.firstIndex(of: ":") else { throw .scheme }
        guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else { throw .scheme }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { throw .scheme }
        return (scheme, rest.dropFirst(2))
    }

    private static func splitAuthority(_ authority: Substring) throws(ParseError) -> (
        host: Substring, port: Substring?
    ) {
        let end: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw .numericHost }
            end = authority.index(after: bracket)
        } else {
            end = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let rest = authority[end...]
        guard !rest.isEmpty else { return (authority, nil) }
        guard rest.hasPrefix(":") else { throw .host }
        return (authority[..<end], rest.dropFirst())
    }

    private static func parseNonDefaultPort(_ text: Substring?, scheme: Scheme) throws(ParseError) -> Int? {
        guard let text else { return nil }
        let digits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits, text.utf8.count <= 5, let port = Int(text), (1...65535).contains(port) else {
            throw .port
        }
        return port == (scheme == .https ? 443 : 80) ? nil : port
    }

    /// Returns the path without trailing slashes. Rejects the segments `.` and `..`, because only some HTTP
    /// clients resolve these segments before they send the request.
    private static func parsePath(_ text: Substring) throws(ParseError) -> String {
        let end = text.lastIndex { $0 != "/" }.map(text.index(after:)) ?? text.startIndex
        let path = text[..<end]
        for segment in path.split(separator: "/") {
            let plain = try decodePathSegment(segment)
            guard plain != ".", plain != ".." else { throw .path }
        }
        return String(path)
    }

    private static func decodePathSegment(_ segment: Substring) throws(ParseError) -> String {
        var plain = ""
        var rest = segment.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                plain.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.hexValue),
                let low = rest.popFirst().flatMap(Hexadecimal.hexValue)
            else { throw .path }
            let decoded = high << 4 | low
            guard decoded >= 0x20, decoded != 0x7F else { throw .path }
            plain.unicodeScalars.append(Unicode.Scalar(decoded))
        }
        return plain
    }

    /// A host name or an IP address, restricted to forms that all URL parsers interpret in the same way.
    struct Host {
        let name: String
        let isLoopback: Bool

        private init(name: String, isLoopback: Bool) {
            self.name = name
            self.isLoopback = isLoopback
        }

        init(_ text: Substring) throws(ParseError) {
            let name = text.lowercased()
            if name.hasPrefix("[") {
                let inner = name.dropFirst().dropLast()
                guard let address = IPv6Address(inner) else { throw .numericHost }
                self.init(name: String(inner), isLoopback: address.isLoopback)
            } else if Self.looksNumeric(name) {
                // Accept only strict IPv4 addresses: some parsers interpret `127.1`, `0x7f.0.0.1` and
                // `0177.0.0.1` as 127.0.0.1, others as host names.
                guard let address = IPv4Address(name) else { throw .numericHost }
                self.init(name: name, isLoopback: address.isLoopback)
            } else {
                guard Self.isValidName(name) else { throw .host }
                self.init(name: name, isLoopback: name == "localhost")
            }
        }

        /// Returns whether the last label of the host consists of digits or begins with `0x`, so that a URL
        /// parser may interpret the host as an IPv4 address.
        private static func looksNumeric(_ name: String) -> Bool {
            guard let last = name.split(separator: ".", omittingEmptySubsequences: true).last else {
                return false
            }
            return last.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
                && (last.hasPrefix("0x")
                    || last.utf8.allSatisfy { Hexadecimal.hexValue(of: $0).map { $0 < 10 } == true })
        }

        private static func isValidName(_ name: String) -> Bool {
            guard (1...253).contains(name.utf8.count) else { return false }
            return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy(isLabelByte)
            }
        }

        private static func isLabelByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }

    /// The reason why a string is not a valid base URL. The string itself is not included, because it may
    /// contain a password.
    public enum ParseError: Error, Hashable, Sendable, CaseIterable {
        case characters
        case scheme
        case plainHTTP
        case userInformation
        case queryOrFragment
        case host
        case numericHost
        case port
        case path
    }
}

extension APIAddress: CustomStringConvertible {
    public var description: String { origin + path }
}

extension APIAddress.ParseError: ReasonedError {
    /// A message that describes the mistake and how to correct it.
    public var reason: Reason {
        switch self {
        case .characters: Reason(.apiAddressCharacters)
        case .scheme: Reason(.apiAddressScheme)
        case .plainHTTP: Reason(.apiAddressNotEncrypted)
        case .userInformation: Reason(.apiAddressUser)
        case .queryOrFragment: Reason(.apiAddressQuery)
        case .host: Reason(.apiAddressHost)
        case .numericHost: Reason(.apiAddressNumericHost)
        case .port: Reason(.apiAddressPort)
        case .path: Reason(.apiAddressPath)
        }
    }
}
