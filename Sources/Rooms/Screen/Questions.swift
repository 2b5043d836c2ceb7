package import Attention
package import ControlAPI
import CutieAPI
import Desktop
import Inbox
package import Localization
package import Log
package import Logging
@_spi(Screen) package import Store

/// Asks the person: a row that survives a restart, a pop-up where there is a desktop, and one answer, from
/// wherever it comes first.
package final class Questions {
    let store: Store
    private let screen: Screen
    private let surroundings: Surroundings
    private let logger: Logger
    /// `questions` of the configuration: false, they wait for a terminal.
    package var mayPopUp: Bool {
        didSet { reconsider() }
    }
    /// What follows from an answer. Returns the name of an account that it brought.
    package var effects: [Question.Kind: (Question, Bool) async throws -> String?] = [:]
    /// Whether the person is there to allow something; throws where they are not.
    package var confirm: () async throws -> Void = {}
    /// Whether a reply is on the screen or on its way there.
    private let areRepliesFirst: () throws -> Bool
    private let pace: QuestionPace
    package let changes = Signal()
    /// Which services the person allowed, for who waits for the answer.
    private var chosen: [Int64: [ServiceChoice]] = [:]
    /// Their pop-ups are gone and decided nothing: they wait in the window until their time is over.
    private var isPutOff: Set<Int64> = []
    private var retry = Backoff(base: .seconds(1), cap: .seconds(30))

    package init(
        store: Store, screen: Screen, mayPopUp: Bool, areRepliesFirst: @escaping () throws -> Bool,
        surroundings: Surroundings, logger: Logger
    ) throws {
        (self.store, self.screen, self.areRepliesFirst) = (store, screen, areRepliesFirst)
        (self.mayPopUp, self.surroundings, self.logger) = (mayPopUp, surroundings, logger)
        pace = QuestionPace(store: store, surroundings: surroundings)
        for signal in [screen.attention.changes, screen.changes] { changes.follow(signal) }
        // The terminal that asked is gone.
        for record in try open() where !record.isByPopup || Question(record)?.isAwaited != false {
            try resolve(record.id, .withdrawn)
        }
    }

    package var policy: Policy { screen.attention.policy }

    /// The person who is asked.
    package var reader: Reader { screen.attention.reader() }

    package func open() throws -> [QuestionRecord] { try store.read { try $0.questions.open() } }

    /// Whether a question of this kind was ever asked.
    package func last(_ kind: Question.Kind) throws -> QuestionRecord? {
        try store.read { try $0.questions.newest(of: kind.rawValue) }
    }

    /// Asks, in the place of an open question of the same kind and asker: whoever asks again and again gets one pop-up.
    @discardableResult
    package func ask(_ question: Question, byPopup: Bool = true) throws -> QuestionRecord {
        let (now, kind) = (surroundings.now(), question.kind.rawValue)
        let others = try open().filter { $0.kind == kind && Question($0)?.asker == question.asker }
        if let same = others.first(where: { $0.subject == question.subject && $0.isByPopup == byPopup }) {
            return same
        }
        var record: QuestionRecord?
        try screen.attention.keep { transaction in
            for other in others { _ = try transaction.questions.answer(other.id, with: .withdrawn, at: now) }
            let id = try transaction.questions.ask(kind, about: question.subject, byPopup: byPopup, at: now)
            record = try transaction.questions.find(id)
        }
        guard let record else { throw Failed(reason: "the question was not stored") }
        reconsider()
        return record
    }

    /// Answers, and does what follows. `services`: names or links of those that are allowed; nil: all that can be.
    /// Throws `NotFound` where it was answered already, `InvalidArgument` where such services cannot be allowed, and
    /// what `confirm` throws.
    package func answer(_ id: Int64, allow: Bool, services: [String]? = nil) async throws -> String? {
        let choice = try question(id).map { try $0.chosen(services) } ?? []
        if allow, try isGrant(id) { try await confirm() }
        guard let question = try question(id) else { throw NotFound(what: "question", id: String(id)) }
        // Who waits for it reads both at once.
        if allow, question.isAwaited { chosen[id] = choice }
        guard try resolve(id, allow ? .allow : .refuse) else {
            chosen[id] = nil
            throw NotFound(what: "question", id: String(id))
        }
        return try await effects[question.kind]?(question, allow)
    }

    private func question(_ id: Int64) throws -> Question? {
        try store.read { try $0.questions.find(id) }.flatMap(Question.init(_:))
    }

    /// Whether allowing it gives somebody something.
    private func isGrant(_ id: Int64) throws -> Bool { try question(id)?.isGrant == true }

    /// It does not matter any more, or was answered by other means.
    package func withdraw(_ kind: Question.Kind, as answer: QuestionRecord.Answer = .withdrawn) throws {
        for record in try open() where record.kind == kind.rawValue { try resolve(record.id, answer) }
    }

    /// Something changed: what waits may be shown, what is shown may have to go.
    package func reconsider() { changes.notify() }

    /// False where it was answered before.
    @discardableResult
    private func resolve(_ id: Int64, _ answer: QuestionRecord.Answer) throws -> Bool {
        defer { reconsider() }
        // That the person closed it is no answer: the click that closed it counts.
        let former = try store.read { try $0.questions.find(id) }
        guard let former, former.answer == nil || former.answer == .closed else { return false }
        try screen.attention.keep {
            _ = try $0.questions.answer(id, with: answer, at: surroundings.now())
        }
        return true
    }
}

