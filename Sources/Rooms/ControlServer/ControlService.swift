package import Access
package import Accounts
import ControlAPI
package import Identity
package import Log
package import Logging
package import Screen
import Varlink
package import VarlinkSocket

/// Some methods of the control socket: what they need, and what answers them. A handler decodes nothing and
/// encodes nothing: parameters in, replies out.
protocol ControlMethods {
    var implementation: Implementation { get }
}

/// What is offered at the control socket, to people and scripts of this user.
package struct ControlService {
    private let parts: [any ControlMethods]

    /// Verbs that send wait this long for the API before they answer "queued".
    static let sendingLimit: Duration = .seconds(5)

    /// - Parameters:
    ///   - marksShownRead: whether what a program has shown is marked read.
    ///   - reload: reads the configuration again; throws a sentence where it is refused.
    package init(
        ingest: Ingest, accounts: Accounts, screen: Screen, attention: Attention, presence: Presence,
        secrets: SecretStore, questions: Questions, consent: ActivityConsent, handOver: HandOver,
        added: AddedAccounts, access: AccessProvider, surroundings: Surroundings,
        marksShownRead: @escaping () -> Bool,
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
                marksShownRead: marksShownRead),
            WatchMethods(
                ingest: ingest, accounts: accounts, attention: attention, presence: presence,
                surroundings: surroundings),
            AttentionMethods(
                attention: attention, screen: screen, accounts: accounts, ingest: ingest,
                questions: questions, surroundings: surroundings),
            QuestionMethods(questions: questions, consent: consent),
            SignInMethods(
                accounts: accounts, belongings: access.belongings(of:), presence: presence,
                surroundings: surroundings),
            GrantsMethods(
                hostApps: HostAppGrants(
                    added: added, handOver: handOver,
                    refusals: HostAppRefusals(ingest: ingest, surroundings: surroundings), ingest: ingest,
                    surroundings: surroundings),
                access: access),
            AppMethods(handOver: handOver, added: added, questions: questions),
            IdentityMethods(accounts: accounts, secrets: secrets, surroundings: surroundings),
            LinkingMethods(ingest: ingest, accounts: accounts, surroundings: surroundings),
            PushMethods(ingest: ingest, accounts: accounts, surroundings: surroundings),
            StaffMethods(store: store, accounts: accounts, surroundings: surroundings),
            SubscriptionMethods(store: store, accounts: accounts, surroundings: surroundings),
            ConfigurationMethods(accounts: accounts, readAgain: reload),
        ]
    }

    /// Throws where a method of the interfaces has no handler, or two.
    package func server(on listener: consuming ListeningSocket, logger: Logger) throws -> Server {
        Server(
            listener: listener, service: try service(logger), peerPolicy: .sameUser,
            notice: { logger.notice("control socket", metadata: ["event": "\($0)"]) })
    }

    func service(_ logger: Logger) throws -> Service {
        try Service(
            information: .init(
                vendor: "cutied", product: Product.name, version: Product.version,
                url: "https://github.com/cutied/cutied"),
            interfaces: ControlSocket.interfaces.map { try Interface(parsing: $0.description) },
            implementations: parts.map(\.implementation),
            admitting: { call, _ in try ControlInterface.checkLimits(of: call) },
            fault: { error in
                if error is CancellationError { return Failed(reason: "it was broken off; try again") }
                logger.error("a call failed", metadata: ["reason": "\(error)"])
                return Failed(reason: "\(error)")
            })
    }
}

/// What makes the daemon begin anew without a restart.
struct ConfigurationMethods: ControlMethods {
    let accounts: Accounts
    /// Reads the configuration again; throws a sentence where it is refused.
    let readAgain: () async throws -> Void

    var implementation: Implementation { Implementation().on(reload).on(reconnect) }

    func reload(_: Reload) async throws -> Reload.Reply {
        try await readAgain()
        return Reload.Reply()
    }

    func reconnect(_ call: Reconnect) throws -> Reconnect.Reply {
        for unit in try accounts.chosen(call.account) { try unit.reconnect() }
        return Reconnect.Reply()
    }
}
