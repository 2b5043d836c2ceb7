package import AccessAPI
package import AccessServer
package import Accounts
import Config
import ControlAPI
import CutieAPI
package import EventLog
import FeedPolicy
package import Identity
package import Notifications
import Platform
import Store

/// The service for apps that show their maker's replies. Each app has an account that the user allowed. Its
/// calls are executed like those of the control socket, but only for this account.
package final class HostApps {
    let ingest: Ingest
    let accounts: AccountRegistry
    let presence: PresenceCheck
    let desktop: Desktop
    private let hostAppConsent: HostAppConsent
    let actions: HostAppActions
    let consent: ActivityConsent
    let openings: OpeningRegister
    let added: AddedAccounts
    private let handOver: HandOver
    private let identity: IdentityMethods
    private let conversations: ConversationMethods
    private let sending: SendingMethods
    private let reading: ReadingMethods
    let linking: LinkingMethods
    let push: PushMethods
    let surroundings: RuntimeEnvironment

    /// The functions of the user's desktop that apps use.
    package struct Desktop {
        let opener: Opener
        let environment: [String: String]

        package init(opener: Opener, environment: [String: String]) {
            (self.opener, self.environment) = (opener, environment)
        }

        /// `nil` if no Feedback App is installed.
        fileprivate var feedbackApp: LinkHandler? {
            let handler = LinkHandler.find(scheme: "cutie", environment: environment)
            // If cutied is the handler itself, it would add the account that it already has.
            return handler.flatMap { Product.isOwn(desktopFile: $0.id) ? nil : $0 }
        }

        /// Opens a link with the Feedback App. Returns false if it did not start.
        fileprivate func open(_ link: String) async -> Bool {
            let launcher = Launcher(environment: environment)
            return (try? await launcher.launch(["xdg-open", link]))?.isSuccess == true
        }
    }

    package init(
        ingest: Ingest, accounts: AccountRegistry, presence: PresenceCheck, secrets: SecretStore,
        questions: Questions,
        added: AddedAccounts, handOver: HandOver, consent: ActivityConsent, openings: OpeningRegister,
        desktop: Desktop, surroundings: RuntimeEnvironment
    ) {
        (self.ingest, self.accounts, self.presence) = (ingest, accounts, presence)
        (self.added, self.handOver, self.desktop) = (added, handOver, desktop)
        self.surroundings = surroundings
        (self.consent, self.openings) = (consent, openings)
        actions = HostAppActions(questions: questions, surroundings: surroundings)
        linking = LinkingMethods(ingest: ingest, accounts: accounts, surroundings: surroundings)
        push = PushMethods(ingest: ingest, accounts: accounts, surroundings: surroundings)
        hostAppConsent = HostAppConsent(
            questions: questions,
            refusals: HostAppRefusals(ingest: ingest, surroundings: surroundings))
        identity = IdentityMethods(accounts: accounts, secrets: secrets, surroundings: surroundings)
        conversations = ConversationMethods(ingest: ingest, accounts: accounts, presence: presence)
        sending = SendingMethods(store: ingest.store, accounts: accounts)
        reading = ReadingMethods(
            ingest: ingest, accounts: accounts, surroundings: surroundings, marksDisplayedAsRead: { true })
    }

    /// Returns the account that `app` owns.
    func unit(of app: AppIdentity) throws -> AccountUnit {
        let owned = try added.owners().first { $0.value.app == app.description }
        guard app.isPersistent, let name = owned?.key,
            let unit = accounts.units.first(where: { $0.account.name == name })
        else { throw AccessAPI.NotConfigured() }
        return unit
    }

    /// Returns the reply of a control method, and converts its error for apps.
    func answer<Reply>(_ body: () async throws -> Reply) async throws -> Reply {
        do { return try await body() } catch { throw HostAppFault.of(error) }
    }
}

// MARK: - Configure

extension HostApps {
    private func address(_ text: String?) throws -> APIAddress {
        guard let text else { return .production }
        do { return try APIAddress(text) } catch {
            throw AccessAPI.InvalidArgument(parameter: "apiUrl", reason: "\(error)")
        }
    }

