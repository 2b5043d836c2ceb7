/// A copy of the app's configuration. Changes to it have no effect; use the methods of ``CutiE/CutiE``
/// instead.
public class CutiEConfiguration {
    /// Always `nil`, because API keys are no longer used.
    public let apiKey: String?
    /// The address of the API.
    public let apiURL: String
    /// The ID of this device at the API; empty before the user has allowed the app.
    public let deviceID: String
    /// The App ID that was passed to `configure`.
    public let appId: String
    /// Whether cutied proves the identity of the computer to the API.
    public let useAppAttest: Bool
    /// The device facts that the app requested to send with each new conversation.
    public let deviceContext: DeviceContextConfig
    /// Your ID for the user; `nil` if it was not set.
    public var userID: String?
    /// The name of the user; `nil` if it was not set.
    public var userName: String?
    /// The version of the app; `nil` if it was not set.
    public var appVersion: String?
    /// The build of the app; `nil` if it was not set.
    public var appBuild: String?

    init(_ request: AppRequest, _ settings: AppSettings, deviceID: String) {
        (apiKey, apiURL, self.deviceID) = (nil, request.apiURL, deviceID)
        (appId, useAppAttest) = (request.appID, request.usesAttestation)
        deviceContext = request.context.isEmpty ? .none : .custom(request.context)
        (userID, userName) = (settings.user?.id, settings.user?.name)
        (appVersion, appBuild) = (settings.version?.version, settings.version?.build)
    }
}
