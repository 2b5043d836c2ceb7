import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Logging
import Store

/// Asks the person: a row that survives a restart, a pop-up where there is a desktop, and one answer, from
/// wherever it comes first.
final class Questions {
    /// The names of the actions that a pop-up offers.
    static let allow = "allow"
    static let refuse = "refuse"

    let store: Store
    let notifier: any PopupServer
    let surroundings: Surroundings
    let logger: Logger
    let policy: () -> Policy
    /// What a server's ids are valid for.
    let session: (NotificationServer) -> String
    /// `questions` of the configuration: false, they wait for a terminal.
    var mayPopUp: Bool {
        didSet { reconsider() }
    }
    /// What follows from an answer. Returns the name of an account that it brought.
    var effects: [Question.Kind: (Question, Bool) async throws -> String?] = [:]
    /// Whether a reply is on the screen or on its way there.
    var areRepliesFirst: () throws -> Bool = { false }
    /// Whether a question waits for the replies to be over.
    var isWaitingForReplies = false
    let pace: QuestionPace
    /// The pop-ups on the screen that this process has shown.
    var live: [UInt32: Int64] = [:]
    /// Those that just went: a click may arrive after the close.
    var gone: [(id: UInt32, question: Int64)] = []
    /// The pop-ups that make room where a reply comes.
    var modest: Set<UInt32> = []
    let changes = Head()
    var serverRetry = Backoff(base: .seconds(1), cap: .seconds(30))

    init(
        store: Store, notifier: any PopupServer, policy: @escaping () -> Policy,
        session: @escaping (NotificationServer) -> String, mayPopUp: Bool, surroundings: Surroundings,
        logger: Logger
    ) throws {
        (self.store, self.notifier, self.policy, self.session) = (store, notifier, policy, session)
        (self.mayPopUp, self.surroundings, self.logger) = (mayPopUp, surroundings, logger)
        pace = QuestionPace(store: store, surroundings: surroundings)
        // The terminal that asked is gone.
        for record in try open() where !record.isByPopup { try settle(record.id, .withdrawn) }
    }

    func open() throws -> [QuestionRecord] { try store.read { try $0.openQuestions() } }

    /// Whether a question of this kind was ever asked.
    func last(_ kind: Question.Kind) throws -> QuestionRecord? {
        try store.read { try $0.newestQuestion(of: kind.rawValue) }
    }

    /// Asks, in the place of an open question of the same kind: whoever asks again and again gets one pop-up.
    @discardableResult
    func ask(_ question: Question, byPopup: Bool = true) throws -> QuestionRecord {
        let now = surroundings.now()
        let record: QuestionRecord? = try store.write { transaction in
            let kind = question.kind.rawValue
            for other in try transaction.openQuestions() where other.kind == kind {
                if other.subject == question.subject, other.isByPopup == byPopup { return other }
                _ = try transaction.answer(other.id, with: .withdrawn, at: now)
            }
            let id = try transaction.ask(kind, about: question.subject, byPopup: byPopup, at: now)
            return try transaction.question(id)
        }
        guard let record else { throw Failed(reason: "the question was not stored") }
        reconsider()
        return record
    }

    /// Answers, and does what follows. Throws `NotFound` where it was answered already.
    func answer(_ id: Int64, allow: Bool) async throws -> String? {
        guard let record = try store.read({ try $0.question(id) }), let question = Question(record),
            try settle(id, allow ? .allow : .refuse)
        else { throw NotFound(what: "question", id: String(id)) }
        return try await effects[question.kind]?(question, allow)
    }

    /// It does not matter any more, or was answered by other means.
    func withdraw(_ kind: Question.Kind, as answer: QuestionRecord.Answer = .withdrawn) throws {
        for record in try open() where record.kind == kind.rawValue { try settle(record.id, answer) }
    }

    /// Something changed: what waits may be shown, what is shown may have to go.
    func reconsider() { changes.advance() }

    /// False where it was answered before.
    @discardableResult
    private func settle(_ id: Int64, _ answer: QuestionRecord.Answer) throws -> Bool {
        let isFirst = try store.write { try $0.answer(id, with: answer, at: surroundings.now()) }
        reconsider()
        return isFirst
    }
}

extension Questions: PopupOwner {
    func act(_ action: String, on id: UInt32) throws -> (@MainActor @Sendable () async -> Void)? {
        // A server that was restarted gives its ids anew: what a question does not offer is another's by now.
        guard [Self.allow, Self.refuse].contains(action),
            let question = live[id] ?? gone.last(where: { $0.id == id })?.question
        else { return nil }
        return { [self] in
            do {
                let account = try await answer(question, allow: action == Self.allow)
                guard let account else { return }
                await tell("\(account) was added", "Its replies are shown here from now on.")
            } catch is NotFound {
                // Answered elsewhere a moment before.
            } catch {
                await tell("That did not work", Self.sentence(of: error))
            }
        }
    }

    /// A person who closes a question has seen it: it is not asked again, and nothing follows.
    func closed(_ id: UInt32, because reason: CloseReason) throws {
        guard let question = live.removeValue(forKey: id) else { return }
        gone = gone.suffix(15) + [(id, question)]
        if reason == .dismissed { try settle(question, .closed) }
        guard modest.remove(id) != nil else { return }
        try store.write { try $0.setPopup(nil, session: nil, ofQuestion: question) }
        // It is asked again, another day.
        reconsider()
    }

    func serverLost() {
        live.removeAll()
        gone.removeAll()
        modest.removeAll()
        reconsider()
    }

    /// As a person reads it.
    private static func sentence(of error: any Error) -> String {
        switch error {
        case let fault as NotAuthorized: fault.reason
        case let fault as Offline: "The API cannot be reached: \(fault.reason)"
        case let fault as ServerError: "The API answered \(fault.status): \(fault.reason)"
        case let fault as InvalidResponse: fault.reason
        case let fault as Refused: "The API refused it: \(fault.reason)"
        case let fault as InvalidArgument: "The \(fault.parameter) cannot be used: \(fault.reason)"
        case let fault as Failed: fault.reason
        case let fault as NotFound: "There is no \(fault.what) of that name any more."
        default: "\(error)"
        }
    }
}
