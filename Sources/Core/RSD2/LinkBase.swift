import CutieAPI
public import OAuth
import Reasons

/// The base URL for relative links in a service description.
///
/// The rules of the RSD2 specification differ from RFC 3986: a relative link is appended to the complete base
/// URL, whose last segment is not removed.
struct LinkBase {
    /// The base URL; `nil` if the document does not contain the URL of the service.
    let address: EndpointURL?

    enum Problem: Error {
        /// The link is relative, but the document has no base URL.
        case noBase
        /// The link contains a host but no scheme, such as `//host/x`.
        case hostOnly
        /// The link has a scheme without `://`, such as `javascript:x` or `C:x`.
        case scheme
        /// The base URL has a query, so no path can be appended to it.
        case baseWithQuery
        case address(APIAddress.ParseError)
        /// The link of a remote service points to this computer.
        case loopback

        var reason: Reason {
            switch self {
            case .noBase: Reason(.linkWithoutBase)
            case .hostOnly: Reason(.linkWithoutScheme)
            case .scheme: Reason(.linkWithOtherScheme)
            case .baseWithQuery: Reason(.linkBaseWithQuery)
            case .address(.plainHTTP): Reason(.linkNotEncrypted)
            case .address(let problem): Reason(.linkInvalid, because: problem.reason)
            case .loopback: Reason(.linkToThisComputer)
            }
        }
    }

    /// Resolves `link` to a URL. An empty link is resolved to the base URL.
    func resolveURL(_ link: String) throws(Problem) -> EndpointURL {
        if Self.isAbsolute(link) { return try validatedURL(link) }
        guard !Self.hasScheme(link) else { throw .scheme }
        guard !link.hasPrefix("//") else { throw .hostOnly }
        guard let address else { throw .noBase }
        guard !link.isEmpty else { return address }
        let base = address.description
        guard !base.contains("?") else { throw .baseWithQuery }
        // Ignore a slash at the start of the link, because some documents contain one.
        return try validatedURL((base.hasSuffix("/") ? base : base + "/") + link.drop { $0 == "/" })
    }

    private func validatedURL(_ text: String) throws(Problem) -> EndpointURL {
        let url: EndpointURL
        do { url = try EndpointURL(text) } catch { throw .address(error) }
        if let address, url.isLoopback, !address.isLoopback { throw .loopback }
        return url
    }

    /// Returns whether a link is absolute: it has `://` without a preceding `:` or `/`.
    static func isAbsolute(_ link: String) -> Bool {
        guard let end = link.firstIndex(where: { $0 == ":" || $0 == "/" }) else { return false }
        return link[end...].hasPrefix("://")
    }

    /// Returns whether the link starts with a scheme (RFC 3986, section 3.1).
    static func hasScheme(_ link: some StringProtocol) -> Bool {
        link.firstIndex { ":/?#".contains($0) }.map { link[$0] == ":" } ?? false
    }
}

extension EndpointURL {
    /// The host of the URL, followed by the port if it is not the default port.
    public var host: String { String(origin.drop { $0 != "/" }.dropFirst(2)) }

    public var isLoopback: Bool { (try? APIAddress(origin))?.isLoopback ?? false }

    /// The URL without its query and without the last segment of its path; ends with a slash.
    var directory: EndpointURL? { try? EndpointURL(directoryText) }

    var directoryText: String {
        // The first three parts are the scheme, an empty string and the authority.
        let parts = withoutQuery.split(separator: "/", omittingEmptySubsequences: false)
        return (parts.count > 3 ? parts.dropLast() : parts).joined(separator: "/") + "/"
    }

    var withoutQuery: Substring { description.prefix { $0 != "?" } }
}
