import CutieAPI
import GRDB
import Hummingbird

/// Routes for push tokens and activity pings. The server only stores tokens and pings, so that tests can
/// inspect them.
struct PushRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/notifications/register", [.post: register])
        router.addResource(at: "/v1/notifications/unregister", [.delete: unregister])
        router.addResource(at: "/v1/activity/ping", [.post: storePing])
    }

    @Sendable private func register(_ call: SandboxCall) async throws -> Response {
        let credential = try await requestParser.authenticateSendingDevice(of: call, in: archive)
        try await archive.change { change in
            let caller = try change.database.authenticateDevice(with: credential)
            let registration: PushRegistration = try call.decodeBody()
            try registration.platform.requireNonBlank(fieldName: "platform")
            try change.database.run(
                sql: "INSERT OR REPLACE INTO pushAddress VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    caller.device.rawValue, registration.platform, registration.pushToken.rawValue,
                    registration.bundleID, registration.userID,
                ])
        }
        return try .json(Success())
    }

    @Sendable private func unregister(_ call: SandboxCall) async throws -> Response {
        let credential = try await requestParser.authenticateSendingDevice(of: call, in: archive)
        try await archive.change { change in
            let caller = try change.database.authenticateDevice(with: credential)
            let platform = try call.decodeBody(as: PushUnregistration.self).platform
            try change.database.run(
                sql: "DELETE FROM pushAddress WHERE deviceID = ? AND platform = ?",
                arguments: [caller.device.rawValue, platform])
        }
        return try .json(Success())
    }

    /// Stores an activity ping. Authenticates only the app: the request contains a hash instead of the device
    /// ID, so that the device stays anonymous.
    @Sendable private func storePing(_ call: SandboxCall) async throws -> Response {
        _ = try requestParser.parseAppID(of: call)
        let ping: ActivityPing = try call.decodeBody()
        let id = ping.hashedDeviceID
        guard id.utf8.count == 64, id.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw Refusal(.unprocessable, "hashed_device_id must be 64 hexadecimal digits")
        }
        guard ping.consent else { throw Refusal(.unprocessable, "consent is missing") }
        try await archive.change { change in
            try change.database.run(
                sql: "INSERT INTO activity VALUES (?, ?, ?)",
                arguments: [change.now.milliseconds, id, String(decoding: call.body, as: UTF8.self)])
        }
        return try .json(Success())
    }
}
