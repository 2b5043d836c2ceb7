package import Accounts
import Config
package import CutieAPI
package import Domain
package import EventLog
package import Notifications
import Platform
import Reasons
import Store

/// Serves apps that show the replies of their developers. An app has an account for each App ID and API that
/// the app configured and the user allowed. Calls from the app use the account that the app configured last.
package final class HostAppService {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let permission: HostAppConsent
    private let actions: HostAppActions
    private let consent: ActivityConsent
    private let openings: OpeningRegister
    private let added: AddedAccounts
    private let handOver: HandOver
    private let desktop: Desktop
    private let runtime: RuntimeEnvironment
    private var choices = AccountChoices()

    /// The functions of the user's desktop that apps use.
    package struct Desktop {
        fileprivate let opener: Opener
        private let environment: [String: String]

        package init(opener: Opener, environment: [String: String]) {
            (self.opener, self.environment) = (opener, environment)
        }

        /// The installed Feedback App; `nil` if there is none.
        fileprivate var feedbackApp: LinkHandler? {
            let handler = LinkHandler.find(forScheme: "cutie", environment: environment)
            // Ignore cutied as the handler, because cutied already has the account.
            return handler.flatMap { Product.includes(desktopFile: $0.id) ? nil : $0 }
        }

        /// Opens a link with the Feedback App. Returns `false` if the app did not start.
        fileprivate func openInFeedbackApp(_ link: String) async -> Bool {
            let launcher = Launcher(environment: environment)
            return (try? await launcher.launch(["xdg-open", link]))?.isSuccess == true
        }
    }

    package init(
        ingest: Ingest, accounts: AccountRegistry, questions: Questions, added: AddedAccounts,
        handOver: HandOver, consent: ActivityConsent, openings: OpeningRegister, desktop: Desktop,
        runtime: RuntimeEnvironment
    ) {
        (self.ingest, self.accounts) = (ingest, accounts)
        (self.consent, self.openings) = (consent, openings)
        (self.added, self.handOver, self.desktop) = (added, handOver, desktop)
        self.runtime = runtime
        actions = HostAppActions(questions: questions, runtime: runtime)
        permission = HostAppConsent(
            questions: questions, refusals: HostAppRefusals(ingest: ingest, runtime: runtime))
    }

    /// Returns the account that `app` uses.
    ///
    /// - Throws: `notFound` if the app has no account.
    package func findAccount(of app: AppIdentity) throws -> AccountUnit {
        let owned = try findAccounts(ownedBy: app)
        guard app.isPersistent, let name = choices.findAccountName(of: app, among: owned),
            let unit = accounts.units.first(where: { $0.account.name == name })
        else { throw ServiceError.notFound(what: "account", id: app.name) }
        return unit
    }

    /// Returns the accounts that `app` owns, by account name.
    private func findAccounts(ownedBy app: AppIdentity) throws -> [String: HostAppOwner] {
        try added.fetchOwners().filter { $0.value.app == app.description }
    }

    /// Returns the name of the account that `app` uses. Throws `notFound` if the app has no account.
    package func findAccountName(of app: AppIdentity) throws -> String {
        try findAccount(of: app).account.name
    }
}

// MARK: - Permission

extension HostAppService {
    /// The data that an app sends about itself, and the settings that the app requests.
    package struct Description {
        let appID: String
        let name: String
        let bundleID: String?
        let usesAttestation: Bool
        let facts: [String]

        /// - Parameter facts: the names of the facts to send with each new conversation.
        package init(
            appID: String, name: String, bundleID: String?, usesAttestation: Bool = false,
            facts: [String] = []
        ) {
            (self.appID, self.name, self.bundleID) = (appID, name, bundleID)
            (self.usesAttestation, self.facts) = (usesAttestation, facts)
        }
    }

    /// The account of an app, with the data that the app receives.
    package struct ConfiguredAccount {
        package let account: String
        package let address: APIAddress
        package let device: DeviceID?
        /// Whether the app's developers may count the user as active; `nil` if the user has not decided for
        /// this app.
        package let allowsCounting: Bool?
    }

