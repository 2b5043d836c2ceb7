import Config
import CutieAPI
import HTTP
import Identity
import Inbox
import Logging
import Platform
import TestSupport

@testable import Daemon

/// What works on the desk, put together as the daemon does it.
extension Desk {
    /// `machine`: with its own secrets where there is none.
    func keeper(
        of accounts: Accounts, _ surroundings: Surroundings = .still, on machine: Machine? = nil
    ) throws -> AccountKeeper {
        AccountKeeper(
            accounts: accounts, ingest: ingest, transport: Transport(),
            machine: try machine ?? Machine(secrets: .file, directory: directory.path, environment: [:]),
            surroundings: surroundings, logger: .silent, onNews: {})
    }

    /// Its account as the configuration has it.
    func accounts(at url: String = "https://a.example") throws -> Accounts {
        let accounts = Accounts(store: store)
        try keeper(of: accounts).apply([.sample(at: url)])
        return accounts
    }

    func avatars() -> Avatars {
        Avatars(directory: directory.path, transport: Transport(), surroundings: .still, logger: .silent)
    }

    func announcer(_ server: FakePopupServer = FakePopupServer(), policy: Policy = Policy()) -> Announcer {
        Announcer(
            store: store, head: ingest.head, reads: ingest.reads, notifier: server, policy: policy,
            session: SessionIdentity(environment: [:]), avatars: avatars(), isOpen: { _ in true },
            surroundings: .still, logger: .silent)
    }

    /// What the control socket does with these accounts.
    func service(_ accounts: Accounts, marksShownRead: Bool = true) throws -> ControlService {
        let announcer = announcer()
        let questions = try Questions(
            store: store, notifier: FakePopupServer(), policy: { Policy() }, session: { _ in "" },
            mayPopUp: true, surroundings: .still, logger: .silent)
        let added = AddedAccounts(store: store, logger: .silent)
        return ControlService(
            ingest: ingest, accounts: accounts, announcer: announcer,
            switches: try Switches(
                ingest: ingest, announcer: announcer, surroundings: .still, bootID: "boot"),
            secrets: try SecretStore(.file, directory: directory.path, environment: [:]),
            questions: questions,
            consent: ConsentKeeper(
                ingest: ingest, questions: questions, accounts: accounts, surroundings: .still),
            handOver: HandOver(
                accounts: accounts, added: added, transport: Transport(), surroundings: .still,
                apply: { _ in }),
            added: added, surroundings: .still, marksShownRead: { marksShownRead }, reload: {})
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension AccountConfiguration {
    /// The desk's account, whose API is at `url`.
    static func sample(at url: String) throws -> AccountConfiguration {
        var configuration = AccountConfiguration(appID: "app")
        configuration.apiURL = try APIAddress(url)
        return configuration
    }
}
