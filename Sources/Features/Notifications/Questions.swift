import CutieAPI
import Domain
package import EventLog
import FeedPolicy
package import Localization
package import Logging
package import NotificationPolicy
import Reasons
@_spi(Notifications) package import Store

/// The questions for the user. A question is stored across restarts, and shown as a notification if there is
/// a desktop. Only the first answer takes effect, whether it is given in a notification, the window or a
/// terminal.
package final class Questions {
    let store: MessageStore
    let screen: NotificationScreen
    let runtime: RuntimeEnvironment
    let logger: Logger
    /// The setting `questions`: whether questions are shown as notifications. If `false`, the user can still
    /// answer them in the window or a terminal.
    package var showsQuestions: Bool {
        didSet { requestReevaluation() }
    }
    /// The effect of an answer. Returns the name of an account that was added; `nil` if none was added.
    package typealias Effect = (Question, Bool) async throws -> String?
    let effects: [Question.Kind: Effect]
    /// Confirms that the user is present before access is granted. Throws if presence cannot be confirmed.
    let confirm: () async throws -> Void
    /// Returns whether a reply is visible or about to be shown.
    let hasPendingReplies: () throws -> Bool
    let rateLimit: QuestionRateLimit
    package let changes = ChangeSignal()
    /// The services that the user allowed, by question ID, until the client that waits for the answer has
    /// received them.
    private var chosen: [Int64: [OfferedService]] = [:]
    /// The questions whose notifications were closed without an answer. The window still shows them until
    /// they expire.
    var postponed: Set<Int64> = []
    var retry = Backoff(base: .seconds(1), cap: .seconds(30))

    package init(
        store: MessageStore, screen: NotificationScreen, showsQuestions: Bool,
        hasPendingReplies: @escaping () throws -> Bool, effects: [Question.Kind: Effect],
        confirm: @escaping () async throws -> Void, runtime: RuntimeEnvironment,
        logger: Logger
    ) throws {
        (self.store, self.screen, self.hasPendingReplies) = (store, screen, hasPendingReplies)
        (self.effects, self.confirm) = (effects, confirm)
        (self.showsQuestions, self.runtime, self.logger) = (showsQuestions, runtime, logger)
        rateLimit = QuestionRateLimit(store: store, runtime: runtime)
        for signal in [screen.notificationController.changes, screen.changes] { changes.follow(signal) }
        // Withdraw a question if the terminal or client that waited for the answer no longer exists.
        for record in try fetchOpenQuestions()
        where !record.isAskedByNotification || Question(record)?.isAwaited != false {
            try recordAnswer(toQuestion: record.id, answer: .withdrawn)
        }
    }

    package var policy: Policy { screen.notificationController.policy }

    /// The role of the user who is asked.
    package var reader: UserRole { screen.notificationController.reader() }

    /// Returns the questions without an answer.
    package func fetchOpenQuestions() throws -> [QuestionRecord] {
        try store.read { try $0.questions.fetchOpen() }
    }

    /// Returns the newest question of this kind; `nil` if there was none.
    package func findLastQuestion(of kind: Question.Kind) throws -> QuestionRecord? {
        try store.read { try $0.questions.findNewest(ofKind: kind.rawValue) }
    }

    /// Asks a question, unless the same question is already open. The question replaces an open question of
    /// the same kind from the same app, so that an app that asks repeatedly causes a single notification.
    @discardableResult
    package func ask(_ question: Question, byNotification: Bool = true) throws -> QuestionRecord {
        let (now, kind) = (runtime.now(), question.kind.rawValue)
        let others = try fetchOpenQuestions().filter {
            $0.kind == kind && Question($0)?.requestingApp == question.requestingApp
        }
        if let same = others.first(where: {
            $0.subject == question.subject && $0.isAskedByNotification == byNotification
        }) {
            return same
        }
        var record: QuestionRecord?
        try screen.notificationController.saveChange { transaction in
            for other in others {
                _ = try transaction.questions.recordAnswer(toQuestion: other.id, answer: .withdrawn, at: now)
            }
            let id = try transaction.questions.insertQuestion(
                ofKind: kind, about: question.subject, isAskedByNotification: byNotification, at: now)
            record = try transaction.questions.find(id)
        }
        guard let record else { throw ServiceError.failed(reason: Reason(.questionNotStored)) }
        requestReevaluation()
        return record
    }

    /// Records an answer and applies its effect.
    ///
    /// - Parameter services: the IDs, names or links of the services to allow; `nil` for the default
    ///   choice of `ServicesRequest.offeredServices`.
    /// - Returns: the name of the account that the answer added; `nil` if it added none.
    /// - Throws: `notFound` if the question was already answered, `invalidArgument` if the services
    ///   cannot be allowed, and errors of `confirm`.
    package func answerQuestion(_ id: Int64, isAllowed: Bool, services: [String]? = nil) async throws
        -> String?
    {
        let choice = try findQuestion(id).map { try $0.offeredServices(named: services) } ?? []
        if isAllowed, try isGrantQuestion(id) { try await confirm() }
        guard let question = try findQuestion(id) else {
            throw ServiceError.notFound(what: "question", id: String(id))
        }
        // Store the choice before the answer, because the waiting client reads both when it sees the answer.
        if isAllowed, question.isAwaited { chosen[id] = choice }
        guard try recordAnswer(toQuestion: id, answer: isAllowed ? .allow : .refuse) else {
            chosen[id] = nil
            throw ServiceError.notFound(what: "question", id: String(id))
        }
        return try await effects[question.kind]?(question, isAllowed)
    }

    func findQuestion(_ id: Int64) throws -> Question? {
        try store.read { try $0.questions.find(id) }.flatMap(Question.init(_:))
    }

    private func isGrantQuestion(_ id: Int64) throws -> Bool { try findQuestion(id)?.isGrant == true }

    /// Closes the open questions of a kind, because they are obsolete or were answered in another way.
    package func closeQuestions(of kind: Question.Kind, as answer: QuestionRecord.Answer = .withdrawn) throws
    {
        for record in try fetchOpenQuestions() where record.kind == kind.rawValue {
            try recordAnswer(toQuestion: record.id, answer: answer)
        }
    }

    /// Requests another check of which questions are to be shown and which notifications are to be closed.
    package func requestReevaluation() { changes.notify() }

    /// Records an answer. Returns `false` if the question has already been answered.
    @discardableResult
    func recordAnswer(toQuestion id: Int64, answer: QuestionRecord.Answer) throws -> Bool {
        defer { requestReevaluation() }
        // `closed` is not final, because the click that closed the notification may be reported later.
        let former = try store.read { try $0.questions.find(id) }
        guard let former, former.answer == nil || former.answer == .closed else { return false }
        try screen.notificationController.saveChange {
            _ = try $0.questions.recordAnswer(toQuestion: id, answer: answer, at: runtime.now())
        }
        return true
    }
}

