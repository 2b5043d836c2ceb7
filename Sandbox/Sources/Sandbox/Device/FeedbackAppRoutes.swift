import CutieAPI
import GRDB
import Hummingbird

/// Routes that give the Feedback App access to the inbox of a host app.
struct FeedbackAppRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func add(to router: Router<BasicRequestContext>) {
        router.resource("/v1/feedback-app/generate-token", [.post: generate])
        router.resource("/v1/feedback-app/preview", [.post: preview])
        router.resource("/v1/feedback-app/redeem", [.post: redeem])
    }

    /// Creates a feedback token. Requires no device token, because the link SDK has none.
    @Sendable private func generate(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.linkingDevice(call)
        let host: FeedbackApp.Host = try call.decode()
        guard host.appID == credential.appID else {
            throw Refusal(.unauthorized, "app_id does not match X-App-ID")
        }
        guard DeviceID.full(host.deviceID.rawValue) == credential.device else {
            throw Refusal(.unprocessable, "device_id does not match X-Device-ID")
        }
        return try .json(await archive.change { try $0.handOver(credential) })
    }

    /// Returns the app that a feedback token belongs to. Does not consume the token.
    @Sendable private func preview(_ call: SandboxCall) async throws -> Response {
        let token = try call.decode(FeedbackApp.Redemption.self).token
        return try .json(await archive.change { try $0.app(of: token) })
    }

    /// Exchanges a feedback token for access to the account. Consumes the token. If the request contains a
    /// device ID, that device joins the account (a new device needs no App ID). Otherwise, the response
    /// contains the ID of the host's device.
    @Sendable private func redeem(_ call: SandboxCall) async throws -> Response {
        let token = try call.decode(FeedbackApp.Redemption.self).token
        let newcomer = call.header(HeaderName.deviceID) == nil ? nil : try requestParser.feedbackApp(call)
        return try .json(await archive.change { try $0.redeem(token, for: newcomer) })
    }
}

extension SandboxTransaction {
    fileprivate func handOver(_ host: DeviceCredential) throws -> FeedbackApp.Pass {
        let device = host.device
        if try !database.contains(device) { try add(device, of: host.appID) }
        guard try database.appID(of: device) == host.appID else { throw Refusal.anotherApp }
        let token = FeedbackToken(Secret.make("cutie_ft_"))
        try database.run(
            sql: "INSERT INTO feedbackToken VALUES (?, ?, ?)",
            arguments: [token.rawValue, device.rawValue, now.advanced(bySeconds: 600).milliseconds])
        return FeedbackApp.Pass(token: token)
    }

    fileprivate func app(of token: FeedbackToken) throws -> FeedbackApp.Preview {
        let appID = try host(of: token).appID
        return FeedbackApp.Preview(appID: appID, appName: try name(ofApp: appID))
    }

    fileprivate func redeem(
        _ token: FeedbackToken, for newcomer: DeviceCredential?
    ) throws -> FeedbackApp.Account {
        let host = try host(of: token)
        try database.run(sql: "DELETE FROM feedbackToken WHERE token = ?", arguments: [token.rawValue])
        if let newcomer { try join(newcomer, host.group, of: host.appID) }
        return FeedbackApp.Account(
            appID: host.appID, appName: try name(ofApp: host.appID),
            deviceID: newcomer?.device ?? host.device, groupID: host.group.rawValue)
    }

    /// Returns the device that created a valid token.
    private func host(of token: FeedbackToken) throws -> (device: DeviceID, group: GroupID, appID: String) {
        try database.run(
            sql: "DELETE FROM feedbackToken WHERE expiresAt <= ?", arguments: [now.milliseconds])
        let row = try database.row(
            sql: """
                SELECT device.id, groupID, appID FROM feedbackToken JOIN device ON device.id = deviceID
                WHERE feedbackToken.token = ?
                """,
            arguments: [token.rawValue])
        guard let row else { throw Refusal(.notFound, "the feedback token is unknown, used or expired") }
        return (DeviceID(row["id"]), GroupID(row["groupID"]), row["appID"])
    }

    private func name(ofApp appID: String) throws -> String {
        try appID == database.setting("app_id") ? "Sandbox" : appID
    }

    /// Adds a device to the inbox of the host. A known device must authenticate, because otherwise anyone
    /// could move the device to another inbox. A new device belongs to the app of the host.
    private func join(_ newcomer: DeviceCredential, _ group: GroupID, of appID: String) throws {
        if try !database.contains(newcomer.device) {
            try add(newcomer.device, of: appID)
        } else {
            guard try database.caller(newcomer).appID == appID else { throw Refusal.anotherApp }
        }
        if let old = try database.group(of: newcomer.device), old != group { try merge(old, into: group) }
    }
}
