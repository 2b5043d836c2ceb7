import CutieAPI
public import OAuth
public import Reasons

/// The links to service descriptions that a host publishes in `services.txt` or in a web page.
///
/// A link may point to another host. A description on another host is valid only if
/// `ServiceDescription.isFrom` returns true.
public struct ServiceList: Hashable, Sendable {
    /// The maximum size of a list in bytes. A web page may be larger, but is read only up to this size.
    public static let sizeLimit = 256 << 10
    private static let linkLimit = 64
    /// The default cache time: a day, in seconds.
    public static let defaultFreshness = 86_400
    /// The maximum cache time in seconds, which is a month.
    private static let maxFreshness = 30 * 86_400

    /// The unique links to JSON and YAML documents, in document order.
    public private(set) var links: [EndpointURL] = []
    /// The time in seconds for which the documents may be cached.
    public private(set) var freshness = defaultFreshness
    /// Whether the list or page contains a link to an XML document.
    public private(set) var offersXML = false

    /// The reason why a document is not a valid list. Never contains text of the document.
    public enum Unreadable: ReasonedError, Hashable, Sendable, CaseIterable {
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

    /// Parses `services.txt`, which has one `TYPE; URI` per line. Skips unknown types, bare URIs and
    /// comments.
    ///
    /// - Parameter host: the URL of the host; relative links are resolved against its root.
    public init(_ text: [UInt8], at host: EndpointURL) throws(Unreadable) {
        let text = try Self.parseLink(text)
        guard text.first(where: { !$0.isWhitespace }) != "<" else { throw .page }
        let root = LinkBase(address: try? EndpointURL(host.origin + "/"))
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ";", maxSplits: 1).map {
                ServiceDocumentParser.trimmed(String($0))
            }
            if parts.count == 2, let link = parts[1].split(whereSeparator: \.isWhitespace).first {
                try add(String(link), type: parts[0]) { try? root.resolveURL($0) }
            } else if links.isEmpty, let seconds = Self.seconds(ofLine: String(line)) {
                freshness = min(max(seconds, 0), Self.maxFreshness)
            }
        }
    }

    /// Parses the `<link rel="ServiceAPI">` elements of a web page.
    ///
    /// - Parameter address: the URL of the page; relative links are resolved against it (RFC 3986).
    public init(page text: [UInt8], at address: EndpointURL) throws(Unreadable) {
        // Tags are ASCII, so pages in other encodings, such as ISO 8859-1, can also be read. A page may be
        // large, but its links are in the head.
        let start = ServiceDocumentParser.withoutByteOrderMark(text).prefix(Self.sizeLimit)
        var tags = HTMLTags(String(decoding: start, as: UTF8.self))
        var base = address
        while let tag = tags.next() {
            if tag.name == "base", let link = tag["href"], let url = base.resolveLink(link) { base = url }
            guard tag.name == "link", let link = tag["href"], tag.attributeWords("rel").contains("serviceapi")
            else {
                continue
            }
            // The content of a document shows its format, so a link does not need a type.
            try add(link, type: tag["type"] ?? "application/x-rsd+json") { base.resolveLink($0) }
        }
    }

    /// Returns the number in a line `ttl: SECONDS`; `nil` for any other line.
    private static func seconds(ofLine line: String) -> Int? {
        let line = ServiceDocumentParser.trimmed(line)
        guard line.hasPrefix("ttl:") else { return nil }
        return Int(ServiceDocumentParser.trimmed(String(line.dropFirst(4))))
    }

    private static func parseLink(_ text: [UInt8]) throws(Unreadable) -> String {
        guard text.count <= sizeLimit else { throw .tooLarge }
        guard let text = String(validating: ServiceDocumentParser.withoutByteOrderMark(text), as: UTF8.self)
        else {
            throw .notUTF8
        }
        return text
    }

    private mutating func add(
        _ link: String, type: String, _ resolve: (String) -> EndpointURL?
    ) throws(Unreadable) {
        // Earlier editions of the specification, which Moodle's plugin follows, omit `x-`.
        switch type.lowercased().replacing("application/x-rsd+", with: "application/rsd+") {
        case "application/rsd+json", "application/rsd+yaml":
            guard let url = resolve(link), !links.contains(url) else { return }
            guard links.count < Self.linkLimit else { throw .tooManyLinks }
            links.append(url)
        case "application/rsd+xml": offersXML = true
        default: break
        }
    }
}

extension EndpointURL {
    /// Resolves a link in a page (RFC 3986, section 5.2) without its fragment; `nil` if the result is not a
    /// valid endpoint URL. A link to the page itself is also `nil`, because a page is not a description.
    fileprivate func resolveLink(_ link: String) -> EndpointURL? {
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
        return try? LinkBase(address: self).resolveURL(Self.removingDotSegments(target))
    }

    /// Removes the segments `.` and `..` of an absolute URL (RFC 3986, section 5.2.4).
    private static func removingDotSegments(_ url: String) -> String {
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
        // A dot segment at the end stands for a directory.
        if parts.count > 3, parts.last == "." || parts.last == ".." { segments.append("") }
        return (parts.prefix(3) + segments).joined(separator: "/") + url[path.endIndex...]
    }
}
