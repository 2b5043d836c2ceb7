import CutieAPI
import FoundationEssentials
import GRDB
import Hummingbird

/// Test routes that exist only in the sandbox. Admins can inspect devices and activity, and send several
/// messages in one request.
struct SandboxRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/sandbox/devices", [.get: listDevices])
        router.addResource(
            at: "/v1/sandbox/conversations/:conversation/messages", bodyLimit: 16 << 20,
            [.post: addMessages])
        router.addResource(at: "/v1/sandbox/activity", [.get: listActivityPings])
    }

    @Sendable private func listDevices(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        return try .json(
            await archive.read { database in
                try database.requireAdmin(ofAccessToken: token, scopes: .sandbox)
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM device ORDER BY joinedAt, id")
                return ["devices": try rows.map { try DeviceDetails($0, database) }]
            })
    }

    /// Sends several messages in one transaction. Each message can have its own sender name and sender type.
    @Sendable private func addMessages(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                try change.database.requireAdmin(ofAccessToken: token, scopes: .sandbox)
                let batch: MessageBatch = try call.decodeBody()
                let messages = try batch.messages.map { message in
                    let conversation = try change.database.findConversation(id: id, for: .unrestricted)
                    return try change.addMessage(try Draft(message), to: conversation)
                }
                return ["messages": messages]
            }, status: .created)
    }

    /// Returns the stored bodies of activity pings, oldest first.
    @Sendable private func listActivityPings(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let bodies = try await archive.read { database in
            try database.requireAdmin(ofAccessToken: token, scopes: .sandbox)
            return try String.fetchAll(database, sql: "SELECT body FROM activity ORDER BY rowid")
        }
        return .json(bytes: Array("{\"pings\":[\(bodies.joined(separator: ","))]}".utf8))
    }
}

/// Test routes that exist only in the sandbox and change the stored data of a device. Admins only.
struct DeviceSimulationRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/sandbox/devices/:device/revoke", [.post: revokeToken])
        router.addResource(at: "/v1/sandbox/devices/:device/forget-attestation", [.post: forgetAttestation])
        router.addResource(at: "/v1/sandbox/devices/:device/subscription", [.post: setSubscription])
        router.addResource(at: "/v1/sandbox/expire", [.post: expirePendingCodes])
    }

    /// Revokes the token of a device. The device's streams end, and its next request fails with 401.
    @Sendable private func revokeToken(_ call: SandboxCall) async throws -> Response {
        try await changeDevice(requestedBy: call) { try $0.revokeToken(of: $1) }
    }

    /// Deletes the attestation of a device, as if the server had lost it. The next signed request of the
    /// device fails with 403.
    @Sendable private func forgetAttestation(_ call: SandboxCall) async throws -> Response {
        try await changeDevice(requestedBy: call) { try $0.deleteAttestation(of: $1) }
    }

    /// Sets the subscription of a device. The expiry time may be in the past, to test expired subscriptions.
    @Sendable private func setSubscription(_ call: SandboxCall) async throws -> Response {
        let paid: SubscriptionGrant = try call.decodeBody()
        return try await changeDevice(requestedBy: call) {
            try $0.setSubscription(of: $1, to: paid.tier, until: paid.until)
        }
    }

    private func changeDevice(
        requestedBy call: SandboxCall,
        _ work: @escaping @Sendable (SandboxTransaction, DeviceID) throws -> Void
    ) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        let device = DeviceID(try call.pathParameter("device"))
        try await archive.change { change in
            try change.database.requireAdmin(ofAccessToken: token, scopes: .sandbox)
            guard try change.database.contains(device) else { throw Refusal(.notFound, "device not found") }
            try work(change, device)
        }
        return try .json(Success())
    }

    /// Expires all pending link tokens, feedback tokens, challenges and codes.
    @Sendable private func expirePendingCodes(_ call: SandboxCall) async throws -> Response {
        let token = try requestParser.parseAccessToken(of: call)
        try await archive.change { change in
            try change.database.requireAdmin(ofAccessToken: token, scopes: .sandbox)
            for table in [
                "linkOffer", "feedbackToken", "attestationChallenge", "authorizationCode",
                "deviceAuthorization", "mailedCode",
            ] {
                try change.database.run(
                    sql: "UPDATE \(table) SET expiresAt = min(expiresAt, ?)",
                    arguments: [change.now.milliseconds - 1])
            }
        }
        return try .json(Success())
    }
}

private struct SubscriptionGrant: Decodable {
    let tier: Subscription.Tier
    let until: Timestamp
}

/// The state of a device, as reported to tests.
struct DeviceDetails: Encodable {
    let deviceID: String
    let groupID: String
    let isRegistered: Bool
    let facts: DeviceFacts
    let pushTokens: [String: String]
    let attestation: Attestation.Key?

    init(_ row: Row, _ database: Database) throws {
        deviceID = row["id"]
        groupID = row["groupID"]
        let token: String? = row["token"]
        isRegistered = token != nil
        facts = DeviceFacts(
            appVersion: row["appVersion"], osVersion: row["osVersion"], deviceModel: row["deviceModel"])
        let addresses = try Row.fetchAll(
            database, sql: "SELECT platform, token FROM pushAddress WHERE deviceID = ?",
            arguments: [deviceID])
        attestation = try database.findAttestation(of: DeviceID(deviceID))?.apiKey
        pushTokens = Dictionary(uniqueKeysWithValues: addresses.map { ($0["platform"], $0["token"]) })
    }

    enum CodingKeys: String, CodingKey {
        case facts, attestation
        case deviceID = "device_id"
        case groupID = "group_id"
        case isRegistered = "registered"
        case pushTokens = "push_tokens"
    }
}
