import CutieAPI
package import Domain
import Identity
import OAuth
import RSD2
import Reasons
import Store

/// A validated request from an app for services.
package struct ServiceAccessRequest {
    let app: GrantRecord.App
    let program: String
    let protocols: [String]
    let isSingle: Bool
    /// Whether the app already has a token that is no longer sufficient.
    let isRenewal: Bool
    /// Whether the app can be recognized later.
    let isPersistent: Bool
    /// The signed assertion of the request; `nil` if the app sent none.
    private let assertion: String?

    /// Validates a request from an app.
    ///
    /// - Throws: `invalidArgument` if a string is too long or cannot be shown to the user.
    package init(
        clientID: String, appID: String, appName: String, protocols: [String], isSingle: Bool,
        isRenewal: Bool, assertion: String?, of app: AppIdentity
    ) throws(ServiceError) {
        for (parameter, text) in [("clientId", clientID), ("appId", appID), ("appName", appName)] {
            guard text.utf8.count <= 256, DisplayName.isReadable(text) else {
                throw .invalidArgument(parameter: parameter, reason: DisplayName.limits)
            }
        }
        for (index, name) in protocols.enumerated() where !DisplayName.isReadable(name) {
            throw .invalidArgument(
                parameter: "protocols[\(index)]", reason: Reason(.invisibleCharacters))
        }
        self.app = GrantRecord.App(
            id: appID, clientID: clientID, name: appName, identity: app.description,
            isVerified: app.isVerified)
        (program, self.isSingle, self.isRenewal) = (app.name, isSingle, isRenewal)
        (isPersistent, self.assertion) = (app.isPersistent, assertion)
        // Remove duplicates and sort the names, so that equivalent requests are equal.
        self.protocols = Set(protocols).subtracting([ServiceDescription.oauth2]).sorted()
    }

    /// Verifies the signed assertion of the request, if there is one.
    func verifyAssertion(now: Timestamp) throws(RequestAssertion.Problem) {
        guard let assertion else { return }
        let parsed = try RequestAssertion(assertion)
        try parsed.checkClaimsAndSignature(clientID: app.clientID, appID: app.id, appName: app.name, now: now)
        { key in
            SignInCryptography.isValidES256Signature(
                parsed.signature, for: parsed.signedBytes, publicKey: key)
        }
    }
}
