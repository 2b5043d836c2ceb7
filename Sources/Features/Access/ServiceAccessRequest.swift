import AccessAPI
import AccessServer
import CutieAPI
import RSD2
import Store

/// A validated request of an app.
struct ServiceAccessRequest {
    let app: GrantRecord.App
    let program: String
    let protocols: [String]
    let isSingle: Bool
    /// Whether the app already has a token, which is no longer sufficient.
    let isRenewal: Bool

    init(_ call: AuthorizeProtocols, of app: AppIdentity) throws {
        for (parameter, text) in [
            ("clientId", call.clientId), ("appId", call.appId), ("appName", call.appName),
        ] {
            guard text.utf8.count <= 256, DisplayName.isReadable(text) else {
                throw AccessAPI.InvalidArgument(parameter: parameter, reason: DisplayName.limits)
            }
        }
        for (index, name) in call.protocols.enumerated() where !DisplayName.isReadable(name) {
            throw AccessAPI.InvalidArgument(
                parameter: "protocols[\(index)]", reason: "it contains invisible characters")
        }
        self.app = GrantRecord.App(
            id: call.appId, clientID: call.clientId, name: call.appName, identity: app.description,
            isVerified: app.isVerified)
        (program, isSingle, isRenewal) = (app.name, call.single == true, call.token != nil)
        // Duplicates and the order are ignored.
        protocols = Set(call.protocols).subtracting([ServiceDescription.oauth2]).sorted()
    }
}
