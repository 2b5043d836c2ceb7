package import Attention
package import Config
import ControlAPI
import Platform

/// Whether the person is at this desktop, where the configuration wants them to be: polkit asks them, and is believed for
/// a short while.
package final class Presence {
    package typealias Occasion = Configuration.Presence

    /// What `config/polkit` names; who may confirm it, and how, is the machine's to say.
    private static let action = "io.cutied.present"
    /// A person who was there is taken to be there so long.
    private static let trust: Duration = .seconds(300)
    /// So long the question stays.
    private static let patience: Duration = .seconds(120)

    /// When the person must be there.
    package var occasions: Set<Occasion> = [] {
        didSet { if occasions != oldValue { onChange(texts) } }
    }
    /// Called when `texts` is another than before.
    package var onChange: (Policy.Texts) -> Void = { _ in }
    private let surroundings: Surroundings
    private let ask: () async -> Polkit.Answer
    /// The person confirmed it last, by `uptime`.
    private var confirmedAt: Duration?
    private var isAsking = false
    /// How the last question ended that was not broken off.
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

    /// Returns where the person is there, as far as `occasion` needs it: they are asked if that is not known. Throws
    /// `PresenceRequired` where they are not, or nobody can ask them.
    package func require(_ occasion: Occasion) async throws {
        guard occasions.contains(occasion) else { return }
        while !isConfirmed {
            if let reason = Self.obstacle(try await question()) { throw PresenceRequired(reason: reason) }
        }
    }

    /// Whether texts may be shown that nobody asked for, without a question.
    package var texts: Policy.Texts {
        guard occasions.contains(.preview) else { return .free }
        return .until(confirmedAt.map { $0 + Self.trust } ?? .zero)
    }

    package var showsTexts: Bool { texts.areShown(at: surroundings.moment) }

    private var isConfirmed: Bool {
        confirmedAt.map { surroundings.uptime - $0 < Self.trust } ?? false
    }

    /// Several who want to know at once ask one question, and share its answer.
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
        // Broken off, it says nothing about the person.
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
        case .refused: "nobody confirmed to be at this desktop; try again"
        case .unasked:
            "nobody can confirm to be here: this session has no agent of polkit; start your desktop's, or take "
                + "`presence` out of the configuration"
        case .failed(let words):
            "polkit cannot ask whether you are here (\(words)); install polkit and \(action).policy, or take "
                + "`presence` out of the configuration"
        }
    }
}
