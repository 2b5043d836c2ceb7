import Access
import Config
import HTTP
import Identity
import Platform
import Store
import TestSupport

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services

/// Creates the method handlers of the control socket, with one function per topic.
extension IngestFixture {
    /// A presence check with a configuration in which no action requires presence.
    var presence: PresenceCheck { PresenceCheck(runtime: runtime) { .failed("nobody asks") } }

    func conversations(of accounts: AccountRegistry) -> ConversationMethods {
        ConversationMethods(
            ingest: ingest, accounts: accounts,
            reader: ConversationReader(ingest: ingest, accounts: accounts, presence: presence))
    }

    func status(of accounts: AccountRegistry) -> StatusMethods {
        let queue = queue()
        return StatusMethods(
            ingest: ingest, accounts: accounts, screen: queue.screen,
            notificationController: queue.notificationController,
            runtime: runtime)
    }

    func sending(for accounts: AccountRegistry) -> SendingMethods {
        SendingMethods(service: SendingService(store: store, accounts: accounts))
    }

    func reading(of accounts: AccountRegistry, marksDisplayedAsRead: Bool = true) -> ReadingMethods {
        ReadingMethods(
            ingest: ingest, accounts: accounts,
            service: ReadingService(ingest: ingest, accounts: accounts, runtime: runtime),
            marksDisplayedAsRead: { marksDisplayedAsRead })
    }

    func notificationController(_ questions: Questions) throws -> NotificationMethods {
        let screen = queue().screen
        return NotificationMethods(
            notificationController: screen.notificationController, screen: screen,
            accounts: AccountRegistry(log: log),
            ingest: ingest,
            questions: questions, runtime: runtime)
    }

    func apps(_ questions: Questions) -> AppMethods {
        let added = AddedAccounts(store: store, logger: .silent)
        let handOver = HandOver(
            accounts: AccountRegistry(log: log), added: added, httpClient: HTTPClient(),
            runtime: runtime,
            apply: { _ in })
        return AppMethods(handOver: handOver, added: added, questions: questions)
    }

    func access(_ accounts: AccountRegistry, _ questions: Questions) throws -> AccessProvider {
        AccessProvider(
            ingest: ingest, accounts: accounts, questions: questions,
            secrets: try SecretStore(.file, directory: directory.path, environment: [:]),
            httpClient: HTTPClient(), runtime: runtime, logger: .silent)
    }

    /// Returns the control service with the handlers of all methods.
    func controlService() throws -> ControlService {
        let (queue, accounts) = (queue(), AccountRegistry(log: log))
        let questions = try questions(queue)
        let apps = apps(questions)
        return ControlService(
            ingest: ingest, accounts: accounts, screen: queue.screen,
            notificationController: queue.notificationController,
            presence: presence, secrets: try SecretStore(.file, directory: directory.path, environment: [:]),
            questions: questions, consent: ActivityConsent(store: store), handOver: apps.handOver,
            added: apps.added, access: try access(accounts, questions),
            openings: OpeningRegister(ingest: ingest), runtime: runtime,
            marksDisplayedAsRead: { true }, reload: {})
    }
}
