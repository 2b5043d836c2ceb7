package import AccessAPI
import AccessServer
package import Domain
import Services

// MARK: - Consent and push services

extension HostApps {
    package func setConsent(_ call: SetConsent, for app: AppIdentity) throws -> Done {
        try service.setConsent(call.enabled, for: app)
        return Done()
    }

    package func requestConsent(
        _ call: RequestConsent, for app: AppIdentity
    ) async throws -> RequestConsent.Reply {
        .init(enabled: try await service.askForConsent(for: app))
    }

    package func registerPush(_ call: RegisterPush, for app: AppIdentity) async throws -> RegisterPush.Reply {
        .init(queued: try await push.setPushToken(call.token, account: service.findAccountName(of: app)))
    }
}
