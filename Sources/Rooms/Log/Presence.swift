package import Attention
package import Config
import ControlAPI
import Platform

/// Checks whether the user is present at this desktop, if the configuration requires it. Polkit asks the
/// user, and the answer is valid for a short time.
package final class Presence {
    package typealias Occasion = Configuration.Presence

    /// The action defined in `config/polkit`. The system decides who may confirm it, and how.
    private static let action = "io.cutied.present"
    /// The time for which a confirmation is valid.
    private static let trust: Duration = .seconds(300)
    /// The time after which a question is withdrawn.
    private static let patience: Duration = .seconds(120)

    /// The occasions that require the user's presence.
    package var occasions: Set<Occasion> = [] {
        didSet { if occasions != oldValue { onChange(texts) } }
    }
    /// Called when `texts` changes.
    package var onChange: (Policy.Texts) -> Void = { _ in }
    private let surroundings: Surroundings
    private let ask: () async -> Polkit.Answer
    /// The time of the last confirmation, by `uptime`.
    private var confirmedAt: Duration?
    private var isAsking = false
    /// The answer to the last question that was not cancelled.
    private var answer: Polkit.Answer?
    private let endings = Signal()

    package convenience init(environment: [String: String], surroundings: Surroundings) {
        let polkit = Polkit(environment: environment)
        self.init(surroundings: surroundings) {
            await polkit.authorize(Self.action, within: Self.patience)
        }
    }

    init(surroundings: Surroundings, ask: @escaping () async -> Polkit.Answer) {
        (self.surroundings, self.ask) = (surroundings, ask)
    }

    /// Returns if the user is present or `occasion` does not require it. Asks the user if necessary.
    ///
    /// - Throws: `PresenceRequired` if the user does not confirm or cannot be asked.
    package func require(_ occasion: Occasion) async throws {
        guard occasions.contains(occasion) else { return }
        while !isConfirmed {
            if let reason = Self.obstacle(try await question()) { throw PresenceRequired(reason: reason) }
        }
    }

    /// Whether unrequested texts may be shown without asking the user.
    package var texts: Policy.Texts {
        guard occasions.contains(.preview) else { return .free }
        return .until(confirmedAt.map { $0 + Self.trust } ?? .zero)
    }

    package var showsTexts: Bool { texts.areShown(at: surroundings.moment) }

    private var isConfirmed: Bool {
        confirmedAt.map { surroundings.uptime - $0 < Self.trust } ?? false
    }

    /// Asks the user. Concurrent callers share one question and its answer.
    private func question() async throws -> Polkit.Answer {
        while isAsking {
            let seen = endings.count
            try await endings.wait(past: seen)
            if let answer { return answer }
        }
        (isAsking, answer) = (true, nil)
        defer {
            isAsking = false
            endings.notify()
        }
        let given = await ask()
        // A cancelled question has no answer.
        try Task.checkCancellation()
        answer = given
        if given == .authorized {
            confirmedAt = surroundings.uptime
            onChange(texts)
        }
        return given
    }

    private static func obstacle(_ answer: Polkit.Answer) -> String? {
        switch answer {
        case .authorized: nil
        case .refused: "your presence was not confirmed; try again"
        case .unasked:
            "your presence cannot be confirmed because this session has no polkit agent; start one, or remove "
                + "`presence` from the configuration"
        case .failed(let words):
            "polkit cannot confirm your presence (\(words)); install polkit and \(action).policy, or remove "
                + "`presence` from the configuration"
        }
    }
}