    /// Returns the account if the app is configured already; then the user is not asked again.
    private func configured(_ appID: String, at address: APIAddress, _ app: AppIdentity) throws -> String? {
        guard let unit = try? unit(of: app) else { return nil }
        let configuration = unit.account.configuration
        guard configuration.appID == appID, configuration.apiURL == address else {
            throw AccessAPI.InvalidArgument(
                parameter: "appId", reason: "this app already has an account for another App ID or API")
        }
        return unit.account.name
    }

    /// Applies what the app may change without another question. Returns the reply.
    private func reply(
        _ name: String, _ call: Configure, _ facts: [DeviceContext.Field], at address: APIAddress
    ) throws -> Configure.Reply {
        var owner = try owner(of: name)
        owner.usesAttestation = call.useAppAttest == true ? true : nil
        owner.facts = facts.filter { $0 == .appVersion || owner.allowedFacts?.contains($0) == true }
        try handOver.update(owner, of: name)
        let device = accounts.units.first { $0.account.name == name }?.account.device?.id
        return .init(
            account: name, apiUrl: address.description, deviceId: device?.rawValue,
            consent: owner.allowsCounting)
    }

    /// Returns the facts that the app wants to send with each new conversation.
    private func facts(of call: Configure) throws -> [DeviceContext.Field] {
        try (call.deviceContext ?? []).map { name in
            guard let fact = DeviceContext.Field(appName: name) else {
                throw AccessAPI.InvalidArgument(parameter: "deviceContext", reason: "\(name) is not a fact")
            }
            return fact
        }
    }

    private func checked(_ call: Configure) throws {
        let texts = [("appId", call.appId), ("appName", call.appName)]
        for (parameter, text) in texts {
            guard text.utf8.count <= 256, DisplayName.isReadable(text) else {
                throw AccessAPI.InvalidArgument(parameter: parameter, reason: DisplayName.limits)
            }
        }
    }
}

extension HostApps: HostAppDelegate {
    package func configure(_ call: Configure, for app: AppIdentity) async throws -> Configure.Reply {
        try checked(call)
        let (address, facts) = (try address(call.apiUrl), try facts(of: call))
        if let name = try configured(call.appId, at: address, app) {
            return try reply(name, call, facts, at: address)
        }
        let request = HostAppRequest(
            app: app.description, name: call.appName, program: app.name, isVerified: app.isVerified,
            host: address.host, facts: facts.isEmpty ? nil : facts)
        try await hostAppConsent.ask(request, isPersistent: app.isPersistent)
        // Another call of the app may have completed during the question.
        if let name = try configured(call.appId, at: address, app) {
            return try reply(name, call, facts, at: address)
        }
        var owner = HostAppOwner(
            app: app.description, name: call.appName, isVerified: app.isVerified,
            allowedAt: surroundings.now())
        owner.bundleID = call.bundleId
        (owner.facts, owner.allowedFacts) = (facts, facts)
        owner.usesAttestation = call.useAppAttest == true ? true : nil
        let name = try handOver.add(call.appId, at: address, ownedBy: owner)
        try ingest.log(AccessLogEntry(.accessGranted, of: app.description, name: call.appName))
        return try reply(name, call, facts, at: address)
    }

    package func setAppMetadata(_ call: SetAppMetadata, for app: AppIdentity) async throws -> Done {
        let name = try unit(of: app).account.name
        guard var owner = try added.owners()[name] else { throw AccessAPI.NotConfigured() }
        (owner.version, owner.build) = (call.version, call.build)
        owner.bundleID = call.bundleId ?? owner.bundleID
        try handOver.update(owner, of: name)
        return Done()
    }
}

// MARK: - Conversations

extension HostApps {
    package func createConversation(
        _ call: AccessAPI.CreateConversation, for app: AppIdentity
    ) async throws -> AccessAPI.CreateConversation.Reply {
        let account = try unit(of: app).account.name
        let reply = try await answer {
            try await sending.createConversation(
                .init(
                    category: call.category, message: call.message, title: call.title, account: account,
                    idempotencyKey: call.idempotencyKey))
        }
        return .init(
            conversationId: reply.conversationId, queued: reply.queued, outboxId: reply.outboxId)
    }

