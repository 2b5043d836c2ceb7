import Accounts
import CutieAPI
import EventLog
import Localization
import NotificationPolicy
import Notifications

/// Shows notifications about signing in: the code of a sign-in in progress, and one notice after a session
/// has ended. A click opens the page on which the user continues. Closes outdated notifications.
final class SignInNotice {
    private let accounts: AccountRegistry
    private let screen: NotificationScreen
    private let notificationController: NotificationController
    private let runtime: RuntimeEnvironment
    private let changes = ChangeSignal()
    /// The sessions whose changes are followed.
    private var followed: Set<ObjectIdentifier> = []
    /// The last shown code of each account. If the user closed the notification of a code, the code is not
    /// shown again.
    private var shownCodes: [AccountID: String] = [:]

    init(
        accounts: AccountRegistry, screen: NotificationScreen, notificationController: NotificationController,
        runtime: RuntimeEnvironment
    ) {
        (self.accounts, self.screen, self.notificationController) = (accounts, screen, notificationController)
        self.runtime = runtime
        for signal in [screen.changes, notificationController.changes, accounts.changes] {
            changes.follow(signal)
        }
    }

    func run() async throws {
        while true {
            let seen = changes.count
            let wait = try await updateNotices()
            try await runtime.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// Updates the notifications. Returns the time after which another update is needed, because a pause or
    /// quiet hours end; `nil` if no time is known.
    private func updateNotices() async throws -> Duration? {
        followSessions()
        for case .signIn(let account) in screen.state.notifications.keys
        where !isNoticeValid(for: account) || isCodeDisplayed(for: account) {
            try await screen.closeNotification(of: .signIn(account), because: .finished)
        }
        for unit in accounts.units {
            guard let offer = unit.signIn?.offer else { continue }
            try await showOffer(offer, for: unit)
        }
        return try await reportEndedSessionsReturningDelay()
    }

    /// Returns whether a visible window or terminal displays the code of a sign-in in progress.
    private func isCodeDisplayed(for account: AccountID) -> Bool {
        notificationController.isConversationDisplayed(for: .signIn(account))
            && accounts[account]?.signIn?.offer != nil
    }

    private func followSessions() {
        for session in accounts.units.compactMap(\.signIn?.session)
        where followed.insert(ObjectIdentifier(session)).inserted {
            changes.follow(session.changes)
        }
    }

    /// Returns whether the notification of an account is still valid.
    private func isNoticeValid(for account: AccountID) -> Bool {
        guard let signIn = accounts[account]?.signIn else { return false }
        return signIn.offer != nil || signIn.session.hasEnded
    }

    /// Shows the code, even during quiet hours, because the user started the sign-in.
    private func showOffer(_ offer: Offer, for unit: AccountUnit) async throws {
        let account = unit.account.id
        guard shownCodes[account] != offer.code, !isCodeDisplayed(for: account) else { return }
        if case .suppress = notificationController.policy.verdictForNotice(now: runtime.clockReading) {
            return
        }
        shownCodes[account] = offer.code
        guard await screen.queryServer() != nil else { return }
        let notification = makeNotification(for: offer, accountName: unit.account.name)
        _ = try await screen.show(notification, for: .signIn(account))
    }

    private func reportEndedSessionsReturningDelay() async throws -> Duration? {
        let ended = accounts.units.filter { $0.signIn?.session.needsReport == true }
        guard !ended.isEmpty else { return nil }
        let verdict = notificationController.policy.verdictForNotice(now: runtime.clockReading)
        switch verdict {
        case .suppress: return nil
        case .hold(_, let until): return until.map(runtime.duration(until:))
        case .show: break
        }
        for unit in ended {
            guard await screen.queryServer() != nil else { return nil }
            let outcome = try await screen.show(
                try makeSessionEndNotification(accountName: unit.account.name), for: .signIn(unit.account.id))
            if case .shown = outcome { try unit.signIn?.session.markSessionEndReported() }
        }
        return nil
    }
}

// MARK: - The content of the notifications

extension SignInNotice {
    typealias Offer = SignInService.Offer

    private func makeNotification(for offer: Offer, accountName name: String) -> DesktopNotification {
        let notification = DesktopNotification.makeNotice(
            summary: localized("Your code: {code}", ["code": offer.code]),
            body: localized(
                "Open {address} on any device, compare the code, and allow access.",
                ["address": offer.page]))
        return makePersistentNotification(
            from: notification, accountName: name, actionLabel: localized("Open Page"))
    }

    private func makeSessionEndNotification(accountName name: String) throws -> DesktopNotification {
        let title = try accounts.fetchDisplayNames()[name] ?? name
        let notification = DesktopNotification.makeNotice(
            summary: localized("Sign in again"),
            body: localized("No messages arrive for {account} until you sign in.", ["account": title]),
            category: "im.error")
        return makePersistentNotification(
            from: notification, accountName: name, actionLabel: localized("Sign In"))
    }

    private func makePersistentNotification(
        from notification: DesktopNotification, accountName: String, actionLabel label: String
    )
        -> DesktopNotification
    {
        var notification = notification
        notification.actions = [NotificationAction.open, .signIn].map { .init(id: $0.rawValue, label: label) }
        notification.stackTag = "cutied-sign-in-\(accountName)"
        notification.expireMilliseconds = 0
        return notification
    }
}
