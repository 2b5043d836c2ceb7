import JSONReading
import OAuth
import Reasons

/// The base URLs of the links in a description.
struct ServiceLocation {
    /// The root URL of the service, or the URL of the home page if the document contains no root URL; `nil`
    /// if the document contains neither.
    let engine: EndpointURL?
    /// The value of `engine`, or the URL of the document if `engine` is `nil`.
    let engineLink: EndpointURL
    let homePage: EndpointURL?

    /// Reads the base URLs from the members of a document.
    ///
    /// - Parameter document: the URL of the document; `nil` for a document from an index of services.
    init(
        _ members: [String: JSONValue], document: EndpointURL?
    ) throws(ServiceDescription.ParseError) {
        let directory = LinkBase(address: document?.directory)
        let link = try Self.parseEngineLink(members["engineLink"])
        let home = (try? Self.parseEngineLink(members["homePageLink"])) ?? ""
        let absolute = LinkBase.isAbsolute(link) ? try? directory.resolveURL(link) : nil
        // An empty link means that the service has no home page, so it must not be resolved to the directory
        // of the document.
        homePage =
            home.isEmpty ? nil : try? (absolute.map { LinkBase(address: $0) } ?? directory).resolveURL(home)
        if LinkBase.isAbsolute(link) {
            guard let absolute else { throw .unusable(.engineLink) }
            engine = absolute
        } else if link.isEmpty {
            engine = homePage
        } else {
            let base = homePage.map { LinkBase(address: $0) } ?? directory
            guard let url = try? base.resolveURL(link) else { throw .unusable(.engineLink) }
            engine = url
        }
        guard let engineLink = engine ?? document else { throw .missing(.engineLink) }
        self.engineLink = engineLink
    }

    private static func parseEngineLink(_ value: JSONValue?) throws(ServiceDescription.ParseError) -> String {
        guard let value, value != .null else { return "" }
        guard let text = value.text else { throw .unusable(.engineLink) }
        return ServiceDocumentParser.trimmed(text)
    }

    /// Returns the URL of a web page; `nil` if the link is not usable.
    func parsePageURL(_ value: JSONValue?) -> String? {
        let link = value?.text.map(ServiceDocumentParser.trimmed) ?? ""
        return link.isEmpty ? nil : (try? LinkBase(address: engineLink).resolveURL(link))?.description
    }
}

/// The reason why an API of a service is unusable.
enum APIProblem: Error {
    case notDescribed
    case linkNotText
    case link(LinkBase.Problem)
    /// The API and the service are on different hosts. The values are the host of the API and the host of
    /// the service.
    case otherHost(String, String)

    func reason(forProtocol name: String) -> Reason {
        switch self {
        case .notDescribed: Reason(.protocolNotDescribed, ["protocol": name])
        case .linkNotText: Reason(.protocolLinkNotText, ["protocol": name])
        case .link(let problem): Reason(.protocolInvalid, ["protocol": name], because: problem.reason)
        case .otherHost(let host, let service):
            Reason(.protocolOnOtherHost, ["protocol": name, "host": host, "service": service])
        }
    }
}

extension ServiceDescription.API {
    private static let maxNotesLength = 4096
    private static let transportNames = ["SOAP", "REST", "XML-RPC", "JSON-RPC", "Web-Form"]

    init(_ value: JSONValue, at location: ServiceLocation) throws(APIProblem) {
        // Treat null and an empty list as an empty object: a YAML key without a value is null, and PHP writes
        // an empty object as an empty list.
        let isEmpty = value == .null || value == .array([])
        guard let members = isEmpty ? [:] : value.members else {
            throw .notDescribed
        }
        link = try Self.parseLink(members["apiLink"], relativeTo: location)
        versions = Self.parseStringList(members["apiVersion"])
        isPreferred = Self.isTrue(members["preferred"])
        let transports = Self.parseStringList(members["transport"]).map(Self.canonicalTransportName)
        self.transports = transports.isEmpty ? ["Web-Form"] : transports
        engineId = members["engineId"]?.text.flatMap(ServiceDocumentParser.validName)
        docs = location.parsePageURL(members["docs"])
        serviceDescription = location.parsePageURL(members["description"])
        settings = members[ServiceDescription.settingsKey]?.members
        notes = members["notes"]?.text.flatMap { $0.utf8.count <= Self.maxNotesLength ? $0 : nil }
    }

    /// Returns the URL of an API. If the API has no link, as in Moodle's descriptions, returns the URL of the
    /// engine.
    private static func parseLink(_ value: JSONValue?, relativeTo location: ServiceLocation)
        throws(APIProblem)
        -> EndpointURL
    {
        let text: String
        switch value {
        case nil, .null?: text = ""
        case .string(let link)?: text = ServiceDocumentParser.trimmed(link)
        default: throw .linkNotText
        }
        let url: EndpointURL
        do { url = try LinkBase(address: location.engine).resolveURL(text) } catch {
            throw .link(error)
        }
        guard url.origin == location.engineLink.origin else {
            throw .otherHost(url.host, location.engineLink.host)
        }
        return url
    }

    /// Returns the elements of a list of strings and numbers as strings. A single string or number counts as
    /// a list.
    private static func parseStringList(_ value: JSONValue?) -> [String] {
        switch value {
        case .string(let text)?: ServiceDocumentParser.validName(text).map { [$0] } ?? []
        case .int(let number)?: [String(number)]
        case .float(let number)?: [String(number)]
        case .array(let list)?: list.prefix(64).flatMap(parseStringList)
        default: []
        }
    }

    /// Returns whether a value is `true` or a string such as `Yes`, as in the example in the specification.
    private static func isTrue(_ value: JSONValue?) -> Bool {
        switch value {
        case .bool(let flag)?: flag
        case .string(let text)?: ["true", "yes"].contains(text.lowercased())
        default: false
        }
    }

    private static func canonicalTransportName(_ name: String) -> String {
        transportNames.first { $0.lowercased() == name.lowercased() } ?? name
    }
}
