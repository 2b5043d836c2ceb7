package import Attention
package import ControlAPI
import CutieAPI
import Desktop
import Inbox
package import Localization
package import Log
package import Logging
@_spi(Screen) package import Store

/// Asks the person. A question is a row that survives a restart, and a pop-up if there is a desktop. The
/// first answer counts, from a pop-up, the window or a terminal.
package final class Questions {
    let store: Store
    private let screen: Screen
    private let surroundings: Surroundings
    private let logger: Logger
    /// The `questions` option of the configuration. If it is `false`, questions wait for an answer in a
    /// terminal.
    package var mayPopUp: Bool {
        didSet { reconsider() }
    }
    /// The effect of an answer, by kind. Returns the name of an account that was added.
    package var effects: [Question.Kind: (Question, Bool) async throws -> String?] = [:]
    /// Confirms that the person is present before something is granted. Throws if that fails.
    package var confirm: () async throws -> Void = {}
    /// Returns whether a reply is on the screen or about to be shown.
    private let areRepliesFirst: () throws -> Bool
    private let pace: QuestionPace
    /// Notifies when a question was asked or answered, or when one may be shown.
    package let changes = Signal()
    /// The services that the person allowed, by question, for the client that waits for the answer.
    private var chosen: [Int64: [ServiceChoice]] = [:]
    /// The questions whose pop-up closed without a decision. They stay open in the window until they time
    /// out.
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
        // The terminal that asked no longer exists.
        for record in try open() where !record.isByPopup || Question(record)?.isAwaited != false {
            try resolve(record.id, .withdrawn)
        }
    }

    package var policy: Policy { screen.attention.policy }

    /// The role of the person who is asked.
    package var reader: Reader { screen.attention.reader() }

    /// Returns the questions without an answer.
    package func open() throws -> [QuestionRecord] { try store.read { try $0.questions.open() } }

    /// Returns the newest question of this kind; `nil` if there was none.
    package func last(_ kind: Question.Kind) throws -> QuestionRecord? {
        try store.read { try $0.questions.newest(of: kind.rawValue) }
    }

    /// Asks a question. It replaces an open question of the same kind and asker, so an app that asks
    /// repeatedly gets a single pop-up.
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

    /// Records an answer and applies its effect.
    ///
    /// - Parameter services: the names or links of the services to allow; `nil` allows all that are possible.
    /// - Throws: `NotFound` if the question was already answered, `InvalidArgument` if the services cannot be
    ///   allowed, and errors of `confirm`.
    package func answer(_ id: Int64, allow: Bool, services: [String]? = nil) async throws -> String? {
        let choice = try question(id).map { try $0.chosen(services) } ?? []
        if allow, try isGrant(id) { try await confirm() }
        guard let question = try question(id) else { throw NotFound(what: "question", id: String(id)) }
        // The waiting client reads the answer and the choice together, so set the choice first.
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

    /// Returns whether `allow` grants access to another party.
    private func isGrant(_ id: Int64) throws -> Bool { try question(id)?.isGrant == true }

    /// Closes the open questions of a kind, because they no longer matter or were answered in another way.
    package func withdraw(_ kind: Question.Kind, as answer: QuestionRecord.Answer = .withdrawn) throws {
        for record in try open() where record.kind == kind.rawValue { try resolve(record.id, answer) }
    }

    /// Checks again which questions are to be shown and which pop-ups are to be closed.
    package func reconsider() { changes.notify() }

    /// Records an answer. Returns `false` if there was one already.
    @discardableResult
    private func resolve(_ id: Int64, _ answer: QuestionRecord.Answer) throws -> Bool {
        defer { reconsider() }
        // `closed` is not final, because the click that closed the pop-up may be reported later.
        let former = try store.read { try $0.questions.find(id) }
        guard let former, former.answer == nil || former.answer == .closed else { return false }
        try screen.attention.keep {
            _ = try $0.questions.answer(id, with: answer, at: surroundings.now())
        }
        return true
    }
}

// MARK: - Questions that a client waits for

extension Questions {
    /// The person's decision.
    package enum Decision: Hashable {
        /// The services that the person chose; empty if there was no choice.
        case allowed([ServiceChoice])
        case refused
    }

    /// Returns the person's decision; `nil` if there was none within `limit`. The question is withdrawn when
    /// the caller stops waiting.
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
                // Some servers report the end of a pop-up before the click that caused it.
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
    /// Handles a click on an answer.
    func clicked(_ id: Int64, allow: Bool) async {
        do {
            guard let account = try await answer(id, allow: allow) else { return }
            let name = try store.read { try $0.apps.all() }.first { $0.name == account }?.appName
            await tell(
                localized("{account} was added", ["account": name ?? account]),
                localized("Its replies are now shown here."))
        } catch is NotFound {
            // Another answer arrived just before.
        } catch {
            await tell(localized("Something went wrong"), localized(received: Self.sentence(of: error)))
        }
    }

