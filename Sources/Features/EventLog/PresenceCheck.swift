package import Config
import Domain
package import NotificationPolicy
import Platform
import Reasons

/// Checks whether the user is present at this desktop, if the configuration requires it. Polkit asks the
/// user, and the answer is valid for a short time.
package final class PresenceCheck {
    /// The polkit action, defined in `config/polkit`. The policy of the system decides who may confirm the
    /// action, and how.
    private static let action = "io.cutied.present"
    /// The time for which a confirmation is valid.
    private static let validity: Duration = .seconds(300)
    /// The time after which a question is withdrawn.
    private static let timeout: Duration = .seconds(120)

    /// The purposes that require the user's presence.
    package var protectedActions: Set<Configuration.PresenceAction> = [] {
        didSet { if protectedActions != oldValue { onChange(textVisibility) } }
    }
    /// Called when `textVisibility` changes.
    private let onChange: (Policy.TextVisibility) -> Void
    private let runtime: RuntimeEnvironment
    private let ask: () async -> Polkit.Outcome
    /// The time of the last confirmation on the `uptime` clock; `nil` if there was none.
    private var confirmedAt: Duration?
    private var isAsking = false
    /// The answer to the last question that was not cancelled; `nil` if there was no such question.
    private var answer: Polkit.Outcome?
    private let endings = ChangeSignal()

    package convenience init(
        environment: [String: String], runtime: RuntimeEnvironment,
        onChange: @escaping (Policy.TextVisibility) -> Void
    ) {
        let polkit = Polkit(environment: environment)
        self.init(runtime: runtime, onChange: onChange) {
            await polkit.authorize(Self.action, within: Self.timeout)
        }
    }

    init(
        runtime: RuntimeEnvironment, onChange: @escaping (Policy.TextVisibility) -> Void = { _ in },
        ask: @escaping () async -> Polkit.Outcome
    ) {
        (self.runtime, self.onChange, self.ask) = (runtime, onChange, ask)
    }

    /// Waits until the user's presence is confirmed. Asks the user unless an earlier confirmation is still
    /// valid. Returns immediately if `action` does not require presence.
    ///
    /// - Throws: `presenceRequired` if the user does not confirm or cannot be asked.
    package func requirePresence(for action: Configuration.PresenceAction) async throws {
        guard protectedActions.contains(action) else { return }
        while !isConfirmed {
            if let reason = Self.failureReason(for: try await askForPresence()) {
                throw ServiceError.presenceRequired(reason: reason)
            }
        }
    }

    /// Whether unrequested message text, such as the text in a notification, may be shown without a
    /// confirmation, and until when.
    package var textVisibility: Policy.TextVisibility {
        guard protectedActions.contains(.preview) else { return .always }
        return .until(confirmedAt.map { $0 + Self.validity } ?? .zero)
    }

    package var showsTexts: Bool { textVisibility.isTextVisible(at: runtime.clockReading) }

    private var isConfirmed: Bool {
        confirmedAt.map { runtime.uptime - $0 < Self.validity } ?? false
    }

    /// Asks the user. Concurrent callers share one question and its answer.
    private func askForPresence() async throws -> Polkit.Outcome {
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
            confirmedAt = runtime.uptime
            onChange(textVisibility)
        }
        return given
    }

    private static func failureReason(for outcome: Polkit.Outcome) -> Reason? {
        switch outcome {
        case .authorized: nil
        case .refused: Reason(.presenceNotConfirmed)
        case .noAgent: Reason(.presenceWithoutAgent)
        case .failed(let words): Reason(.presenceFailed, ["message": words, "action": action])
        }
    }
}
