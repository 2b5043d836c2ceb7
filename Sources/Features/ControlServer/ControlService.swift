package import Access
package import Accounts
import ControlAPI
package import EventLog
package import Identity
package import Logging
package import Notifications
import Varlink
package import VarlinkSocket

/// A group of methods of the control socket: their dependencies and their handlers. Handlers neither decode
/// nor encode: they map parameters to replies.
protocol ControlMethods {
    var implementation: Implementation { get }
}

/// The control socket, for the programs and scripts of this user.
package struct ControlService {
    private let parts: [any ControlMethods]

    /// The time that sending methods wait for the API before they reply `queued`.
    static let sendingLimit: Duration = .seconds(5)

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - marksDisplayedAsRead: whether messages that a program has displayed are marked as read.
    ///   - reload: reloads the configuration; throws a message if it is rejected.
    package init(
        ingest: Ingest, accounts: AccountRegistry, screen: NotificationManager,
        attention: NotificationController,
        presence: PresenceCheck,
        secrets: SecretStore, questions: Questions, consent: ActivityConsent, handOver: HandOver,
        added: AddedAccounts, access: AccessProvider, openings: OpeningRegister,
        surroundings: RuntimeEnvironment,
        marksDisplayedAsRead: @escaping () -> Bool,
        reload: @escaping () async throws -> Void
    ) {
        let store = ingest.store
        parts = [
            StatusMethods(
                ingest: ingest, accounts: accounts, screen: screen, attention: attention,
                surroundings: surroundings),
            ConversationMethods(ingest: ingest, accounts: accounts, presence: presence),
            SendingMethods(store: store, accounts: accounts),
            ReadingMethods(
                ingest: ingest, accounts: accounts, surroundings: surroundings,
                marksDisplayedAsRead: marksDisplayedAsRead),
            MarkMethods(ingest: ingest, accounts: accounts, attention: attention),
            WatchMethods(
                ingest: ingest, accounts: accounts, attention: attention, presence: presence,
                surroundings: surroundings),
            NotificationMethods(
                attention: attention, screen: screen, accounts: accounts, ingest: ingest,
                questions: questions, surroundings: surroundings),
            QuestionMethods(questions: questions, consent: consent),
            SignInMethods(
                accounts: accounts, signOutLosses: access.signOutLosses(of:), presence: presence,
                attention: attention, surroundings: surroundings),
            GrantsMethods(
                hostApps: HostAppGrants(
                    added: added, handOver: handOver,
                    refusals: HostAppRefusals(ingest: ingest, surroundings: surroundings), ingest: ingest,
                    surroundings: surroundings),
                access: access),
            AppMethods(handOver: handOver, added: added, questions: questions),
            IdentityMethods(accounts: accounts, secrets: secrets, surroundings: surroundings),
            LinkingMethods(ingest: ingest, accounts: accounts, surroundings: surroundings),
            OpeningMethods(accounts: accounts, openings: openings),
            PushMethods(ingest: ingest, accounts: accounts, surroundings: surroundings),
            StaffMethods(store: store, accounts: accounts, surroundings: surroundings),
            SubscriptionMethods(store: store, accounts: accounts, surroundings: surroundings),
            ConfigurationMethods(accounts: accounts, reloadConfiguration: reload),
        ]
    }

    /// Creates the server.
    ///
    /// - Throws: if a method of the interfaces has no handler, or has two.
    package func server(on listener: consuming ListeningSocket, logger: Logger) throws -> Server {
        Server(
            listener: listener, service: try service(logger), peerPolicy: .sameUser,
            notice: { logger.notice("control socket", metadata: ["event": "\($0)"]) })
    }

    func service(_ logger: Logger) throws -> Service {
        try Service(
            information: .init(
                vendor: "cutied", product: Product.name, version: Product.version,
                url: Product.website),
            interfaces: ControlSocket.interfaces.map { try VarlinkInterface(parsing: $0.description) },
            implementations: parts.map(\.implementation),
            admitting: { call, _ in try ControlSocket.checkLimits(of: call) },
            fault: { error in
                if error is CancellationError { return Failed(reason: "the call was cancelled; try again") }
                logger.error("a call failed", metadata: ["reason": "\(error)"])
                return Failed(reason: "\(error)")
            })
    }
}

/// The handlers for reloading and reconnecting without a restart.
struct ConfigurationMethods: ControlMethods {
    let accounts: AccountRegistry
    /// Reloads the configuration; throws a message if it is rejected.
    let reloadConfiguration: () async throws -> Void

    var implementation: Implementation { Implementation().on(reload).on(reconnect) }

    func reload(_: Reload) async throws -> Reload.Reply {
        try await reloadConfiguration()
        return Reload.Reply()
    }

    func reconnect(_ call: Reconnect) throws -> Reconnect.Reply {
        for unit in try accounts.matching(call.account) { try unit.reconnect() }
        return Reconnect.Reply()
    }
}
