import CutieAPI
import FoundationEssentials
import GRDB
import Hummingbird

/// What no real server has: a look behind the counter for tests, and many messages at once. Admins only.
struct SandboxRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/sandbox/devices", [.get: devices])
        router.resource(
            "/v1/sandbox/conversations/:conversation/messages", limit: 16 << 20, [.post: sendMany])
        router.resource("/v1/sandbox/activity", [.get: activity])
    }

    @Sendable private func devices(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        return try .json(
            await archive.read { database in
                try database.requireAdmin(token, .sandbox)
                let rows = try Row.fetchAll(database, sql: "SELECT * FROM device ORDER BY joinedAt, id")
                return ["devices": try rows.map { try KnownDevice($0, database) }]
            })
    }

    /// Many messages in one transaction, also of the system and under other names.
    @Sendable private func sendMany(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        let id = try call.conversationID()
        return try .json(
            await archive.change { change in
                try change.database.requireAdmin(token, .sandbox)
                let batch: MessageBatch = try call.decode()
                let messages = try batch.messages.map { message in
                    let conversation = try change.database.conversation(id, for: .desk)
                    return try change.add(try Draft(message), to: conversation)
                }
                return ["messages": messages]
            }, status: .created)
    }

    /// The bodies of the activity pings, oldest first.
    @Sendable private func activity(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        let bodies = try await archive.read { database in
            try database.requireAdmin(token, .sandbox)
            return try String.fetchAll(database, sql: "SELECT body FROM activity ORDER BY rowid")
        }
        return .json(bytes: Array("{\"pings\":[\(bodies.joined(separator: ","))]}".utf8))
    }
}

/// What happens to devices, when a test wants it to. Admins only.
struct DeviceSimulationRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/sandbox/devices/:device/revoke", [.post: revoke])
        router.resource("/v1/sandbox/devices/:device/forget-attestation", [.post: forgetAttestation])
        router.resource("/v1/sandbox/devices/:device/subscription", [.post: subscribe])
        router.resource("/v1/sandbox/expire", [.post: expire])
    }

    /// Takes a device's token away: its streams end, its next call is answered with 401.
    @Sendable private func revoke(_ call: Call) async throws -> Response {
        try await change(call) { try $0.revoke($1) }
    }

    /// As a server does that lost it: the device's next signed call is answered with 403.
    @Sendable private func forgetAttestation(_ call: Call) async throws -> Response {
        try await change(call) { try $0.forgetAttestation(of: $1) }
    }

    /// Gives a device a tier until some time, which may have been.
    @Sendable private func subscribe(_ call: Call) async throws -> Response {
        let paid: PaidTier = try call.decode()
        return try await change(call) { try $0.subscribe($1, to: paid.tier, until: paid.until) }
    }

    private func change(
        _ call: Call, _ work: @escaping @Sendable (Change, DeviceID) throws -> Void
    ) async throws -> Response {
        let token = try gate.admin(call)
        let device = DeviceID(try call.parameter("device"))
        try await archive.change { change in
            try change.database.requireAdmin(token, .sandbox)
            guard try change.database.knows(device) else { throw Refusal(.notFound, "no such device") }
            try work(change, device)
        }
        return try .json(Success())
    }

    /// Ends the time of every link token, feedback token, challenge and code that is open.
    @Sendable private func expire(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        try await archive.change { change in
            try change.database.requireAdmin(token, .sandbox)
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

private struct PaidTier: Decodable {
    let tier: Subscription.Tier
    let until: Timestamp
}

/// A device as a look behind the counter shows it.
struct KnownDevice: Encodable {
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
        attestation = try database.attestation(of: DeviceID(deviceID))?.told
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
