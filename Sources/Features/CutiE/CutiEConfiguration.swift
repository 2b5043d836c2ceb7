/// A copy of the configuration of the app. Changes of it have no effect; use the methods of ``CutiE/CutiE``.
public class CutiEConfiguration {
    /// Always `nil`: API keys are no longer used.
    public let apiKey: String?
    /// The address of the API.
    public let apiURL: String
    /// The id of this device at the API; empty before the user has answered.
    public let deviceID: String
    /// The App ID.
    public let appId: String
    /// Whether the device proves its identity to the API.
    public let useAppAttest: Bool
    /// The facts that the app asked to send with each new conversation.
    public let deviceContext: DeviceContextConfig
    /// Your id for the user.
    public var userID: String?
    /// The name of the user.
    public var userName: String?
    /// The version of the app.
    public var appVersion: String?
    /// The build of the app.
    public var appBuild: String?

    init(_ request: AppRequest, _ settings: AppSettings, deviceID: String) {
        (apiKey, apiURL, self.deviceID) = (nil, request.apiURL, deviceID)
        (appId, useAppAttest) = (request.appID, request.usesAttestation)
        deviceContext = request.context.isEmpty ? .none : .custom(request.context)
        (userID, userName) = (settings.user?.id, settings.user?.name)
        (appVersion, appBuild) = (settings.version?.version, settings.version?.build)
    }
}