    /// Chooses the account of an app. If the app has no account for this App ID and API, creates one after
    /// the user has agreed. Until then, and after a refusal, the app keeps its previous account.
    ///
    /// - Parameter apiURL: `nil` for the production API.
    package func findOrCreateAccount(
        for app: AppIdentity, description: Description, apiURL: String?
    ) async throws -> ConfiguredAccount {
        try validateDescription(description)
        let (address, facts) = (try parseAddress(apiURL), try parseContextFields(of: description))
        if let name = try findConfiguredAccount(appID: description.appID, at: address, app: app) {
            return try selectAccount(name, for: app, description: description, facts: facts, at: address)
        }
        let request = HostAppRequest(
            app: app.description, name: description.name, program: app.name, isVerified: app.isVerified,
            host: address.host, facts: facts.isEmpty ? nil : facts)
        try await permission.requireConsent(for: request, isPersistent: app.isPersistent)
        // Search again, because another call from the app may have created the account while the user was
        // asked.
        if let name = try findConfiguredAccount(appID: description.appID, at: address, app: app) {
            return try selectAccount(name, for: app, description: description, facts: facts, at: address)
        }
        var owner = HostAppOwner(
            app: app.description, name: description.name, isVerified: app.isVerified,
            allowedAt: runtime.now())
        owner.bundleID = description.bundleID
        (owner.facts, owner.allowedFacts) = (facts, facts)
        owner.usesAttestation = description.usesAttestation ? true : nil
        let name = try handOver.addAccount(forAppID: description.appID, at: address, ownedBy: owner)
        try ingest.log(AccessLogEntry(.accessGranted, of: app.description, name: description.name))
        return try selectAccount(name, for: app, description: description, facts: facts, at: address)
    }

    /// Chooses an account that the app owns, and applies the settings that the app may change without asking
    /// the user.
    private func selectAccount(
        _ name: String, for app: AppIdentity, description: Description, facts: [DeviceContext.Field],
        at address: APIAddress
    ) throws -> ConfiguredAccount {
        var owner = try findOwner(of: name)
        owner.choice = AccountChoices.rankOfLatestChoice(for: name, among: try findAccounts(ownedBy: app))
        owner.usesAttestation = description.usesAttestation ? true : nil
        owner.facts = facts.filter { $0 == .appVersion || owner.allowedFacts?.contains($0) == true }
        try handOver.update(owner, ofAccount: name)
        choices.setAccount(name, for: app)
        let device = accounts.units.first { $0.account.name == name }?.account.device?.id
        return ConfiguredAccount(
            account: name, address: address, device: device, allowsCounting: owner.allowsCounting)
    }

    private func parseContextFields(of description: Description) throws -> [DeviceContext.Field] {
        try description.facts.map { name in
            guard let fact = DeviceContext.Field(appName: name) else {
                throw ServiceError.invalidArgument(
                    parameter: "deviceContext", reason: Reason(.factUnknown, ["name": name]))
            }
            return fact
        }
    }

    /// Returns the app that owns an account. Throws `notFound` if no app owns it.
    private func findOwner(of account: String) throws -> HostAppOwner {
        guard let owner = try added.fetchOwners()[account] else {
            throw ServiceError.notFound(what: "account", id: account)
        }
        return owner
    }

    /// Stores the version of an app. `bundleID`: `nil` leaves it unchanged.
    package func setVersion(
        _ version: String?, build: String?, bundleID: String?, of app: AppIdentity
    ) throws {
        let name = try findAccountName(of: app)
        var owner = try findOwner(of: name)
        (owner.version, owner.build) = (version, build)
        owner.bundleID = bundleID ?? owner.bundleID
        try handOver.update(owner, ofAccount: name)
    }

    private func parseAddress(_ text: String?) throws -> APIAddress {
        guard let text else { return .production }
        do { return try APIAddress(text) } catch {
            throw ServiceError.invalidArgument(parameter: "apiUrl", reason: error.reason)
        }
    }

    /// Returns the app's account for an App ID and API; `nil` if the user must be asked.
    private func findConfiguredAccount(appID: String, at address: APIAddress, app: AppIdentity) throws
        -> String?
    {
        guard app.isPersistent else { return nil }
        let owned = try findAccounts(ownedBy: app)
        return accounts.units.map(\.account).first { account in
            owned[account.name] != nil && account.configuration.appID == appID
                && account.configuration.apiURL == address
        }?.name
    }

    private func validateDescription(_ description: Description) throws {
        for (parameter, text) in [("appId", description.appID), ("appName", description.name)] {
            guard text.utf8.count <= 256, DisplayName.isReadable(text) else {
                throw ServiceError.invalidArgument(parameter: parameter, reason: DisplayName.limits)
            }
        }
    }
}

