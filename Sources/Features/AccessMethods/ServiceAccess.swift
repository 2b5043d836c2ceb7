package import Access
package import AccessAPI
import AccessServer
import CutieAPI
package import Domain
import OAuth
import RSD2

/// The methods for apps that use a service of the user's institution.
package final class ServiceAccess: ServiceAccessDelegate {
    private let provider: AccessProvider

    package init(provider: AccessProvider) { self.provider = provider }

    package func authorizeProtocols(
        _ call: AuthorizeProtocols, for app: AppIdentity
    ) async throws -> AuthorizeProtocols.Reply {
        let claimed = try call.requireClaimedApp()
        let request = try ServiceAccessRequest(
            clientID: claimed.clientID, appID: claimed.id, appName: claimed.name, protocols: call.protocols,
            isSingle: call.single == true, isRenewal: call.renew != nil, assertion: call.token, of: app)
        return .init(services: try await provider.issueTokens(for: request).map(AuthorizedService.init(_:)))
    }

    package func revokeToken(_ call: RevokeToken, for app: AppIdentity) async throws -> RevokeToken.Reply {
        .init(revoked: try provider.revokeTokens(of: app, clientID: call.clientId, at: call.engineLink))
    }
}

extension AuthorizedService {
    fileprivate init(_ issued: IssuedToken) {
        let service = issued.service
        self.init(
            engineName: service.engineName, engineLink: service.engineLink.description,
            engineId: service.engineId, homePageLink: service.homePageLink ?? "",
            homePageIcon: service.homePageIcon,
            apis: service.apis.mapValues(ServiceAPI.init(_:)),
            authorization: ServiceAuthorization(
                accessToken: issued.token, tokenType: "Bearer", expiresAt: issued.expiresAt?.milliseconds,
                scope: issued.scope, access_token: issued.token, token_type: "Bearer",
                expires_in: Int(issued.secondsLeft), api_key: ""))
    }
}

extension ServiceAPI {
    fileprivate init(_ api: ServiceDescription.API) {
        self.init(
            apiLink: api.link.description, apiVersion: api.versions.first, settings: api.settings,
            notes: api.notes, apiVersions: api.versions, transport: api.transports.first,
            transports: api.transports, preferred: api.isPreferred, docs: api.docs,
            description: api.serviceDescription, engineId: api.engineId)
    }
}
