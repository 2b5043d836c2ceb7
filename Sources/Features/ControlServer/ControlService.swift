package import Access
package import Accounts
import ControlAPI
import Domain
package import EventLog
package import Identity
package import Logging
package import Notifications
import Platform
import Reasons
import Services
import Varlink
package import VarlinkSocket

/// A group of methods of the control socket: their dependencies and their handlers. Handlers map parameters
/// to replies; they neither decode nor encode.
protocol ControlMethods {
    var implementation: Implementation { get }
}

/// The service at the control socket, for the programs and scripts of this user.
package struct ControlService {
    private let parts: [any ControlMethods]

    /// - Parameters:
    ///   - marksDisplayedAsRead: returns whether messages that a program has displayed are marked as read.
    ///   - reload: reloads the configuration. Throws an error with a message if the configuration is
    ///   rejected.
    package init(
        ingest: Ingest, accounts: AccountRegistry, screen: NotificationScreen,
        notificationController: NotificationController,
        presence: PresenceCheck,
        secrets: SecretStore, questions: Questions, consent: ActivityConsent, handOver: HandOver,
        added: AddedAccounts, access: AccessProvider, openings: OpeningRegister,
        runtime: RuntimeEnvironment,
        marksDisplayedAsRead: @escaping () -> Bool,
        reload: @escaping () async throws -> Void
    ) {
        let store = ingest.store
        parts = [
            StatusMethods(
                ingest: ingest, accounts: accounts, screen: screen,
                notificationController: notificationController,
                runtime: runtime),
            ConversationMethods(
                ingest: ingest, accounts: accounts,
                reader: ConversationReader(ingest: ingest, accounts: accounts, presence: presence)),
            SendingMethods(service: SendingService(store: store, accounts: accounts)),
            ReadingMethods(
                ingest: ingest, accounts: accounts,
                service: ReadingService(ingest: ingest, accounts: accounts, runtime: runtime),
                marksDisplayedAsRead: marksDisplayedAsRead),
            MarkMethods(
                service: MarkService(
                    ingest: ingest, accounts: accounts, notificationController: notificationController,
                    runtime: runtime)),
            WatchMethods(
                ingest: ingest, accounts: accounts, notificationController: notificationController,
                presence: presence,
                runtime: runtime),
            NotificationMethods(
                notificationController: notificationController, screen: screen, accounts: accounts,
                ingest: ingest,
                questions: questions, runtime: runtime),
            QuestionMethods(questions: questions, consent: consent),
            SignInMethods(
                service: SessionService(
                    accounts: accounts, signOutLosses: access.makeRevocationMessages(forSignOutOf:),
                    presence: presence,
                    runtime: runtime),
                notificationController: notificationController),
            GrantsMethods(
                grants: GrantService(
                    hostApps: HostAppGrants(
                        added: added, handOver: handOver, ingest: ingest, runtime: runtime),
                    access: access),
                access: access),
            AppMethods(handOver: handOver, added: added, questions: questions),
            IdentityMethods(accounts: accounts, secrets: secrets, runtime: runtime),
            LinkingMethods(
                service: LinkingService(ingest: ingest, accounts: accounts, runtime: runtime)),
            OpeningMethods(accounts: accounts, openings: openings),
            PushMethods(
                accounts: accounts,
                service: PushService(ingest: ingest, accounts: accounts, runtime: runtime)),
            StaffMethods(
                service: StaffService(store: store, accounts: accounts, runtime: runtime)),
            SubscriptionMethods(
                service: SubscriptionService(store: store, accounts: accounts, runtime: runtime)),
            ConfigurationMethods(accounts: accounts, reloadConfiguration: reload),
        ]
    }

    /// Creates the server.
    ///
    /// - Throws: an error if a method of the interfaces has no handler or several handlers.
    package func makeServer(on listener: consuming ListeningSocket, logger: Logger) throws -> Server {
        Server(
            listener: listener, service: try makeService(logger: logger), peerPolicy: .sameUser,
            onEvent: { logger.notice("control socket", metadata: ["event": "\($0)"]) })
    }

    func makeService(logger: Logger) throws -> Service {
        try Service(
            information: .init(
                vendor: "cutied", product: Product.name, version: Product.version,
                url: Product.website),
            interfaces: ControlSocket.interfaces.map { try VarlinkInterface(parsing: $0.description) },
            implementations: parts.map(\.implementation),
            admitting: { call, _ in try ControlSocket.checkParameterSizes(of: call) },
            fault: { error in
                if let error = error as? ServiceError { return error.controlFault }
                if error is CancellationError {
                    return ServiceError.failed(reason: Reason(.callCancelled)).controlFault
                }
                logger.error("a call failed", metadata: ["reason": "\(error)"])
                return ServiceError.failed(reason: Reason(describing: error)).controlFault
            })
    }
}

/// The handlers for reloading and reconnecting without a restart.
struct ConfigurationMethods: ControlMethods {
    let accounts: AccountRegistry
    /// Reloads the configuration. Throws an error with a message if the configuration is rejected.
    let reloadConfiguration: () async throws -> Void

    var implementation: Implementation { Implementation().on(reload).on(reconnect) }

    func reload(_: Reload) async throws -> Reload.Reply {
        try await reloadConfiguration()
        return Reload.Reply()
    }

    func reconnect(_ call: Reconnect) throws -> Reconnect.Reply {
        for unit in try accounts.findAccounts(named: call.account) { try unit.reconnect() }
        return Reconnect.Reply()
    }
}
