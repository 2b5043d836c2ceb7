import Crypto
import CutieAPI
import FoundationEssentials
import GRDB
import Hummingbird

/// Routes for the registration of devices.
struct DeviceRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/device/register", [.post: register])
    }

    @Sendable private func register(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseDevice(of: call)
        let registration: Registration = try call.decodeBody()
        guard registration.appID == credential.appID else {
            throw Refusal(.unauthorized, "app_id does not match X-App-ID")
        }
        return try .json(await archive.change { try $0.register(credential.device, with: registration) })
    }
}

/// A middleware that registers unknown devices automatically at their first request: all devices if the
/// feature `register` is disabled, otherwise only devices of legacy accounts (which use an API key).
struct UnregisteredDeviceMiddleware: RouterMiddleware {
    let archive: Archive
    let requestParser: RequestParser

    @concurrent func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let call = SandboxCall(request: request, parameters: context.parameters, body: [])
        // Ignore parser errors here: the route parses the request again and returns a more specific error.
        if call.header(HeaderName.authorization) == nil, !Self.isRegistrationPath(request.uri.path),
            let credential = try? requestParser.parseDevice(of: call), credential.isAddedAutomatically
        {
            try await addDeviceIfUnknown(credential)
        }
        return try await next(request, context)
    }

    /// Returns whether the route at this path adds unknown devices itself.
    private static func isRegistrationPath(_ path: String) -> Bool {
        path == "/v1/device/register" || path.hasPrefix("/v1/feedback-app/")
    }

    private func addDeviceIfUnknown(_ credential: DeviceCredential) async throws {
        guard try await !archive.read({ try $0.contains(credential.device) }) else { return }
        try await archive.change { change in
            guard try !change.database.contains(credential.device) else { return }
            try change.addDevice(credential.device, toApp: credential.appID)
        }
    }
}

extension DeviceID {
    /// Returns a device ID with the prefix `device_`. The link SDK sends IDs without the prefix.
    static func addingPrefix(to id: String) -> DeviceID {
        DeviceID(UUID(uuidString: id) == nil ? id : "device_" + id)
    }

    /// Returns the device ID for requests that contain only an API key. The ID is derived from the key, so
    /// that all requests with this key belong to the same device.
    static func derivedID(fromAPIKey key: String) -> DeviceID {
        let digest = Hexadecimal.hexText(of: SHA256.hash(data: Data(key.utf8)))
        let parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)].map { start, end in
            digest.dropFirst(start).prefix(end - start)
        }
        return DeviceID("device_" + parts.joined(separator: "-"))
    }
}

extension SandboxTransaction {
    /// Registers a device. A repeated registration returns the existing token, or a new token if the existing
    /// token was revoked.
    func register(_ device: DeviceID, with registration: Registration) throws -> Registration.Response {
        let isNew = try !database.contains(device)
        if isNew { try addDevice(device, toApp: registration.appID) }
        guard try database.findAppID(of: device) == registration.appID else { throw Refusal.anotherApp }
        try database.run(
            sql: """
                UPDATE device SET token = coalesce(token, ?), tokenID = coalesce(tokenID, ?),
                    appVersion = ?, osVersion = ?, deviceModel = ? WHERE id = ?
                """,
            arguments: [
                RandomText.makeID(prefix: "cutie_dt_"), RandomText.makeID(prefix: "dtk_"),
                registration.appVersion,
                registration.osVersion, registration.deviceModel, device.rawValue,
            ])
        let row = try database.fetchRow(
            sql: "SELECT token, tokenID FROM device WHERE id = ?", arguments: [device.rawValue])
        guard let row else { throw Refusal(.internalError, "the device was not stored") }
        return Registration.Response(
            deviceToken: DeviceToken(row["token"]), tokenID: row["tokenID"], isNew: isNew)
    }

    /// Adds a device without a token, in a new group.
    func addDevice(_ device: DeviceID, toApp appID: String) throws {
        try database.run(
            sql: "INSERT INTO device (id, groupID, joinedAt, appID) VALUES (?, ?, ?, ?)",
            arguments: [device.rawValue, try createGroup().rawValue, now.milliseconds, appID])
    }

    func createGroup() throws -> GroupID {
        let group = GroupID(RandomText.makeID(prefix: "group_"))
        try database.run(
            sql: "INSERT INTO deviceGroup (id) VALUES (?)", arguments: [group.rawValue])
        return group
    }

    func setSubscription(of device: DeviceID, to tier: Subscription.Tier, until: Timestamp) throws {
        try database.run(
            sql: "UPDATE device SET tier = ?, paidUntil = ? WHERE id = ?",
            arguments: [tier.rawValue, until.milliseconds, device.rawValue])
    }

    /// Revokes the token of a device and wakes its streams so that they end.
    ///
    /// - Throws: `Refusal` (404) if the device does not exist.
    func revokeToken(of device: DeviceID) throws {
        guard let group = try database.findGroup(of: device) else {
            throw Refusal(.notFound, "device not found")
        }
        try database.run(
            sql: "UPDATE device SET token = NULL, tokenID = NULL WHERE id = ?",
            arguments: [device.rawValue])
        wakeReaders(of: group)
    }
}

extension Database {
    func contains(_ device: DeviceID) throws -> Bool { try findGroup(of: device) != nil }

    func findAppID(of device: DeviceID) throws -> String? {
        try String.fetchOne(
            self, sql: "SELECT appID FROM device WHERE id = ?", arguments: [device.rawValue])
    }

    func findGroup(of device: DeviceID) throws -> GroupID? {
        let id = try String.fetchOne(
            self, sql: "SELECT groupID FROM device WHERE id = ?", arguments: [device.rawValue])
        return id.map { GroupID($0) }
    }
}
