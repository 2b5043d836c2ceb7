import CutieAPI
import Hummingbird

/// How a device shows that it holds a key, and that it still does.
struct AttestationRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/device/attest/challenge", [.post: challenge])
        router.resource("/v1/device/attest", [.post: attest, .delete: forget])
        router.resource("/v1/device/attest/assert", [.post: assert])
        router.resource("/v1/device/attest/status", [.get: status])
    }

    @Sendable private func challenge(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        return try .json(
            await archive.change { try $0.challenge($0.database.caller(credential).device) })
    }

    @Sendable private func attest(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        let outcome = try await archive.change { change in
            let caller = try change.database.caller(credential)
            return try change.attest(try call.decode(), as: caller.device)
        }
        return try .json(try outcome.get())
    }

    @Sendable private func assert(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        let outcome = try await archive.change { change in
            let caller = try change.database.caller(credential)
            return try change.assert(try call.decode(), by: caller.device)
        }
        return try .json(try outcome.get())
    }

    @Sendable private func status(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        return try .json(
            await archive.read { try $0.attestationState(of: $0.caller(credential).device) })
    }

    /// Without an assertion: who lost the key has none.
    @Sendable private func forget(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        try await archive.change { change in
            try change.forgetAttestation(of: try change.database.caller(credential).device)
        }
        return try .json(Success())
    }
}
