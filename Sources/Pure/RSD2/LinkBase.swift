import CutieAPI
import OAuth

/// What a link of a document is read from, by the three cases: absolute, from the host, from the place.
struct LinkBase {
    private let origin: String
    /// It ends with a slash.
    private let directory: String
    private let isLoopback: Bool

    /// What follows `?` is no part of the place.
    init(directory: EndpointURL) {
        let path = directory.description.prefix { $0 != "?" }
        let end = path.lastIndex { $0 != "/" }.map(path.index(after:)) ?? path.startIndex
        self.init(origin: directory.origin, directory: path[..<end] + "/")
    }

    init(hostOf url: EndpointURL) { self.init(origin: url.origin, directory: url.origin + "/") }

    private init(origin: String, directory: String) {
        (self.origin, self.directory) = (origin, directory)
        isLoopback = Self.isLoopback(origin)
    }

    enum Problem: Error {
        case empty
        /// `//host/x`, which looks like the second case, and is another host.
        case hostOnly
        case address(APIAddress.Invalid)
        /// A service elsewhere has no business with what listens on this machine.
        case loopback

        var sentence: String {
            switch self {
            case .empty: "it has no link"
            case .hostOnly: "its link begins with //, which names another host"
            case .address(let reason): "its link cannot be used: \(reason)"
            case .loopback: "its link leads to this machine, and the service is elsewhere"
            }
        }
    }

    /// `..` and the like are refused, as programs read them differently.
    func url(_ link: String) throws(Problem) -> EndpointURL {
        guard !link.isEmpty else { throw .empty }
        guard !link.hasPrefix("//") else { throw .hostOnly }
        let text = Self.hasScheme(link) ? link : link.hasPrefix("/") ? origin + link : directory + link
        let url: EndpointURL
        do { url = try EndpointURL(text) } catch { throw .address(error) }
        guard isLoopback || !Self.isLoopback(url.origin) else { throw .loopback }
        return url
    }

    /// RFC 3986 §3.1. `C:x` and `javascript:x` have one, too, and are no address.
    private static func hasScheme(_ link: String) -> Bool {
        link.firstIndex { ":/?#".contains($0) }.map { link[$0] == ":" } ?? false
    }

    private static func isLoopback(_ origin: String) -> Bool {
        (try? APIAddress(origin))?.isLoopback ?? false
    }
}