// MARK: - Questions that somebody waits for

extension Questions {
    /// What the person said.
    package enum Decision: Hashable {
        /// With what they chose, where there was something to choose.
        case allowed([ServiceChoice])
        case refused
    }

    /// What the person said to `question`; nil: nothing within `limit`. It is open no longer than somebody waits.
    package func decision(on question: Question, within limit: Duration) async throws -> Decision? {
        let id = try ask(question).id
        defer { (chosen[id], _) = (nil, isPutOff.remove(id)) }
        do {
            let answer = try await surroundings.within(limit) { try await self.answer(of: id) }
            if answer == nil { try resolve(id, .withdrawn) }
            return switch answer {
            case .allow: .allowed(chosen[id] ?? [])
            case .refuse: .refused
            case .closed, .withdrawn, nil: nil
            }
        } catch {
            try resolve(id, .withdrawn)
            throw error
        }
    }

    private func answer(of id: Int64) async throws -> QuestionRecord.Answer {
        while true {
            let seen = changes.count
            switch try store.read({ try $0.questions.find(id) })?.answer {
            case nil: try await changes.wait(past: seen)
            case .closed:
                // Some servers tell of the end before they tell of the click that was it.
                let click: Void? = try await surroundings.within(.seconds(1)) {
                    try await self.changes.wait(past: seen)
                }
                if click == nil { return .closed }
            case let answer?: return answer
            }
        }
    }
}

// MARK: - Clicks

extension Questions {
    /// The person clicked an answer.
    func clicked(_ id: Int64, allow: Bool) async {
        do {
            guard let account = try await answer(id, allow: allow) else { return }
            let name = try store.read { try $0.apps.all() }.first { $0.name == account }?.appName
            await tell(
                localized("{account} was added", ["account": name ?? account]),
                localized("Its replies are shown here from now on."))
        } catch is NotFound {
            // Answered elsewhere a moment before.
        } catch {
            await tell(localized("That did not work"), localized(received: Self.sentence(of: error)))
        }
    }

    /// The person wants to answer it in the window.
    func putOff(_ id: Int64) { isPutOff.insert(id) }

    /// Its pop-up went. A person who closes a question has seen it: it is not asked again, and nothing follows.
    func ended(_ id: Int64, because reason: CloseReason) throws {
        // The click that ended it may say so later, or the person may want to choose in peace.
        if try question(id)?.servicesRequest != nil { putOff(id) }
        guard !isPutOff.contains(id) else { return }
        if reason == .dismissed { try resolve(id, .closed) }
        guard let record = try store.read({ try $0.questions.find(id) }),
            Question(record)?.isAskedByThePerson == false
        else { return }
        // It is asked again, another day.
        reconsider()
    }

    /// Tells what came of an answer. Not worth a second try.
    private func tell(_ summary: String, _ body: String) async {
        var popup = Popup.notice(summary, body)
        popup.stackTag = "cutied-question-answered"
        await screen.tell(popup)
    }