// MARK: - Actions that require the user's consent

extension HostAppService {
    /// Stores in the account of the app whether the app's developers may count the user as active.
    package func setConsent(_ isAllowed: Bool, for app: AppIdentity) throws {
        let account = try findAccountName(of: app)
        var owner = try findOwner(of: account)
        owner.allowsCounting = isAllowed
        try added.update(owner, ofAccount: account)
        consent.changes.notify()
    }

    /// Asks the user whether the app's developers may count the user as active. Stores and returns the
    /// answer.
    package func askForConsent(for app: AppIdentity) async throws -> Bool {
        let isAllowed = try await actions.requestPermission(
            for: .analytics, of: app, owner: findOwner(of: findAccountName(of: app)))
        try setConsent(isAllowed, for: app)
        return isAllowed
    }

    /// Asks the user whether the app may link or unlink a device.
    ///
    /// - Throws: `accessDenied` if the user refuses, `unanswered` if the user does not answer.
    func requirePermission(
        for action: HostAppAction.Kind, of app: AppIdentity, device: HostAppActions.AffectedDevice? = nil
    ) async throws {
        try await actions.requirePermission(
            for: action, of: app, owner: findOwner(of: findAccountName(of: app)), device: device)
    }
}

// MARK: - The desktop

extension HostAppService {
    /// Whether a Feedback App is installed.
    package var hasFeedbackApp: Bool { desktop.feedbackApp != nil }

    /// Opens the given conversation of the app, or the inbox.
    package func openInbox(_ conversation: String?, for app: AppIdentity) async throws {
        let unit = try findAccount(of: app)
        let hasStarted: Bool
        if let conversation {
            _ = try accounts.findAccount(withConversation: conversation, named: unit.account.name)
            _ = try openings.recordOpening(
                of: .init(conversation), account: unit.account.id, message: nil, source: .app)
            hasStarted = await desktop.opener.open(
                .conversation(.init(conversation), account: unit.account.name), activationToken: nil)
        } else {
            hasStarted = await desktop.opener.openInbox()
        }
        guard hasStarted else {
            throw ServiceError.failed(reason: Reason(.noProgramForReplies))
        }
    }

    /// Opens the form for a new conversation of the app.
    package func openForm(for app: AppIdentity) async throws {
        guard await desktop.opener.openForm(forAccount: try findAccountName(of: app)) else {
            throw ServiceError.failed(reason: Reason(.windowNotStarted))
        }
    }

    /// Runs `body`. If `isEnabled`, clicks on notifications open conversations in the app until `body` ends.
    package func withClickHandler(
        isEnabled: Bool, in app: AppIdentity, _ body: () async throws -> Void
    ) async throws {
        guard isEnabled else { return try await body() }
        try await openings.withRegisteredHandler(for: findAccount(of: app).account.id, body)
    }

    /// Creates a token that allows the Feedback App to take over the app's account.
    package func createOffer(for app: AppIdentity) async throws -> HandOver.Offer {
        try await handOver.createOffer(account: findAccountName(of: app))
    }

    /// Opens the app's account in the Feedback App. Returns the link. If the Feedback App does not start,
    /// revokes the token in the link and throws `failed`.
    package func openFeedbackApp(for app: AppIdentity) async throws -> String {
        let account = try findAccountName(of: app)
        guard let feedbackApp = desktop.feedbackApp else {
            throw ServiceError.notFound(what: "app", id: "Feedback App")
        }
        let offer = try await handOver.createOffer(account: account)
        guard await desktop.openInFeedbackApp(offer.link.text) else {
            // If the revocation fails, the token stays valid until it expires.
            try? await handOver.revoke(offer.token, forAccount: account)
            throw ServiceError.failed(reason: Reason(.appNotStarted, ["app": feedbackApp.name]))
        }
        return offer.link.text
    }
}

extension DeviceContext.Field {
    /// Parses the name that the SDK uses for the fact.
    fileprivate init?(appName name: String) {
        switch name {
        case "language": self = .language
        case "country": self = .country
        case "appVersion": self = .appVersion
        case "osVersion": self = .osVersion
        case "deviceModel": self = .deviceModel
        default: return nil
        }
    }
}
