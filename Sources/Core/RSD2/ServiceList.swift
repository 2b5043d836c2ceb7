import CutieAPI
public import OAuth
public import Reasons

/// The links to service descriptions that a host publishes, in `services.txt` or in a web page.
///
/// A link may point to another host. A description from another host is valid only if
/// `ServiceDescription.hasSameOrigin(as:)` returns true for its URL.
public struct ServiceList: Hashable, Sendable {
    /// The maximum size of a list in bytes. A web page may be larger, but only the start of the page, up to
    /// this size, is read.
    public static let sizeLimit = 256 << 10
    private static let linkLimit = 64
    /// The default cache time in seconds: one day.
    public static let defaultFreshness = 86_400
    /// The maximum cache time in seconds: 30 days.
    private static let maxFreshness = 30 * 86_400

    /// The links to JSON and YAML documents, in document order and without duplicates.
    public private(set) var links: [EndpointURL] = []
    /// The time in seconds for which the documents may be cached.
    public private(set) var freshness = defaultFreshness
    /// Whether the host offers a description in XML, which is not supported.
    public private(set) var offersXML = false
    /// The reasons why links to JSON and YAML documents were skipped, without duplicates. The reasons
    /// contain no text of the document.
    public private(set) var problems: [Reason] = []

    /// The reason why a document is not a valid list. The text of the document is not included, because it is
    /// untrusted.
    public enum ParseError: ReasonedError, Hashable, Sendable, CaseIterable {
        case tooLarge
        case tooManyLinks
        case notUTF8
        /// The document is a web page, which some servers return for a missing file.
        case page

        public var reason: Reason {
            switch self {
            case .tooLarge: Reason(.serviceListTooLarge, ["limit": String(ServiceList.sizeLimit >> 10)])
            case .tooManyLinks: Reason(.serviceListTooLong, ["limit": String(ServiceList.linkLimit)])
            case .notUTF8: Reason(.serviceListNotUTF8)
            case .page: Reason(.serviceListIsPage)
            }
        }
    }

    /// Parses `services.txt`, which contains one `TYPE; URI` per line. Skips comments, unknown types, and
    /// URIs without a type. A line `ttl: SECONDS` before the first link sets `freshness`.
    ///
    /// - Parameter host: the URL of the host. Relative links are resolved against the root of the host.
    public init(_ text: [UInt8], at host: EndpointURL) throws(ParseError) {
        let text = try Self.parseLink(text)
        guard text.first(where: { !$0.isWhitespace }) != "<" else { throw .page }
        let root = LinkBase(address: try? EndpointURL(host.origin + "/"))
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ";", maxSplits: 1).map {
                ServiceDocumentParser.trimmed(String($0))
            }
            if parts.count == 2, let link = parts[1].split(whereSeparator: \.isWhitespace).first {
                try addLink(String(link), type: parts[0]) { (link) throws(LinkBase.Problem) in
                    try root.resolveURL(link)
                }
            } else if links.isEmpty, let seconds = Self.parseTimeToLive(ofLine: String(line)) {
                freshness = min(max(seconds, 0), Self.maxFreshness)
            }
        }
    }

    /// Parses the `<link rel="ServiceAPI">` elements of a web page.
    ///
    /// - Parameter address: the URL of the page, against which relative links are resolved (RFC 3986).
    public init(page text: [UInt8], at address: EndpointURL) throws(ParseError) {
        // Read only the start of a large page, because the links are in its head. Decoding as UTF-8 also
        // works for other encodings, such as ISO 8859-1, because tags are ASCII.
        let start = ServiceDocumentParser.removingByteOrderMark(from: text).prefix(Self.sizeLimit)
        var tags = HTMLTags(String(decoding: start, as: UTF8.self))
        var base: EndpointURL?
        while let tag = tags.nextTag() {
            // Only the first `base` with an `href` counts, even if its URL is not usable (HTML, section
            // 4.2.3).
            if tag.name == "base", base == nil, let link = tag["href"] {
                base = (try? address.resolveLink(link)) ?? address
            }
            guard tag.name == "link", let link = tag["href"],
                tag.words(ofAttribute: "rel").contains("serviceapi")
            else {
                continue
            }
            // The content of a document shows its format, so a link does not need a type.
            try addLink(link, type: tag["type"] ?? "application/x-rsd+json") {
                (link) throws(LinkBase.Problem) in
                try (base ?? address).resolveLink(link)
            }
        }
    }

    /// Returns the number in a line `ttl: SECONDS`; `nil` for any other line.
    private static func parseTimeToLive(ofLine line: String) -> Int? {
        let line = ServiceDocumentParser.trimmed(line)
        guard line.hasPrefix("ttl:") else { return nil }
        return Int(ServiceDocumentParser.trimmed(String(line.dropFirst(4))))
    }

    private static func parseLink(_ text: [UInt8]) throws(ParseError) -> String {
        guard text.count <= sizeLimit else { throw .tooLarge }
        guard
            let text = String(
                validating: ServiceDocumentParser.removingByteOrderMark(from: text), as: UTF8.self)
        else {
            throw .notUTF8
        }
        return text
    }

    private mutating func addLink(
        _ link: String, type: String, _ resolve: (String) throws(LinkBase.Problem) -> EndpointURL?
    ) throws(ParseError) {
        // Accept types without `x-`, as in earlier editions of the specification, which Moodle's plugin
        // follows.
        switch type.lowercased().replacing("application/x-rsd+", with: "application/rsd+") {
        case "application/rsd+json", "application/rsd+yaml":
            let url: EndpointURL?
            do throws(LinkBase.Problem) { url = try resolve(link) } catch {
                if !problems.contains(error.reason) { problems.append(error.reason) }
                return
            }
            guard let url, !links.contains(url) else { return }
            guard links.count < Self.linkLimit else { throw .tooManyLinks }
            links.append(url)
        case "application/rsd+xml": offersXML = true
        default: break
        }
    }
}

extension EndpointURL {
    /// Resolves a link in a page (RFC 3986, section 5.2) without its fragment. Returns `nil` for a link to
    /// the page itself, because a page is not a description.
    fileprivate func resolveLink(_ link: String) throws(LinkBase.Problem) -> EndpointURL? {
        let link = ServiceDocumentParser.trimmed(link).prefix { $0 != "#" }
        guard let first = link.first else { return nil }
        let target: String
        if LinkBase.hasScheme(link) {
            target = String(link)
        } else if link.hasPrefix("//") {
            target = String(origin.prefix { $0 != "/" }) + link
        } else if first == "/" {
            target = origin + link
        } else if first == "?" {
            target = String(withoutQuery) + link
        } else {
            target = directoryText + link
        }
        return try LinkBase(address: self).resolveURL(Self.removingDotSegments(from: target))
    }

    /// Removes the segments `.` and `..` of an absolute URL (RFC 3986, section 5.2.4).
    private static func removingDotSegments(from url: String) -> String {
        let path = url.prefix { $0 != "?" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        var segments: [Substring] = []
        for part in parts.dropFirst(3) {
            switch part {
            case ".": break
            case "..": _ = segments.popLast()
            default: segments.append(part)
            }
        }
        // A path that ends with `.` or `..` names a directory, so the result ends with a slash.
        if parts.count > 3, parts.last == "." || parts.last == ".." { segments.append("") }
        return (parts.prefix(3) + segments).joined(separator: "/") + url[path.endIndex...]
    }
}
