import Attention
import ControlAPI
import CutieAPI
import Inbox
import Localization
import Log
import Logging
@_spi(Screen) import Store

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
