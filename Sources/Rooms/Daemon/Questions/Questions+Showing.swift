import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Logging
import Store

extension Questions {
    /// Shows what is open and takes away what is not, until it is cancelled. Without an open question it
    /// sleeps until there is one.
    func run() async throws {
        try await takeAwayEarlier()
        while true {
            let seen = changes.value
            let wait = try await turn()
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// A reply comes: what is asked by the way makes room before it is shown.
    func makeRoom() async {
        for popup in modest { await takeAway(popup) }
    }

    /// The announcer has come to an end with something.
    func repliesMayBeOver() {
        if isWaitingForReplies { reconsider() }
    }

    /// What an earlier run has asked by the way hears no clicks, and is not asked again at once.
    private func takeAwayEarlier() async throws {
        for record in try open() where !live.values.contains(record.id) {
            guard let popup = record.notification, Question(record)?.isAskedByThePerson == false
            else { continue }
            try store.write { try $0.setPopup(nil, session: nil, ofQuestion: record.id) }
            guard let server = await notifier.server(), record.session == session(server) else { continue }
            try? await notifier.close(popup)
        }
    }

    /// A click on it that is on its way counts still.
    private func takeAway(_ popup: UInt32) async {
        modest.remove(popup)
        if let question = live.removeValue(forKey: popup) {
            gone = gone.suffix(15) + [(popup, question)]
            // Where this fails, the next run closes it once more.
            try? store.write { try $0.setPopup(nil, session: nil, ofQuestion: question) }
        }
        try? await notifier.close(popup)
    }

    /// Returns how long to wait at most before the next one.
    private func turn() async throws -> Duration? {
        isWaitingForReplies = false
        let open = try open().filter(\.isByPopup)
        for (popup, question) in live where !open.contains(where: { $0.id == question }) {
            live[popup] = nil
            modest.remove(popup)
            try? await notifier.close(popup)
        }
        var wait: Duration?
        for record in open where mayPopUp && !live.values.contains(record.id) {
            guard let question = Question(record) else { continue }
            if case .later(let limit) = try occasion(for: question) {
                wait = [wait, limit].compactMap(\.self).min()
                continue
            }
            guard try await show(question, record) else {
                // Nobody shows it: try again, ever less often. Without a question there is no timer.
                return serverRetry.next(random: 1)
            }
            serverRetry.reset()
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
        let verdict = policy().verdictOnNotice(now: surroundings.moment)
        guard verdict == .show else { return .later(atMost: verdict.end.map(surroundings.wait(until:))) }
        if let rest = try pace.rest(before: question.kind) { return .later(atMost: rest) }
        isWaitingForReplies = try areRepliesFirst() || isWaitingForReplies
        return isWaitingForReplies ? .later(atMost: nil) : .now
    }

    /// False where nobody took it.
    private func show(_ question: Question, _ record: QuestionRecord) async throws -> Bool {
        guard let server = await notifier.server() else { return false }
        // One may have come meanwhile.
        if !question.isAskedByThePerson, try areRepliesFirst() {
            isWaitingForReplies = true
            return true
        }
        let session = session(server)
        let popup = question.popup(withActions: server.capabilities.contains("actions"))
        do {
            // What an earlier run has shown hears no clicks: it is replaced by one that does.
            let id = try await notifier.show(
                popup, replacing: record.session == session ? record.notification : nil)
            // Before it is written: a disk that is full would have it shown again and again, and hear no click.
            live[id] = record.id
            if !question.isAskedByThePerson {
                modest.insert(id)
                pace.noteAsked(question.kind)
            }
            try store.write { transaction in
                try transaction.setPopup(id, session: session, ofQuestion: record.id)
                if !question.isAskedByThePerson { try pace.write(question.kind, in: transaction) }
            }
            // One may have come on the way, and have found nothing that could make room.
            if modest.contains(id), try areRepliesFirst() { await takeAway(id) }
            return true
        } catch let error as NotifierError {
            if error == .cancelled { throw CancellationError() }
            logger.notice("a question was not shown", metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Tells what came of an answer. Not worth a second try.
    func tell(_ summary: String, _ body: String) async {
        var popup = Popup.notice(summary, body)
        popup.stackTag = "cutied-question-answered"
        await notifier.tell(popup, logger)
    }
}

extension Policy.Verdict {
    /// When it is to be asked for again; nil: when something changes.
    var end: Timestamp? {
        if case .hold(_, let until) = self { until } else { nil }
    }
}
