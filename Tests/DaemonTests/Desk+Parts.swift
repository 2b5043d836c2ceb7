import Config
import CutieAPI
import FeedPolicy
import HTTP
import Logging
import NotificationPolicy
import Platform
import TestSupport

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Services

/// The daemon's parts on a fixture, connected as in the daemon.
extension IngestFixture {
    /// - Parameter machine: `nil` for a machine with its own secrets.
    func supervisor(
        of accounts: AccountRegistry, on machine: Machine? = nil, random: Double = 0.5
    ) throws -> AccountSupervisor {
        AccountSupervisor(
            accounts: accounts, ingest: ingest, httpClient: HTTPClient(),
            machine: try machine ?? Machine(secrets: .file, directory: directory.path, environment: [:]),
            surroundings: RuntimeEnvironment(time, random: random), logger: .silent, onPendingReplies: {})
    }

    /// Returns the fixture's account as configured.
    func accounts(at url: String = "https://a.example") throws -> AccountRegistry {
        let accounts = AccountRegistry(store: store)
        try supervisor(of: accounts).apply([.sample(at: url)])
        return accounts
    }

    /// - Parameter patience: the clock for the wait for pictures. A test advances this clock to make a
    ///   picture late.
    func avatars(_ patience: ManualTime = ManualTime()) -> Avatars {
        Avatars(
            directory: directory.path, httpClient: HTTPClient(), surroundings: RuntimeEnvironment(patience),
            logger: .silent)
    }

    func attention(_ policy: Policy = Policy()) throws -> NotificationController {
        try NotificationController(policy, ingest: ingest, surroundings: surroundings, bootID: "boot")
    }

    /// Returns a new screen, as after a restart of the daemon.
    func screen(
        _ server: FakeNotificationServer = FakeNotificationServer(), _ attention: NotificationController,
        _ surroundings: RuntimeEnvironment? = nil, retry: Backoff = .usual
    ) -> NotificationManager {
        let surroundings = surroundings ?? self.surroundings
        return NotificationManager(
            store: store, attention: attention, notifier: server,
            session: SessionIdentity(environment: [:]),
            pacing: NotificationPacing(retry: retry, now: surroundings.uptime),
            surroundings: surroundings, logger: .silent)
    }

    func announcer(
        _ server: FakeNotificationServer = FakeNotificationServer(), policy: Policy = Policy(),
        retry: Backoff = .usual,
        patience: ManualTime = ManualTime()
    ) -> ReplyAnnouncer {
        server.set { [time] in $0.uptime = { time.uptime } }
        // swift-format-ignore: NeverUseForceTry
        let attention = try! attention(policy)
        return ReplyAnnouncer(
            ingest: ingest, screen: screen(server, attention, retry: retry), avatars: avatars(patience),
            isOpen: { _ in true }, surroundings: surroundings, logger: .silent)
    }

    func questions(
        _ announcer: ReplyAnnouncer, hasPendingReplies: (() throws -> Bool)? = nil
    ) throws -> Questions {
        try Questions(
            store: store, screen: announcer.screen, showsQuestions: true,
            hasPendingReplies: hasPendingReplies ?? announcer.hasPendingReplies, surroundings: surroundings,
            logger: .silent)
    }

    func conversationActions(_ accounts: AccountRegistry) -> AccountConversationActions {
        AccountConversationActions(accounts, openings: OpeningRegister(ingest: ingest), logger: .silent)
    }

    func notificationActions(
        _ screen: NotificationManager, _ questions: Questions, _ accounts: AccountRegistry? = nil
    ) throws -> NotificationActionHandler {
        NotificationActionHandler(
            screen: screen, actions: conversationActions(try accounts ?? self.accounts()),
            opener: Opener(command: nil, environment: [:], logger: .silent), questions: questions,
            logger: .silent)
    }

    func notificationActions(_ announcer: ReplyAnnouncer, _ questions: Questions? = nil) throws
        -> NotificationActionHandler
    {
        try notificationActions(announcer.screen, questions ?? self.questions(announcer))
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

extension AccountConfiguration {
    /// Returns the configuration of the fixture's account, with the API at `url`.
    static func sample(at url: String) throws -> AccountConfiguration {
        var configuration = AccountConfiguration(appID: "app")
        configuration.apiURL = try APIAddress(url)
        return configuration
    }
}

@MainActor
extension ReplyAnnouncer {
    var attention: NotificationController { screen.attention }
}

extension Backoff {
    static let usual = Backoff(base: .seconds(1), cap: .seconds(30))
    static let quick = Backoff(base: .milliseconds(100), cap: .milliseconds(100))
    static let slow = Backoff(base: .seconds(600), cap: .seconds(600))
}
