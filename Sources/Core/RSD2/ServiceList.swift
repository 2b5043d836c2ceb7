import CutieAPI
public import OAuth

/// The links to service descriptions that a host publishes in `services.txt` or in a web page.
///
/// A link may lead to another host. The description there is valid only if `ServiceDescription.isFrom`
/// returns true.
public struct ServiceList: Hashable, Sendable {
    /// The largest list or page that is read, in bytes.
    public static let sizeLimit = 256 << 10
    private static let linkLimit = 64
    /// A day, in seconds.
    public static let defaultFreshness = 86_400
    /// In seconds. A host cannot ask for a longer cache time than a month.
    private static let maxFreshness = 30 * 86_400

    /// The links to JSON and YAML documents, without repetitions, in the order of the text.
    public private(set) var links: [EndpointURL] = []
    /// In seconds. The time for which the documents may be used without another request.
    public private(set) var freshness = defaultFreshness
    /// Whether there is a link to an XML document.
    public private(set) var offersXML = false

    /// The reason why a text cannot be read as a list. It never repeats the text.
    public enum Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        case tooLarge
        case tooManyLinks
        case notUTF8
        /// The text is a web page. Some servers return one if a file does not exist.
        case page

        public var description: String {
            switch self {
            case .tooLarge: "the list of services is larger than \(ServiceList.sizeLimit >> 10) KiB"
            case .tooManyLinks: "the list of services has more than \(ServiceList.linkLimit) links"
            case .notUTF8: "the list of services is not UTF-8"
            case .page: "it is a web page, not a list of services"
            }
        }
    }

    /// Reads `services.txt`: one `TYPE; URI` in each line. Unknown types, bare URIs and comments are skipped.
    ///
    /// - Parameter host: the address of the host. Links without a host are relative to its root.
    public init(_ text: [UInt8], at host: EndpointURL) throws(Unreadable) {
        let text = try Self.checked(text)
        guard text.first(where: { !$0.isWhitespace }) != "<" else { throw .page }
        let root = LinkBase(address: try? EndpointURL(host.origin + "/"))
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ";", maxSplits: 1).map {
                ServiceDocumentParser.trimmed(String($0))
            }
            if parts.count == 2, let link = parts[1].split(whereSeparator: \.isWhitespace).first {
                try add(String(link), type: parts[0]) { try? root.url($0) }
            } else if links.isEmpty, line.hasPrefix("ttl:"),
                let seconds = Int(ServiceDocumentParser.trimmed(String(line.dropFirst(4))))
            {
                freshness = min(max(seconds, 0), Self.maxFreshness)
            }
        }
    }

    /// Reads the `<link rel="ServiceAPI">` elements of a web page.
    ///
    /// - Parameter address: the address of the page, which relative links are resolved against by RFC 3986.
    public init(page text: [UInt8], at address: EndpointURL) throws(Unreadable) {
        var tags = HTMLTags(try Self.checked(text))
        var base = address
        while let tag = tags.next() {
            if tag.name == "base", let link = tag["href"], let url = base.resolving(link) { base = url }
            guard tag.name == "link", let link = tag["href"], tag.words("rel").contains("serviceapi") else {
                continue
            }
            try add(link, type: tag["type"] ?? "") { base.resolving($0) }
        }
    }

    private static func checked(_ text: [UInt8]) throws(Unreadable) -> String {
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
        // Earlier editions of the specification, with which Moodle's plugin was published, have no `x-`.
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
    /// Returns the address of a link in a page, by RFC 3986 without dot segments; `nil` if it cannot be used.
    fileprivate func resolving(_ link: String) -> EndpointURL? {
        let link = ServiceDocumentParser.trimmed(link)
        guard !link.isEmpty, !link.hasPrefix("//") else { return nil }
        if LinkBase.isAbsolute(link) { return try? LinkBase(address: self).url(link) }
        guard let directory else { return nil }
        if link.hasPrefix("/") { return try? EndpointURL(origin + link) }
        return try? LinkBase(address: directory).url(link)
    }
}
