import CCurl
import Glibc

/// A URL parsed by libcurl, so that checks apply to exactly the URL that is requested.
struct URLAddress {
    /// The absolute, normalized URL.
    let url: String
    let origin: Origin
    let hasCredentials: Bool

    /// The origin of a URL. Only the account's own origin may receive its headers.
    struct Origin: Equatable {
        let scheme: String
        let host: String
        let port: String
    }

    /// Parses `url`, relative to `base` if that is not `nil`; `nil` if `url` is not a valid URL.
    init?(_ url: String, relativeTo base: URLAddress? = nil) {
        // libcurl would ignore everything after a NUL.
        guard !url.utf8.contains(0), let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        if let base, curl_url_set(handle, CURLUPART_URL, base.url, 0) != CURLUE_OK { return nil }
        guard curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
            let whole = Self.component(CURLUPART_URL, of: handle),
            let scheme = Self.component(CURLUPART_SCHEME, of: handle),
            let host = Self.component(CURLUPART_HOST, of: handle),
            let port = Self.component(CURLUPART_PORT, of: handle, CURLU_DEFAULT_PORT)
        else { return nil }
        self.url = whole
        origin = Origin(scheme: scheme.lowercased(), host: host.lowercased(), port: port)
        hasCredentials = Self.component(CURLUPART_USER, of: handle) != nil
    }

    private static func component(
        _ part: CURLUPart, of handle: OpaquePointer, _ flags: Int32 = 0
    ) -> String? {
        guard let text = ccurl_url_part(handle, part, UInt32(flags)) else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

extension URLAddress.Origin {
    /// Whether the host is an IP address, or a name that always resolves to this computer (RFC 6761). A proxy
    /// must not resolve these hosts differently.
    var isAddress: Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        if name.hasPrefix("[") || PeerAddress(name) != nil { return true }
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// Whether the host is 127.0.0.0/8, ::1 or `localhost`, which libcurl always resolves to loopback.
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
