import CutieAPI

/// The description of a service in Really Simple Discovery, version 2 (RSD2).
struct ServiceDocument: Codable, Sendable {
    var engineName: String?
    var engineLink: String?
    var engineId: String?
    var homePageLink: String?
    /// The APIs by protocol name.
    var apis: [String: API]

    struct API: Codable, Sendable {
        /// The URL of the API, absolute or relative to the root URL of the service.
        var apiLink: String
        var apiVersion: String?
        var settings: [String: String]?
        var notes: String?
    }

    /// The protocol name of the token endpoint.
    static let oauth2 = "org.ietf.oauth2"

    /// Returns whether the service supports all of `protocols` and has a token endpoint.
    func supports(_ protocols: [String]) -> Bool {
        (protocols + [Self.oauth2]).allSatisfy { apis[$0] != nil }
    }

    var json: [UInt8] {
        get throws { try JSON.encode(self) }
    }

    /// The description as YAML. Strings are encoded as JSON, which is valid YAML.
    var yaml: [UInt8] {
        get throws {
            var lines: [String] = []
            try Self.write(
                [
                    ("engineName", engineName), ("engineLink", engineLink), ("engineId", engineId),
                    ("homePageLink", homePageLink),
                ], to: &lines, indent: "")
            lines.append("apis:")
            for (name, api) in apis.sorted(by: { $0.key < $1.key }) {
                lines.append("  \(try Self.quoted(name)):")
                try Self.write(
                    [("apiLink", api.apiLink), ("apiVersion", api.apiVersion), ("notes", api.notes)],
                    to: &lines, indent: "    ")
                guard let settings = api.settings else { continue }
                lines.append("    settings:")
                for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
                    try Self.write([(try Self.quoted(key), value)], to: &lines, indent: "      ")
                }
            }
            return Array((lines.joined(separator: "\n") + "\n").utf8)
        }
    }

    private static func write(
        _ members: [(String, String?)], to lines: inout [String], indent: String
    ) throws {
        for (key, value) in members {
            if let value { lines.append("\(indent)\(key): \(try quoted(value))") }
        }
    }

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSON.encode(text), as: UTF8.self)
    }
}

extension ServiceDocument {
    /// Returns the description of this API.
    static func makeSandboxDocument(for issuer: Issuer) -> ServiceDocument {
        func makeConversationsAPI(scope: String, notes: String) -> API {
            API(apiLink: "/v1/conversations", apiVersion: "1", settings: ["scope": scope], notes: notes)
        }
        return ServiceDocument(
            engineName: "Cuti-E sandbox", engineLink: issuer.url + "/", engineId: "com.cuti-e.sandbox",
            homePageLink: issuer.endpoint(.login),
            apis: [
                oauth2: API(apiLink: "/v1/auth/oauth", apiVersion: "2.0"),
                "com.cuti-e.conversations": makeConversationsAPI(
                    scope: "conversations:read", notes: "Reads conversations."),
                "com.cuti-e.replies": makeConversationsAPI(
                    scope: "messages:write", notes: "Replies to conversations."),
                "com.cuti-e.staff": makeConversationsAPI(
                    scope: "conversations:write", notes: "Changes conversations."),
            ])
    }

    /// Returns the description of a service at `url`.
    static func makeServiceDocument(for options: ServiceOptions, at url: String) -> ServiceDocument {
        var apis = [oauth2: API(apiLink: "oauth2", apiVersion: "2.0")]
        for name in options.protocols {
            // The fault `foreignLink` adds links to another origin. The server also listens there, so that a
            // test can detect a client that sends its token to that origin.
            let origin = options.faults.contains(.foreignLink) ? ServiceRoutes.urlAtOtherOrigin(of: url) : ""
            apis[name] = API(
                apiLink: "\(origin)/protocols/\(name)", settings: ["scope": options.scope(ofProtocol: name)])
        }
        var document = ServiceDocument(
            engineName: options.name, engineLink: url + "/", engineId: "com.cuti-e.sandbox.service",
            homePageLink: url + "/", apis: apis)
        switch options.engine {
        case .absolute: break
        case .relative: document.engineLink = "/"
        case .empty: document.engineLink = ""
        case .absent: (document.engineLink, document.engineName) = (nil, nil)
        }
        return document
    }

    /// The URL of the service; `nil` if the document contains no URL.
    var serviceURL: String? {
        guard let link = engineLink, !link.isEmpty, link != "/" else { return homePageLink }
        return link
    }
}

extension ServiceOptions {
    /// Returns the scope that a token must have for a protocol.
    func scope(ofProtocol name: String) -> String {
        switch name {
        case "com.cuti-e.conversations": "conversations:read"
        case "com.cuti-e.replies": "messages:write"
        case "com.cuti-e.staff": "conversations:write"
        default: name + ":use"
        }
    }

    var scopes: Set<String> { Set(protocols.map(scope)) }
}