    /// As a person reads it.
    private static func sentence(of error: any Error) -> String {
        switch error {
        case let fault as NotAuthorized: fault.reason
        case let fault as Offline: "The API cannot be reached: \(fault.reason)"
        case let fault as ServerError: "The API answered \(fault.status): \(fault.reason)"
        case let fault as InvalidResponse: fault.reason
        case let fault as PresenceRequired: fault.reason
        case let fault as Refused: "The API refused it: \(fault.reason)"
        case let fault as InvalidArgument: "The \(fault.parameter) cannot be used: \(fault.reason)"
        case let fault as Failed: fault.reason
        case let fault as NotFound: "There is no \(fault.what) of that name any more."
        default: "\(error)"
        }
    }
}

// MARK: - Pop-ups

extension Questions {
    /// Shows what is open and takes away what is not, until it is cancelled. Without an open question it
    /// sleeps until there is one.
    package func run() async throws {
        try await withdrawEarlier()
        while true {
            let seen = changes.count
            let wait = try await turn()
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// What an earlier run has asked by the way hears no clicks, and is not asked again at once.
    private func withdrawEarlier() async throws {
        for record in try open() where Question(record)?.isAskedByThePerson == false {
            let owner = PopupOwner.question(record.id)
            guard !screen.isOwn(owner), try screen.isStored(owner) else { continue }
            await screen.look()
            try await screen.withdraw(owner)
        }
    }

    /// Returns how long to wait at most before the next one.
    private func turn() async throws -> Duration? {
        let open = try open().filter(\.isByPopup)
        for case .question(let id) in screen.state.popups.keys where !open.contains(where: { $0.id == id }) {
            try await screen.close(.question(id), because: .over)
        }
        var wait: Duration?
        for record in open
        where mayPopUp && !isPutOff.contains(record.id) && !screen.isOwn(.question(record.id)) {
            guard let question = Question(record) else { continue }
            if case .later(let limit) = try occasion(for: question) {
                wait = [wait, limit].compactMap(\.self).min()
                continue
            }
            guard try await show(question, record) else {
                // Nobody shows it: try again, ever less often. Without a question there is no timer.
                return retry.next(random: 1)
            }
            retry.reset()
        }
        return wait
    }

    private enum Occasion {
        case now
        /// nil: something will tell.
        case later(atMost: Duration?)
    }

    private func occasion(for question: Question) throws -> Occasion {
        if question.isAskedByThePerson { return .now }
        let verdict = policy.verdictOnNotice(now: surroundings.moment)
        guard verdict == .show else { return .later(atMost: verdict.end.map(surroundings.wait(until:))) }
        if let rest = try pace.rest(before: question.kind) { return .later(atMost: rest) }
        return try waitsForReplies() ? .later(atMost: nil) : .now
    }

    /// Whether replies come first; then the screen tells when they are over.
    private func waitsForReplies() throws -> Bool {
        guard try areRepliesFirst() else { return false }
        screen.awaitEnd()
        return true
    }

    /// False where nobody took it.
    private func show(_ question: Question, _ record: QuestionRecord) async throws -> Bool {
        guard let server = await screen.ask() else { return false }
        let (owner, isModest) = (PopupOwner.question(record.id), !question.isAskedByThePerson)
        // One may have come meanwhile.
        if isModest, try waitsForReplies() { return true }
        // What an earlier run has shown hears no clicks: it is replaced by one that does.
        let outcome = try await screen.show(
            question.popup(withActions: server.capabilities.contains("actions"), for: reader), as: owner,
            ShownPopup(id: 0, isModest: isModest),
            // Before it is written: a disk that is full would have it shown again and again, and hear no click.
            taken: { if isModest { pace.noteAsked(question.kind) } }
        ) { transaction, _ in
            if isModest { try pace.write(question.kind, in: transaction) }
        }
        switch outcome {
        case .shown:
            // One may have come on the way, and have found nothing that could make room.
            if isModest, try areRepliesFirst() { try await screen.close(owner, because: .makesRoom) }
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
    /// When it is to be asked for again; nil: when something changes.
    var end: Timestamp? {
        if case .hold(_, let until) = self { until } else { nil }
    }
}
