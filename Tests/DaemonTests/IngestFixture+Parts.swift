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

/// Creates the components of the daemon for a fixture, with the same dependencies as in the daemon.
extension IngestFixture {
    /// - Parameter machine: `nil` for a machine with its own secrets.
    func supervisor(
        of accounts: AccountRegistry, on machine: Machine? = nil, random: Double = 0.5
    ) throws -> AccountSupervisor {
        collaborators.members = { [weak accounts] in try accounts?.fetchInboxMembers() ?? [] }
        return AccountSupervisor(
            accounts: accounts, ingest: ingest, httpClient: HTTPClient(),
            machine: try machine ?? Machine(secrets: .file, directory: directory.path, environment: [:]),
            runtime: RuntimeEnvironment(time, random: random), logger: .silent, onPendingReplies: {})
    }

    /// Returns a registry with the fixture's configured account.
    func accounts(at url: String = "https://a.example") throws -> AccountRegistry {
        let accounts = AccountRegistry(log: log)
        try supervisor(of: accounts).applyConfigurations([.sample(at: url)])
        return accounts
    }

    /// - Parameters:
    ///   - patience: the clock that measures the wait for pictures. Advancing this clock makes a picture
    ///     arrive too late.
    ///   - origins: returns the origins of the API addresses of all accounts.
    func avatars(
        _ patience: ManualTime = ManualTime(), origins: @escaping () -> [String] = { [] }
    ) -> Avatars {
        Avatars(
            directory: directory.path, httpClient: HTTPClient(), origins: origins,
            runtime: RuntimeEnvironment(patience), logger: .silent)
    }

    func notificationController(_ policy: Policy = Policy()) throws -> NotificationController {
        try NotificationController(policy, log: log, runtime: runtime, bootID: "boot")
    }

    /// Returns a new notification screen, as created after a restart of the daemon.
    func screen(
        _ server: FakeNotificationServer = FakeNotificationServer(),
        _ notificationController: NotificationController,
        _ runtime: RuntimeEnvironment? = nil, retry: Backoff = .usual, logger: Logger = .silent
    ) -> NotificationScreen {
        let runtime = runtime ?? self.runtime
        return NotificationScreen(
            store: store, notificationController: notificationController, notifier: server,
            session: SessionIdentity(environment: [:]),
            pacing: NotificationPacing(retry: retry, now: runtime.uptime),
            runtime: runtime, logger: logger)
    }

    func queue(
        _ server: FakeNotificationServer = FakeNotificationServer(), policy: Policy = Policy(),
        retry: Backoff = .usual, patience: ManualTime = ManualTime(),
        pictureOrigins: @escaping () -> [String] = { [] }
    ) -> ReplyQueue {
        server.set { [time] in $0.uptime = { time.uptime } }
        // swift-format-ignore: NeverUseForceTry
        let screen = screen(server, try! notificationController(policy), retry: retry)
        return ReplyQueue(
            log: log, screen: screen,
            presenter: ReplyPresenter(
                log: log, screen: screen, avatars: avatars(patience, origins: pictureOrigins),
                runtime: runtime),
            failures: FailureNotices(log: log, screen: screen, runtime: runtime, logger: .silent),
            runtime: runtime, logger: .silent)
    }

    func questions(
        _ queue: ReplyQueue, hasPendingReplies: (() throws -> Bool)? = nil
    ) throws -> Questions {
        try Questions(
            store: store, screen: queue.screen, showsQuestions: true,
            hasPendingReplies: hasPendingReplies ?? queue.hasPendingReplies, effects: [:],
            confirm: {}, runtime: runtime, logger: .silent)
    }

    func conversationActions(_ accounts: AccountRegistry) -> AccountConversationActions {
        AccountConversationActions(accounts, openings: OpeningRegister(ingest: ingest), logger: .silent)
    }

    func notificationActions(
        _ screen: NotificationScreen, _ questions: Questions, _ accounts: AccountRegistry? = nil
    ) throws -> NotificationActionHandler {
        NotificationActionHandler(
            screen: screen, actions: conversationActions(try accounts ?? self.accounts()),
            opener: Opener(command: nil, environment: [:], screen: screen, logger: .silent),
            questions: questions,
            logger: .silent)
    }

    func notificationActions(_ queue: ReplyQueue, _ questions: Questions? = nil) throws
        -> NotificationActionHandler
    {
        try notificationActions(queue.screen, questions ?? self.questions(queue))
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
extension ReplyQueue {
    var notificationController: NotificationController { screen.notificationController }
    var avatars: Avatars { presenter.avatars }
}

extension Backoff {
    static let usual = Backoff(base: .seconds(1), cap: .seconds(30))
    static let quick = Backoff(base: .milliseconds(100), cap: .milliseconds(100))
    static let slow = Backoff(base: .seconds(600), cap: .seconds(600))
}
