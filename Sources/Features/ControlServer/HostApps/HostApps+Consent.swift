package import AccessAPI
package import AccessServer
import Accounts
import ControlAPI
import CutieAPI
import EventLog
import Notifications

/// Whether an app's maker may count the user as active, push services, and the form of the window.
extension HostApps {
    package func setConsent(_ call: SetConsent, for app: AppIdentity) throws -> Done {
        try store(call.enabled, of: try unit(of: app).account.name)
        return Done()
    }

    package func requestConsent(
        _ call: RequestConsent, for app: AppIdentity
    ) async throws -> RequestConsent.Reply {
        let account = try unit(of: app).account.name
        let isAllowed = try await actions.isAllowed(.analytics, of: app, owner(of: account))
        try store(isAllowed, of: account)
        return RequestConsent.Reply(enabled: isAllowed)
    }

    private func store(_ isAllowed: Bool, of account: String) throws {
        var owner = try owner(of: account)
        owner.allowsCounting = isAllowed
        try added.update(owner, of: account)
        consent.changes.notify()
    }

    package func registerPush(
        _ call: AccessAPI.RegisterPush, for app: AppIdentity
    ) async throws -> AccessAPI.RegisterPush.Reply {
        let account = try unit(of: app).account.name
        let isQueued = try await answer {
            guard let token = call.token else {
                return try await push.unregisterPush(.init(account: account)).queued
            }
            return try await push.registerPush(.init(token: token, account: account)).queued
        }
        return .init(queued: isQueued)
    }

    package func openForm(_ call: OpenForm, for app: AppIdentity) async throws -> Done {
        guard await desktop.opener.openForm(of: try unit(of: app).account.name) else {
            throw AccessAPI.Failed(reason: "the window of cutied could not be started")
        }
        return Done()
    }

    /// Returns the app that owns an account.
    func owner(of account: String) throws -> HostAppOwner {
        guard let owner = try added.owners()[account] else { throw AccessAPI.NotConfigured() }
        return owner
    }
}
