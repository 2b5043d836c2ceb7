public import OAuth
public import Varlink

/// What a service says about itself: Really Simple Discovery, version 2. Where its protocols are, and all of them at
/// one origin, so that no token for the service goes elsewhere.
public struct ServiceDescription: Hashable, Sendable {
    /// Bytes.
    public static let sizeLimit = 1 << 20
    static let protocolLimit = 64
    static let settingsKey = "settings"
    /// Bytes.
    private static let longestNotes = 4096

    /// The protocol of who gives tokens for the others.
    public static let oauth2 = "org.ietf.oauth2"

    /// Can be shown, and may be anybody's: who it is, is `host`.
    public let engineName: String
    public let engineLink: EndpointURL
    public let engineId: String?
    /// https, or of this machine where the service is.
    public let homePageLink: String?
    /// https, or of this machine where the service is.
    public let homePageIcon: String?
    /// By the names of the protocols.
    public private(set) var apis: [String: API]
    /// Why a protocol cannot be used, by its name.
    public private(set) var refusals: [String: String]

    public struct API: Hashable, Sendable {
        /// Of the origin of `engineLink`.
        public let link: EndpointURL
        public let version: String?
        public let settings: [String: JSONValue]?
        /// At most 4 KiB, of any characters.
        public let notes: String?
    }

    /// JSON or YAML. Unknown members are for others.
    public init(_ bytes: [UInt8]) throws(Unreadable) {
        let members = try Document.root(of: bytes)
        guard let name = members["engineName"] else { throw .missing(.engineName) }
        guard let name = name.text.flatMap(Document.name) else { throw .unusable(.engineName) }
        guard let link = members["engineLink"] else { throw .missing(.engineLink) }
        guard let link = link.text, let link = try? EndpointURL(link) else { throw .unusable(.engineLink) }
        let base = LinkBase(directory: link)
        (engineName, engineLink) = (name, link)
        engineId = members["engineId"]?.text.flatMap(Document.name)
        homePageLink = Self.page(members["homePageLink"], from: base)
        homePageIcon = Self.page(members["homePageIcon"], from: base)
        guard let list = members["apis"] else { throw .missing(.apis) }
        guard let list = list.members else { throw .unusable(.apis) }
        guard list.count <= Self.protocolLimit else { throw .tooManyProtocols }
        (apis, refusals) = ([:], [:])
        for (name, value) in list {
            guard let name = Document.name(name) else { throw .protocolName }
            do throws(Refusal) { apis[name] = try Self.api(value, from: base, at: link.origin) } catch {
                refusals[name] = error.sentence
            }
        }
    }

    /// Why one protocol cannot be used.
    private struct Refusal: Error {
        let sentence: String
    }

    private static func api(
        _ value: JSONValue, from base: LinkBase, at origin: String
    ) throws(Refusal) -> API {
        guard let members = value.members else { throw Refusal(sentence: "it is not described") }
        let link: EndpointURL
        do { link = try base.url(members["apiLink"]?.text ?? "") } catch {
            throw Refusal(sentence: error.sentence)
        }
        guard link.origin == origin else {
            throw Refusal(sentence: "its link leads to another host or port than the service's own")
        }
        return API(
            link: link, version: version(members["apiVersion"]), settings: members[settingsKey]?.members,
            notes: members["notes"]?.text.flatMap { $0.utf8.count <= longestNotes ? $0 : nil })
    }

    /// Some write it as a number.
    private static func version(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: Document.name(text)
        case .int(let number)?: String(number)
        case .float(let number)?: String(number)
        default: nil
        }
    }

    private static func page(_ value: JSONValue?, from base: LinkBase) -> String? {
        value?.text.flatMap { try? base.url($0).description }
    }
}

/// What is asked of a description.
extension ServiceDescription {
    /// Of `engineLink`, with its port where that is not the usual one: what a person goes by.
    public var host: String { String(engineLink.origin.drop { $0 != "/" }.dropFirst(2)) }

    /// Whether it was fetched from where it says that the service is: nobody else may describe one.
    public func isFrom(_ url: EndpointURL) -> Bool { engineLink.origin == url.origin }

    /// All of them, and it gives tokens for them.
    public func speaks(_ protocols: [String]) -> Bool {
        (protocols + [Self.oauth2]).allSatisfy { apis[$0] != nil }
    }

    /// With these protocols alone, and the one that gives tokens.
    public func filtered(to protocols: [String]) -> ServiceDescription {
        let names = Set(protocols + [Self.oauth2])
        var description = self
        description.apis = apis.filter { names.contains($0.key) }
        description.refusals = refusals.filter { names.contains($0.key) }
        return description
    }

    /// Where tokens are given: RFC 6749 §3.2. nil where the service gives none.
    public var tokenEndpoint: EndpointURL? { endpoint("token") }

    /// Where tokens are revoked: RFC 7009. nil where the service gives none.
    public var revocationEndpoint: EndpointURL? { endpoint("revoke") }

    /// What these protocols need of a token.
    public func scope(of protocols: [String]) -> Scope {
        let asked = protocols.filter { $0 != Self.oauth2 }
        return Scope(asked.flatMap { Self.names(apis[$0]?.settings?["scope"]) })
    }

    /// A text with spaces between, or a list.
    private static func names(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text)?: Scope(text: text).names
        case .array(let list)?: list.prefix(256).compactMap(\.text)
        default: []
        }
    }

    private func endpoint(_ name: String) -> EndpointURL? {
        apis[Self.oauth2].flatMap { try? LinkBase(directory: $0.link).url(name) }
    }
}
