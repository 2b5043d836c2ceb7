import CutieAPI
import EventLog
import FeedPolicy
import Localization
import Logging
import NotificationPolicy
@_spi(Notifications) import Store

extension Questions {
    /// Shows open questions and closes the notifications of all other questions, until the task is cancelled.
    /// Sleeps while no question is open.
    package func run() async throws {
        try await withdrawNotificationsOfEarlierRun()
        while true {
            let seen = changes.count
            let wait = try await updateNotification()
            try await runtime.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// Withdraws the notifications that an earlier run showed without a request by the user. This process
    /// does not receive the clicks on these notifications. The questions are not shown again immediately.
    private func withdrawNotificationsOfEarlierRun() async throws {
        for record in try fetchOpenQuestions() where Question(record)?.isRequestedByUser == false {
            let owner = NotificationOwner.question(record.id)
            guard !screen.wasShownByThisProcess(owner), try screen.hasStoredNotification(of: owner) else {
                continue
            }
            await screen.queryServerIfUnknown()
            try await screen.closeEarlierNotification(of: owner)
        }
    }

    /// Shows the questions that are due, and closes the notifications of questions that are no longer open or
    /// that the window shows. Returns the maximum wait before the next call; `nil` for no limit.
    private func updateNotification() async throws -> Duration? {
        let open = try fetchOpenQuestions().filter(\.isAskedByNotification)
        let isDisplayed = screen.notificationController.areQuestionsDisplayed
        for case .question(let id) in screen.state.notifications.keys
        where isDisplayed || !open.contains(where: { $0.id == id }) {
            try await screen.closeNotification(of: .question(id), because: .finished)
        }
        // The window in front already shows the questions.
        guard !isDisplayed else { return nil }
        var wait: Duration?
        for record in open
        where showsQuestions && !postponed.contains(record.id)
            && !screen.wasShownByThisProcess(.question(record.id))
        {
            guard let question = Question(record) else { continue }
            if case .later(let limit) = try displayTiming(of: question) {
                wait = [wait, limit].compactMap(\.self).min()
                continue
            }
            if !question.isRequestedByUser, await screen.notificationController.isHeldByScreenLock() {
                wait = [wait, NotificationController.lockInterval].compactMap(\.self).min()
                continue
            }
            guard try await showQuestion(question, record: record) else {
                // No server showed the question: retry with backoff.
                return retry.nextDelay(random: 1)
            }
            retry.reset()
        }
        return wait
    }

    private enum Timing {
        case now
        /// The question is checked again after a change, and after this time at the latest; `nil` for no
        /// limit.
        case later(atMost: Duration?)
    }

    private func displayTiming(of question: Question) throws -> Timing {
        if question.isRequestedByUser { return .now }
        let verdict = policy.verdictForNotice(now: runtime.clockReading)
        guard verdict == .show else { return .later(atMost: verdict.end.map(runtime.duration(until:))) }
        if let rest = try rateLimit.requiredDelay(beforeQuestionOf: question.kind) {
            return .later(atMost: rest)
        }
        return try mustShowRepliesFirst() ? .later(atMost: nil) : .now
    }

    /// Returns whether pending replies must be shown first. In that case, `changes` is notified when the
    /// notifications of the replies have ended.
    private func mustShowRepliesFirst() throws -> Bool {
        guard try hasPendingReplies() else { return false }
        screen.requestSignalWhenEmpty()
        return true
    }

    /// Shows a question. Does nothing if replies must be shown first. Returns `false` if no server accepted
    /// the notification.
    private func showQuestion(_ question: Question, record: QuestionRecord) async throws -> Bool {
        guard let server = await screen.queryServer() else { return false }
        let (owner, yieldsToReplies) = (NotificationOwner.question(record.id), !question.isRequestedByUser)
        // Check again for replies, which may have arrived while the server was queried.
        if yieldsToReplies, try mustShowRepliesFirst() { return true }
        // Replace the notification of an earlier run, because this process does not receive the clicks on
        // that notification.
        let outcome = try await screen.show(
            question.makeNotification(withActions: server.capabilities.contains("actions"), for: reader),
            for: owner,
            details: ShownNotification(id: 0, yieldsToReplies: yieldsToReplies),
            // Record the time before the notification is stored: on a full disk, the question would otherwise
            // be shown repeatedly.
            onAccepted: { if yieldsToReplies { rateLimit.recordQuestion(of: question.kind) } }
        ) { transaction, _ in
            if yieldsToReplies { try rateLimit.writeQuestionTime(of: question.kind, in: transaction) }
        }
        switch outcome {
        case .shown:
            // If a reply arrived while this notification was being shown, the reply could not close the
            // notification to make room. Close the notification now.
            if yieldsToReplies, try hasPendingReplies() {
                try await screen.closeNotification(of: owner, because: .roomNeeded)
            }
            return true
        case .refused(let reason):
            logger.notice("a question was not shown", metadata: ["reason": "\(reason)"])
        case .failed(let error):
            logger.notice(
                "a question was not shown", metadata: ["reason": "\(error.map { "\($0)" } ?? "no server")"])
        }
        return false
    }
}

extension Policy.Verdict {
    /// The time after which the verdict may change; `nil` if it only changes after an event.
    var end: Timestamp? {
        if case .hold(_, let until) = self { until } else { nil }
    }
}
