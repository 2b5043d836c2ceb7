import CutieAPI
import Hummingbird

/// How devices come to share an inbox, and cease to.
struct LinkRoutes: Sendable {
    let archive: Archive
    let gate: Gate

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/sdk/link/initiate", [.post: initiate])
        router.resource("/v1/sdk/link/confirm", [.post: confirm])
        router.resource("/v1/sdk/link/status/:token", [.get: status])
        router.resource("/v1/sdk/link/devices", [.get: devices])
        router.resource("/v1/sdk/link/devices/:device", [.delete: remove])
    }

    @Sendable private func initiate(_ call: Call) async throws -> Response {
        let credential = try await gate.changingDevice(call, archive)
        return try .json(
            await archive.change { try $0.offerLink(from: $0.database.caller(credential)) })
    }

    @Sendable private func confirm(_ call: Call) async throws -> Response {
        let credential = try await gate.changingDevice(call, archive)
        return try .json(
            await archive.change { change in
                let caller = try change.database.caller(credential)
                return try change.confirmLink(try call.decode(), by: caller)
            })
    }

    @Sendable private func status(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        let token = LinkToken(try call.parameter("token"))
        return try .json(
            await archive.read { database in
                let caller = try database.caller(credential)
                return try database.progress(of: token, for: caller)
            })
    }

    @Sendable private func devices(_ call: Call) async throws -> Response {
        let credential = try gate.device(call)
        return try .json(await archive.read { try $0.linkedDevices(of: $0.caller(credential)) })
    }

    @Sendable private func remove(_ call: Call) async throws -> Response {
        let credential = try await gate.changingDevice(call, archive)
        let device = DeviceID(try call.parameter("device"))
        try await archive.change { change in
            try change.unlink(device, by: try change.database.caller(credential))
        }
        return try .json(Linking.Removed(success: true, message: "Device removed"))
    }
}