    /// Leaves a question open for the window.
    func putOff(_ id: Int64) { isPutOff.insert(id) }

    /// Handles the end of a pop-up. A question that the person dismissed is not asked again and has no
    /// effect.
    func ended(_ id: Int64, because reason: CloseReason) throws {
        // Keep a request for services open: the click that closed the pop-up may be reported later, or the
        // person may want to choose in the window.
        if try question(id)?.servicesRequest != nil { putOff(id) }
        guard !isPutOff.contains(id) else { return }
        if reason == .dismissed { try resolve(id, .closed) }
        guard let record = try store.read({ try $0.questions.find(id) }),
            Question(record)?.isAskedByThePerson == false
        else { return }
        // The question is asked again on another day.
        reconsider()
    }

    /// Shows the result of an answer. A failure is not retried.
    private func tell(_ summary: String, _ body: String) async {
        var popup = Popup.notice(summary, body)
        popup.stackTag = "cutied-question-answered"
        await screen.tell(popup)
    }

    /// Returns the text for the person.
    private static func sentence(of error: any Error) -> String {
        switch error {
        case let fault as NotAuthorized: fault.reason
        case let fault as Offline: "The API cannot be reached: \(fault.reason)"
        case let fault as ServerError: "The API answered \(fault.status): \(fault.reason)"
        case let fault as InvalidResponse: fault.reason
        case let fault as PresenceRequired: fault.reason
        case let fault as Refused: "The API refused the request: \(fault.reason)"
        case let fault as InvalidArgument: "The \(fault.parameter) is not valid: \(fault.reason)"
        case let fault as Failed: fault.reason
        case let fault as NotFound: "This \(fault.what) no longer exists."
        default: "\(error)"
        }
    }
}

// MARK: - Pop-ups

extension Questions {
    /// Shows open questions and closes the pop-ups of others until the task is cancelled. Without an open
    /// question, no timer runs.
    package func run() async throws {
        try await withdrawEarlier()
        while true {
            let seen = changes.count
            let wait = try await turn()
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// Removes the pop-ups of questions that a previous run asked on its own. Clicks on them are not
    /// reported. They are not asked again at once.
    private func withdrawEarlier() async throws {
        for record in try open() where Question(record)?.isAskedByThePerson == false {
            let owner = PopupOwner.question(record.id)
            guard !screen.isOwn(owner), try screen.isStored(owner) else { continue }
            await screen.look()
            try await screen.withdraw(owner)
        }
    }

    /// Returns the maximum time to wait before the next turn.
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
                // No server is available. Retry with backoff; without a question there is no timer.
                return retry.next(random: 1)
            }
            retry.reset()
        }
        return wait
    }

    private enum Occasion {
        case now
        /// `nil`: a signal reports the next occasion.
        case later(atMost: Duration?)
    }

    private func occasion(for question: Question) throws -> Occasion {
        if question.isAskedByThePerson { return .now }
        let verdict = policy.verdictOnNotice(now: surroundings.moment)
        guard verdict == .show else { return .later(atMost: verdict.end.map(surroundings.wait(until:))) }
        if let rest = try pace.rest(before: question.kind) { return .later(atMost: rest) }
        return try waitsForReplies() ? .later(atMost: nil) : .now
    }

    /// Returns whether replies come first. If so, the screen notifies `changes` when they are over.
    private func waitsForReplies() throws -> Bool {
        guard try areRepliesFirst() else { return false }
        screen.awaitEnd()
        return true
    }

    /// Shows a question. Returns `false` if the server did not show it and the caller must retry.
    private func show(_ question: Question, _ record: QuestionRecord) async throws -> Bool {
        guard let server = await screen.ask() else { return false }
        let (owner, isModest) = (PopupOwner.question(record.id), !question.isAskedByThePerson)
        // A reply may have arrived during the query.
        if isModest, try waitsForReplies() { return true }
        // Clicks on a pop-up of a previous run are not reported, so replace it.
        let outcome = try await screen.show(
            question.popup(withActions: server.capabilities.contains("actions"), for: reader), as: owner,
            ShownPopup(id: 0, isModest: isModest),
            // Set before the store is written. Otherwise, on a full disk, the question would be shown
            // repeatedly and its clicks ignored.
            taken: { if isModest { pace.noteAsked(question.kind) } }
        ) { transaction, _ in
            if isModest { try pace.write(question.kind, in: transaction) }
        }
        switch outcome {
        case .shown:
            // A reply may have arrived during the call, before this pop-up could make room for it.
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
    /// When to request the verdict again; `nil` if only a change can alter it.
    var end: Timestamp? {
        if case .hold(_, let until) = self { until } else { nil }
    }
}
