import CCurl
import Glibc

/// A URL, parsed by libcurl. The same parser is used for checks and for requests, so a URL cannot pass a
/// check and then be interpreted differently.
struct URLAddress {
    /// The absolute, normalized URL as text.
    let url: String
    let origin: Origin
    let hasCredentials: Bool

    /// The origin of a URL. The headers of an account are sent only to the account's own origin.
    struct Origin: Equatable {
        let scheme: String
        let host: String
        let port: String
    }

    /// Parses `url`, which may be relative to `base`. Returns `nil` if the URL is invalid.
    init?(_ url: String, relativeTo base: URLAddress? = nil) {
        // Reject NUL, because libcurl would ignore the text after it.
        guard !url.utf8.contains(0), let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        if let base, curl_url_set(handle, CURLUPART_URL, base.url, 0) != CURLUE_OK { return nil }
        guard curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
            let whole = Self.component(CURLUPART_URL, of: handle),
            let scheme = Self.component(CURLUPART_SCHEME, of: handle),
            let host = Self.component(CURLUPART_HOST, of: handle),
            let port = Self.component(CURLUPART_PORT, of: handle, flags: CURLU_DEFAULT_PORT)
        else { return nil }
        self.url = whole
        origin = Origin(scheme: scheme.lowercased(), host: host.lowercased(), port: port)
        hasCredentials = Self.component(CURLUPART_USER, of: handle) != nil
    }

    private static func component(
        _ part: CURLUPart, of handle: OpaquePointer, flags: Int32 = 0
    ) -> String? {
        guard let text = ccurl_url_part(handle, part, UInt32(flags)) else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

extension URLAddress.Origin {
    /// The host, with the port unless it is the default port of the scheme.
    var authority: String {
        port == (scheme == "https" ? "443" : "80") ? host : host + ":" + port
    }

    /// Whether the host is an IP address, or a name that always resolves to this computer (RFC 6761). A proxy
    /// must not resolve these hosts differently.
    var hasIPAddress: Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name.hasPrefix("[") || PeerAddress(name) != nil { return true }
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// Whether the host is in 127.0.0.0/8, is ::1, or is `localhost`, which libcurl always resolves to a
    /// loopback address.
    var isLoopback: Bool {
        if host == "localhost" { return true }
        if host.hasPrefix("[") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else {
                return false
            }
            return withUnsafeBytes(of: address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        }
        var address = in_addr()
        guard inet_pton(AF_INET, host, &address) == 1 else { return false }
        return UInt32(bigEndian: address.s_addr) >> 24 == 127
    }
}
