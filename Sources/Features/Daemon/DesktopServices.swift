import Accounts
import Config
import CutieAPI
import Desktop
import Domain
import EventLog
import FeedPolicy
import Localization
import NotificationPolicy
import Notifications
import Platform
import Services
import Systemd

/// The services for the desktop: notifications, the programs that they open, and the policy.
struct DesktopServices {
    let notifier: any NotificationBackend
    let notificationController: NotificationController
    let screen: NotificationScreen
    let avatars: Avatars
    let queue: ReplyQueue
    let holdReporter: HoldReporter
    let questions: Questions
    let outages: OutageNotice
    let reminders: Reminders
    let opener: Opener
    let notificationActions: NotificationActionHandler

    init(on core: DaemonCore, accountServices: AccountServices) throws {
        let (ingest, accounts, replies) = (core.ingest, core.accounts, core.replies)
        let (runtime, logger) = (core.runtime, core.logger)
        (notifier, notificationController, screen) = (
            replies.notifier, replies.notificationController, replies.screen
        )
        (avatars, queue) = (replies.avatars, replies.queue)
        holdReporter = HoldReporter(screen: screen, runtime: runtime)
        questions = try Questions(
            store: core.store, screen: screen, showsQuestions: false,
            hasPendingReplies: queue.hasPendingReplies,
            effects: accountServices.makeAnswerHandlers(notificationController: notificationController),
            confirm: { [presence = core.presence] in try await presence.requirePresence(for: .grant) },
            runtime: runtime, logger: logger)
        outages = OutageNotice(
            screen: screen, outages: { try accounts.fetchOutages() }, runtime: runtime,
            logger: logger)
        outages.changes.follow(ingest.stateSignal)
        reminders = Reminders(ingest: ingest, screen: screen, runtime: runtime, logger: logger)
        opener = Opener(command: nil, environment: core.environment, screen: screen, logger: logger)
        notificationActions = NotificationActionHandler(
            screen: screen,
            actions: AccountConversationActions(accounts, openings: core.openings, logger: logger),
            opener: opener, questions: questions, logger: logger)
    }
}

extension AccountServices {
    /// Returns the functions that carry out the user's answers, by the kind of the question.
    fileprivate func makeAnswerHandlers(notificationController: NotificationController) -> [Question.Kind:
        Questions.Effect]
    {
        [
            .permission: { _, allow in
                if !allow { try notificationController.setEnabled(false) }
                return nil
            },
            .consent: { [consent] _, allow in
                try consent.setDecision(allow)
                return nil
            },
            .app: { [handOver] question, allow in
                guard allow, case .app(let token, let app, let account, let api) = question else {
                    return nil
                }
                return try await handOver.redeem(token, account: account, api: api, appName: app)
            },
        ]
    }
}

extension AccountRegistry {
    func fetchOutages() throws -> [Outage] {
        // Ignore accounts that need a sign-in, because the notification about the sign-in replaces the
        // notification about the outage.
        let concerned = units.filter { $0.account.hasFeed && $0.signIn?.session.obstacle == nil }
        let isSeveral = units.count > 1
        let titles = isSeveral ? try fetchDisplayNames() : [:]
        return concerned.filter { $0.feed.status.state != .connected }.map {
            let status = $0.feed.status
            return Outage(
                account: $0.account.id, title: titles[$0.account.name], state: status.state,
                reason: status.reason)
        }
    }
}
