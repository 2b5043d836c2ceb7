import AccessAPI
import AccessServer
import CutieAPI
import Identity
import OAuth
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
        let claimed = try call.app()
        for (parameter, text) in [
            ("clientId", claimed.clientID), ("appId", claimed.id), ("appName", claimed.name),
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
            id: claimed.id, clientID: claimed.clientID, name: claimed.name, identity: app.description,
            isVerified: app.isVerified)
        (program, isSingle, isRenewal) = (app.name, call.single == true, call.renew != nil)
        // Duplicates and the order are ignored.
        protocols = Set(call.protocols).subtracting([ServiceDescription.oauth2]).sorted()
    }

    /// Verifies the token with which the app signed its request; does nothing if there is none.
    func verify(_ token: String?, now: Timestamp) throws(RequestAssertion.Problem) {
        guard let token else { return }
        let assertion = try RequestAssertion(token)
        try assertion.check(clientID: app.clientID, appID: app.id, appName: app.name, now: now) { key in
            SignInProof.isES256(assertion.signature, of: assertion.signedBytes, by: key)
        }
    }
}
