import CutieAPI
import Foundation
import GRDB
import HTTPTypes
import Hummingbird

/// Routes for service discovery: the description of this API, and the search for announced services.
struct DiscoveryRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser
    let isSecure: Bool
    let startedAt: Timestamp

    /// The maximum number of protocols in one discovery request, and the maximum size of an announcement in
    /// bytes.
    private static let (nameLimit, sizeLimit) = (64, 64 << 10)
    private static let serviceLimit = 256

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/services.txt", [.get: showServiceList])
        router.addResource(
            at: "/rsd.json",
            [.get: { try makeDescriptionResponse(to: $0, contentType: "application/json") { try $0.json } }])
        router.addResource(
            at: "/rsd.yaml",
            [.get: { try makeDescriptionResponse(to: $0, contentType: "application/yaml") { try $0.yaml } }])
        router.addResource(at: "/v1/discovery", bodyLimit: Self.sizeLimit, [.post: discover])
        router.addResource(
            at: "/v1/sandbox/services", bodyLimit: Self.sizeLimit, [.post: registerService])
    }

    @Sendable private func showServiceList(_ call: SandboxCall) async throws -> Response {
        try makeDescriptionResponse(to: call, contentType: "text/plain") {
            Self.makeServiceList(baseURL: $0.serviceURL ?? "/")
        }
    }

    /// Returns the content of `services.txt`. `url` must end with a slash.
    static func makeServiceList(baseURL url: String) -> [UInt8] {
        Array("application/x-rsd+json; \(url)rsd.json\napplication/x-rsd+yaml; \(url)rsd.yaml\n".utf8)
    }

    private func makeDescriptionResponse(
        to call: SandboxCall, contentType type: String, encoding encode: (ServiceDocument) throws -> [UInt8]
    ) throws -> Response {
        StoredDocument(bytes: try encode(try makeOwnDocument(for: call)), type: type, changedAt: startedAt)
            .makeResponse(to: call)
    }

    private func makeOwnDocument(for call: SandboxCall) throws(Refusal) -> ServiceDocument {
        .makeSandboxDocument(for: try Issuer(call, isSecure: isSecure))
    }

    /// Returns the descriptions of all services that support the requested protocols, starting with this API.
    @Sendable private func discover(_ call: SandboxCall) async throws -> Response {
        let names: [String] = try call.decodeBody()
        guard names.count <= Self.nameLimit else {
            throw Refusal(.unprocessable, "at most \(Self.nameLimit) protocols")
        }
        let others = try await archive.read { try $0.fetchRegisteredServices() }
        return try .json(([try makeOwnDocument(for: call)] + others).filter { $0.supports(names) })
    }

    /// Stores the description of an announced service, or replaces the stored description. The hosted API
    /// does not have this route.
    @Sendable private func registerService(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let document: ServiceDocument = try call.decodeBody()
        guard let place = document.serviceURL, (try? APIAddress(place)) != nil else {
            throw Refusal(
                .unprocessable,
                "engineLink and homePageLink must be https URLs, or http URLs of the loopback interface")
        }
        try await archive.change { change in
            try change.database.requireAdmin(ofAccessToken: token, scopes: .sandbox)
            try change.database.run(
                sql: "INSERT OR REPLACE INTO announcedService (link, document) VALUES (?, ?)",
                arguments: [place, Data(try document.json)])
            let count = try change.database.fetchNumber(sql: "SELECT count(*) FROM announcedService") ?? 0
            guard count <= Self.serviceLimit else {
                throw Refusal(.conflict, "at most \(Self.serviceLimit) services can be announced")
            }
        }
        return try .json(Success(), status: .created)
    }
}

extension Database {
    fileprivate func fetchRegisteredServices() throws -> [ServiceDocument] {
        try Data.fetchAll(self, sql: "SELECT document FROM announcedService ORDER BY link")
            .map { try JSON.decode(ServiceDocument.self, from: $0) }
    }
}

extension ServiceServer {
    /// Announces the service to its issuer. Returns `false` without announcing the service if a simulated
    /// fault makes the description unreadable.
    ///
    /// - Throws: `SandboxError`.
    public func register(at url: String, with issuer: AdminClient) async throws -> Bool {
        guard !options.faults.contains(where: \.spoilsDescription) else { return false }
        try await issuer.registerService(.makeServiceDocument(for: options, at: url))
        return true
    }
}
