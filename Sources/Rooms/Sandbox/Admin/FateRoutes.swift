import CutieAPI
import GRDB
import Hummingbird

/// What happens to devices, when a test wants it to. Admins only.
struct FateRoutes: Sendable {
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

    /// Ends the time of every link token, feedback token and challenge that is open.
    @Sendable private func expire(_ call: Call) async throws -> Response {
        let token = try gate.admin(call)
        try await archive.change { change in
            try change.database.requireAdmin(token, .sandbox)
            for table in ["linkOffer", "feedbackToken", "attestationChallenge"] {
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
