import Accounts
import CutieAPI
import Domain
import EventLog
import Notifications
import Store

/// Asks once whether the user agrees to be counted as active.
final class ConsentQuestion {
    /// The minimum time after the answer to the permission question, so that the two questions do not follow
    /// each other immediately.
    private static let minimumUse: Duration = .seconds(60)

    private let consent: ActivityConsent
    private let ingest: Ingest
    private let questions: Questions
    private let accounts: AccountRegistry
    private let runtime: RuntimeEnvironment

    init(
        _ consent: ActivityConsent, ingest: Ingest, questions: Questions, accounts: AccountRegistry,
        runtime: RuntimeEnvironment
    ) {
        (self.consent, self.ingest, self.questions) = (consent, ingest, questions)
        (self.accounts, self.runtime) = (accounts, runtime)
    }

    /// Asks the user after the first connection and the first conversation of a device account, because the
    /// user would not understand the question earlier. Waits until the permission question is answered.
    func run() async throws {
        try await waitForPermissionAnswer()
        while true {
            let (seen, seenQuestions) = (ingest.head.value, questions.changes.count)
            guard questions.showsQuestions else {
                try await questions.changes.wait(past: seenQuestions)
                continue
            }
            guard let isDue = try isQuestionDue() else { return }
            if isDue {
                try questions.ask(.consent)
                return
            }
            try await ingest.head.waitUntilPast(seen)
        }
    }

    /// Waits for the answer to the permission question. Only questions wake this task, not every log entry.
    private func waitForPermissionAnswer() async throws {
        while true {
            let seen = questions.changes.count
            guard let asked = try questions.findLastQuestion(of: .permission), asked.answeredAt == nil else {
                return
            }
            try await questions.changes.wait(past: seen)
        }
    }

    /// Returns whether to ask now; `nil` if the question was asked before or the user has decided. Uses a
    /// single read transaction, because this function is called for every log entry.
    private func isQuestionDue() throws -> Bool? {
        // `ActivityPinger` reports device accounts only.
        let devices = accounts.units.filter { $0.account.device != nil }
        let isConnected = devices.contains { $0.feed.status.state == .connected }
        let now = runtime.now()
        return try ingest.store.read { transaction in
            guard try consent.readDecision(in: transaction) == nil,
                try transaction.questions.findNewest(ofKind: Question.Kind.consent.rawValue) == nil
            else { return nil }
            guard isConnected else { return false }
            if let permission = try transaction.questions.findNewest(
                ofKind: Question.Kind.permission.rawValue)
            {
                guard let answeredAt = permission.answeredAt, now - answeredAt >= Self.minimumUse
                else { return false }
            }
            return try devices.contains { unit in
                try !transaction.conversations.fetchAll(account: unit.account.id, unreadOnly: false, limit: 1)
                    .isEmpty
            }
        }
    }
}
