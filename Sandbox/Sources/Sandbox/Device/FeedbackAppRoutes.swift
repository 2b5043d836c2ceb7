import CutieAPI
import GRDB
import Hummingbird

/// Routes that give the Feedback App access to the inbox of a host app.
struct FeedbackAppRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/feedback-app/generate-token", [.post: issueFeedbackToken])
        router.addResource(at: "/v1/feedback-app/preview", [.post: previewFeedbackToken])
        router.addResource(at: "/v1/feedback-app/redeem", [.post: redeemFeedbackToken])
    }

    /// Creates a feedback token. Requires no device token, because the link SDK has none.
    @Sendable private func issueFeedbackToken(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseLinkingDevice(of: call)
        let host: FeedbackApp.Host = try call.decodeBody()
        guard host.appID == credential.appID else {
            throw Refusal(.unauthorized, "app_id does not match X-App-ID")
        }
        guard DeviceID.addingPrefix(to: host.deviceID.rawValue) == credential.device else {
            throw Refusal(.unprocessable, "device_id does not match X-Device-ID")
        }
        return try .json(await archive.change { try $0.issueFeedbackToken(to: credential) })
    }

    /// Returns the app that a feedback token belongs to. Does not consume the token.
    @Sendable private func previewFeedbackToken(_ call: SandboxCall) async throws -> Response {
        let token = try call.decodeBody(as: FeedbackApp.Redemption.self).token
        return try .json(await archive.change { try $0.resolveApp(of: token) })
    }

    /// Exchanges a feedback token for access to the account. Consumes the token. If the request contains a
    /// device ID, that device joins the account (a new device needs no App ID). Otherwise, the response
    /// contains the ID of the host's device.
    @Sendable private func redeemFeedbackToken(_ call: SandboxCall) async throws -> Response {
        let token = try call.decodeBody(as: FeedbackApp.Redemption.self).token
        let newcomer =
            call.header(HeaderName.deviceID) == nil ? nil : try requestParser.parseFeedbackAppDevice(of: call)
        return try .json(await archive.change { try $0.redeemFeedbackToken(token, for: newcomer) })
    }
}

extension SandboxTransaction {
    fileprivate func issueFeedbackToken(to host: DeviceCredential) throws -> FeedbackApp.Pass {
        let device = host.device
        if try !database.contains(device) { try addDevice(device, toApp: host.appID) }
        guard try database.findAppID(of: device) == host.appID else { throw Refusal.anotherApp }
        let token = FeedbackToken(RandomText.makeID(prefix: "cutie_ft_"))
        try database.run(
            sql: "INSERT INTO feedbackToken VALUES (?, ?, ?)",
            arguments: [token.rawValue, device.rawValue, now.advanced(bySeconds: 600).milliseconds])
        return FeedbackApp.Pass(token: token)
    }

    fileprivate func resolveApp(of token: FeedbackToken) throws -> FeedbackApp.Preview {
        let appID = try resolveCreator(of: token).appID
        return FeedbackApp.Preview(appID: appID, appName: try findAppName(for: appID))
    }

    fileprivate func redeemFeedbackToken(
        _ token: FeedbackToken, for joiningDevice: DeviceCredential?
    ) throws -> FeedbackApp.Account {
        let host = try resolveCreator(of: token)
        try database.run(sql: "DELETE FROM feedbackToken WHERE token = ?", arguments: [token.rawValue])
        if let joiningDevice { try addDevice(joiningDevice, toGroup: host.group, hostAppID: host.appID) }
        return FeedbackApp.Account(
            appID: host.appID, appName: try findAppName(for: host.appID),
            deviceID: joiningDevice?.device ?? host.device, groupID: host.group.rawValue)
    }

    /// Deletes the expired tokens, and returns the device that created `token`.
    ///
    /// - Throws: `Refusal` (404) if the token is unknown, used or expired.
    private func resolveCreator(of token: FeedbackToken) throws -> (
        device: DeviceID, group: GroupID, appID: String
    ) {
        try database.run(
            sql: "DELETE FROM feedbackToken WHERE expiresAt <= ?", arguments: [now.milliseconds])
        let row = try database.fetchRow(
            sql: """
                SELECT device.id, groupID, appID FROM feedbackToken JOIN device ON device.id = deviceID
                WHERE feedbackToken.token = ?
                """,
            arguments: [token.rawValue])
        guard let row else { throw Refusal(.notFound, "the feedback token is unknown, used or expired") }
        return (DeviceID(row["id"]), GroupID(row["groupID"]), row["appID"])
    }

    private func findAppName(for appID: String) throws -> String {
        try appID == database.findSetting("app_id") ? "Sandbox" : appID
    }

    /// Adds a device to the inbox of the host. A known device must authenticate, because otherwise anyone
    /// could move the device to another inbox. A new device belongs to the app of the host.
    private func addDevice(_ joiningDevice: DeviceCredential, toGroup group: GroupID, hostAppID appID: String)
        throws
    {
        if try !database.contains(joiningDevice.device) {
            try addDevice(joiningDevice.device, toApp: appID)
        } else {
            guard try database.authenticateDevice(with: joiningDevice).appID == appID else {
                throw Refusal.anotherApp
            }
        }
        if let old = try database.findGroup(of: joiningDevice.device), old != group {
            try merge(old, into: group)
        }
    }
}