// MARK: - Questions that a client waits for

extension Questions {
    /// The user's decision.
    package enum Decision: Hashable {
        /// The services that the user chose; empty if there was no choice.
        case allowed([OfferedService])
        case refused
    }

    /// Returns the user's decision; `nil` if the user did not decide within `limit`. The question is
    /// withdrawn when the caller stops waiting.
    package func waitForDecision(on question: Question, within limit: Duration) async throws -> Decision? {
        let id = try ask(question).id
        defer { (chosen[id], _) = (nil, postponed.remove(id)) }
        do {
            let answer = try await runtime.withTimeout(limit) { try await self.waitForAnswer(toQuestion: id) }
            if answer == nil { try recordAnswer(toQuestion: id, answer: .withdrawn) }
            return switch answer {
            case .allow: .allowed(chosen[id] ?? [])
            case .refuse: .refused
            case .closed, .withdrawn, nil: nil
            }
        } catch {
            try recordAnswer(toQuestion: id, answer: .withdrawn)
            throw error
        }
    }

    private func waitForAnswer(toQuestion id: Int64) async throws -> QuestionRecord.Answer {
        while true {
            let seen = changes.count
            switch try store.read({ try $0.questions.find(id) })?.answer {
            case nil: try await changes.wait(past: seen)
            case .closed:
                // Some servers report the end of a notification before the click that caused it, so wait for
                // the click.
                let click: Void? = try await runtime.withTimeout(.seconds(1)) {
                    try await self.changes.wait(past: seen)
                }
                if click == nil { return .closed }
            case let answer?: return answer
            }
        }
    }
}
