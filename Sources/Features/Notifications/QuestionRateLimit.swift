import CutieAPI
import EventLog
import Store

/// Limits questions that the user did not cause: at most one of each kind per day, even across restarts and
/// clock changes.
final class QuestionRateLimit {
    private static let day: Duration = .seconds(86_400)
    /// The time of the last question of each kind. Stored separately, because a newer question replaces the
    /// row of the older question.
    private static let asked = StoredSetting<[String: Timestamp]>("questions-asked")

    private let store: MessageStore
    private let runtime: RuntimeEnvironment
    /// The uptime when this process started.
    private let start: Duration
    private var askedSinceStart: [Question.Kind: Duration] = [:]

    init(store: MessageStore, runtime: RuntimeEnvironment) {
        (self.store, self.runtime, start) = (store, runtime, runtime.uptime)
    }

    /// Returns the time to wait before the next question of this kind; `nil` if the question may be asked
    /// now. The age of a question is measured by uptime. After a restart, the age is measured by the wall
    /// clock, but the question is allowed after a day of uptime at the latest: a clock that was far ahead
    /// and then set back could otherwise suppress the question for years.
    func requiredDelay(beforeQuestionOf kind: Question.Kind) throws -> Duration? {
        let now = runtime.uptime
        if let last = askedSinceStart[kind] { return remainingDelay(after: now - last) }
        guard let last = try store.read({ try $0.settings.fetchValue(of: Self.asked) })?[kind.rawValue] else {
            return nil
        }
        let passed = runtime.now() - last
        guard let byClock = remainingDelay(after: max(.zero, passed)),
            let awake = remainingDelay(after: now - start)
        else {
            return nil
        }
        return min(byClock, awake)
    }

    private func remainingDelay(after elapsed: Duration) -> Duration? {
        elapsed < Self.day ? Self.day - elapsed : nil
    }

    /// Records the time in memory, before it is stored: the question counts as asked even if the store fails.
    func recordQuestion(of kind: Question.Kind) { askedSinceStart[kind] = runtime.uptime }

    func writeQuestionTime(of kind: Question.Kind, in transaction: Transaction) throws {
        var asked = try transaction.settings.fetchValue(of: Self.asked) ?? [:]
        asked[kind.rawValue] = runtime.now()
        try transaction.settings.setValue(of: Self.asked, to: asked)
    }
}
