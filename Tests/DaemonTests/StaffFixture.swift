import Config
import ControlAPI
import CutieAPI
import Domain
import FeedPolicy
import HTTP
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services
@_spi(EventLog) @testable import Store

/// An authorizer that always has a token.
final class FixedAuthorizer: Authorizer {
    let isReady = true
    let generation = 1
    let authentication = AuthenticationState.authenticated

    func loadCredentials() async throws(APIFailure) {}
    func ensureCredentials(using client: APIClient) async throws(APIFailure) {}
    func headers(for request: APIRequest) -> [APIRequest.Header] {
        [.init(name: HeaderName.authorization, value: "Bearer token")]
    }
    func recoverFromUnauthorized(
        credentialGeneration generation: Int, isFromAPI: Bool, using client: APIClient
    ) async throws(APIFailure) -> Bool { false }
    func runPeriodicWork(using client: APIClient) async throws { try await ChangeSignal().wait(past: 0) }
}

/// A fixture with a staff account that belongs to the support agent Ann.
@MainActor
struct StaffFixture {
    static let ann = "adm_ann"
    let fixture: IngestFixture
    let accounts: AccountRegistry
    let supervisor: AccountSupervisor
    let unit: AccountUnit

    var account: AccountID { unit.account.id }

    init(
        at url: String = "http://127.0.0.1:1",
        notify: Set<AccountConfiguration.NotificationScope> = [.mine, .unassigned],
        synced: Bool = true, _ flow: ManualTime.Flow = .brief,
        by transport: TransportKind? = .poll
    ) throws {
        fixture = try IngestFixture(flow)
        accounts = AccountRegistry(log: fixture.log)
        supervisor = AccountSupervisor(
            accounts: accounts, ingest: fixture.ingest, httpClient: HTTPClient(),
            machine: try Machine(secrets: .file, directory: fixture.directory.path, environment: [:]),
            runtime: fixture.runtime, logger: .silent, authorizer: { _ in FixedAuthorizer() },
            onPendingReplies: {})
        var configuration = AccountConfiguration(name: "desk", kind: .staff)
        configuration.apiURL = try APIAddress(url)
        (configuration.notify, configuration.transport) = (notify, transport)
        try supervisor.applyConfigurations([configuration])
        unit = try #require(accounts.units.first)
        if synced {
            let id = unit.account.id
            try fixture.store.write {
                try $0.accounts.setFirstSyncTime(.base, of: id)
                try $0.accounts.setUnreadCount(0, of: id)
            }
            try supervisor.applyConfigurations([configuration])
            try fixture.ingest.setOpenAccounts([id: unit.signedInUserStore.currentPerspective()])
        }
        try unit.signedInUserStore.setSignedInUser(SignedInUser(adminID: Self.ann))
    }

    var staff: StaffMethods {
        StaffMethods(
            service: StaffService(
                store: fixture.store, accounts: accounts, runtime: fixture.runtime))
    }

    var badge: Badge { fixture.ingest.badges[account] ?? Badge() }

    func record(_ id: Conversation.ID = "c") throws -> (unread: Int, conversation: Conversation)? {
        try fixture.store.read { try $0.conversations.find(id, account: account) }
            .map { ($0.unread, $0.conversation) }
    }

    func accept(_ events: Event...) throws {
        try fixture.ingest.apply(events, to: account, receivedOver: .stream)
    }

    /// Delivers a message from a user to the staff account.
    func user(_ id: Message.ID, in conversation: Conversation.ID = "c", at seconds: Int64) throws {
        try say(id, .user, by: "u", "Uma", in: conversation, at: seconds)
    }

    func admin(
        _ id: Message.ID, by admin: String, _ name: String, in conversation: Conversation.ID = "c",
        at seconds: Int64, note: Bool = false
    ) throws {
        try say(id, .admin, by: admin, name, in: conversation, at: seconds, note: note)
    }

    private func say(
        _ id: Message.ID, _ sender: SenderType, by: String, _ name: String, in conversation: Conversation.ID,
        at seconds: Int64, note: Bool = false
    ) throws {
        let message = Message(
            id: id, conversation: conversation, senderType: sender, senderID: by, senderName: name,
            text: "text of \(id)", isInternalNote: note, createdAt: .base(plus: seconds))
        // The counts from the server describe the user's unread messages, so a staff account ignores these
        // counts.
        try accept(.reply(message, unread: 7, of: 7, event: .init(id.rawValue)))
    }

    func assign(_ conversation: Conversation.ID = "c", to admin: String?, at seconds: Int64) throws {
        var changed = Conversation(id: conversation, status: .open)
        changed.assignedAdminID = admin
        changed.unreadCount = 7
        changed.updatedAt = .base(plus: seconds)
        try accept(
            Event(
                id: .init("assign-\(seconds)"), createdAt: .base(plus: seconds),
                payload: .conversationUpdated(changed)))
    }

    func steps(_ id: Message.ID) throws -> [String] {
        try fixture.store.read { transaction in
            guard let thread = try transaction.messages.find(id, account: account).first?.message.conversation
            else { return [] }
            return try transaction.ledger.fetchSteps(of: id, in: thread, account: account)
                .map { "\($0.stage.rawValue) \($0.detail ?? "")" }
        }
    }
}
