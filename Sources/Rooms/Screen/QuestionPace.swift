import CutieAPI
import Log
import Store

/// How often a question is asked that nobody has asked for: once a day, whatever becomes of the daemon or the
/// clock.
final class QuestionPace {
    private static let day: Duration = .seconds(86_400)
    /// By kind. Kept apart from the question, which a newer one of its kind takes the place of.
    private static let asked = Setting<[String: Timestamp]>("questions-asked")

    private let store: Store
    private let surroundings: Surroundings
    /// Uptime.
    private let start: Duration
    private var askedHere: [Question.Kind: Duration] = [:]

    init(store: Store, surroundings: Surroundings) {
        (self.store, self.surroundings, start) = (store, surroundings, surroundings.uptime)
    }

    /// How long until the next time; nil: now. What was asked by this process is timed by a clock that nobody
    /// sets. An earlier run's time is told by the wall clock; where that was put back, a day of uptime will do:
    /// a clock that was far ahead must not silence a question for years.
    func rest(before kind: Question.Kind) throws -> Duration? {
        let now = surroundings.uptime
        if let last = askedHere[kind] { return left(of: now - last) }
        guard let last = try store.read({ try $0.settings.value(of: Self.asked) })?[kind.rawValue] else {
            return nil
        }
        let passed = surroundings.now() - last
        guard let byClock = left(of: max(.zero, passed)), let awake = left(of: now - start) else {
            return nil
        }
        return min(byClock, awake)
    }

    private func left(of passed: Duration) -> Duration? { passed < Self.day ? Self.day - passed : nil }

    /// Before it is written: where that fails it was asked all the same.
    func noteAsked(_ kind: Question.Kind) { askedHere[kind] = surroundings.uptime }

    func write(_ kind: Question.Kind, in transaction: Transaction) throws {
        var asked = try transaction.settings.value(of: Self.asked) ?? [:]
        asked[kind.rawValue] = surroundings.now()
        try transaction.settings.set(Self.asked, to: asked)
    }
}