    package func sendMessage(
        _ call: AccessAPI.SendMessage, for app: AppIdentity
    ) async throws -> AccessAPI.SendMessage.Reply {
        let account = try unit(of: app).account.name
        let reply = try await answer {
            try await sending.sendMessage(
                .init(
                    conversation: call.conversation, message: call.message, account: account,
                    idempotencyKey: call.idempotencyKey))
        }
        return .init(messageId: reply.messageId, queued: reply.queued, outboxId: reply.outboxId)
    }

    package func listConversations(
        _ call: AccessAPI.ListConversations, for app: AppIdentity
    ) async throws -> AccessAPI.ListConversations.Reply {
        let unit = try unit(of: app)
        let reply = try await answer {
            try await conversations.listConversations(.init(limit: call.limit, account: unit.account.name))
        }
        return .init(
            conversations: reply.conversations.map(AppConversation.init(_:)),
            badge: ingest.badges[unit.account.id]?.total, cut: reply.cut)
    }

    package func getConversation(
        _ call: AccessAPI.GetConversation, for app: AppIdentity
    ) async throws -> AccessAPI.GetConversation.Reply {
        let account = try unit(of: app).account.name
        let reply = try await answer {
            try await presence.require(.preview)
            return try await conversations.getConversation(
                .init(conversation: call.conversation, limit: call.limit, account: account))
        }
        return .init(
            conversation: AppConversation(reply.conversation),
            messages: reply.messages.map(AppMessage.init(_:)),
            cut: reply.cut)
    }

    package func markRead(_ call: AccessAPI.MarkRead, for app: AppIdentity) async throws -> Done {
        let account = try unit(of: app).account.name
        _ = try await answer {
            try await reading.markRead(.init(conversation: call.conversation, account: account))
        }
        return Done()
    }

    package func clearBadge(_ call: AccessAPI.ClearBadge, for app: AppIdentity) async throws -> Done {
        let account = try unit(of: app).account.name
        _ = try await answer {
            try await reading.clearBadge(.init(conversation: call.conversation, account: account))
        }
        return Done()
    }

    package func setUser(_ call: AccessAPI.SetUser, for app: AppIdentity) async throws -> Done {
        let account = try unit(of: app).account.name
        _ = try await answer {
            try identity.replaceUser(.init(userId: call.userId, userName: call.userName, account: account))
        }
        return Done()
    }
}

// MARK: - The desktop

extension HostApps {
    package func openInbox(_ call: OpenInbox, for app: AppIdentity) async throws -> Done {
        let unit = try unit(of: app)
        if let conversation = call.conversation {
            _ = try await answer { try accounts.holding(conversation, named: unit.account.name) }
            _ = try openings.record(.init(conversation), of: unit.account.id, message: nil, by: .app)
        }
        let hasStarted =
            if let conversation = call.conversation {
                await desktop.opener.open(
                    .conversation(.init(conversation), account: unit.account.name), activationToken: nil)
            } else {
                await desktop.opener.openInbox()
            }
        guard hasStarted else {
            throw AccessAPI.Failed(reason: "no program to show the replies could be started")
        }
        return Done()
    }

    package func appInstalled(_ call: AppInstalled, for app: AppIdentity) async throws -> AppInstalled.Reply {
        AppInstalled.Reply(installed: desktop.feedbackApp != nil)
    }

    package func appOpen(_ call: AppOpen, for app: AppIdentity) async throws -> AppOpen.Reply {
        let account = try unit(of: app).account.name
        guard let app = desktop.feedbackApp else { throw AccessAPI.NotFound(what: "app", id: "Feedback App") }
        let offer = try await answer { try await handOver.createOffer(account) }
        guard await desktop.open(offer.link.text) else {
            // If this call fails, the token expires by itself.
            try? await handOver.revoke(offer.token, of: account)
            throw AccessAPI.Failed(reason: "\(app.name) did not start")
        }
        return AppOpen.Reply(link: offer.link.text)
    }

    package func appCode(_ call: AppCode, for app: AppIdentity) async throws -> AppCode.Reply {
        let account = try unit(of: app).account.name
        let offer = try await answer { try await handOver.createOffer(account) }
        return AppCode.Reply(code: offer.token.rawValue, link: offer.link.text)
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
