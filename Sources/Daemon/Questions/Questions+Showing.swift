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
        while true {
            let seen = changes.value
            let wait = try await turn()
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// Returns how long to wait at most before the next one.
    private func turn() async throws -> Duration? {
        let open = try open().filter(\.isByPopup)
        for (popup, question) in live where !open.contains(where: { $0.id == question }) {
            live[popup] = nil
            try? await notifier.close(popup)
        }
        var wait: Duration?
        for record in open where mayPopUp && !live.values.contains(record.id) {
            guard let question = Question(record) else { continue }
            let verdict = policy().verdictOnNotice(now: surroundings.now())
            if !question.isAskedByThePerson, verdict != .show {
                if let until = verdict.end {
                    wait = min(wait ?? .seconds(86_400), surroundings.wait(until: until))
                }
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

    /// False where nobody took it.
    private func show(_ question: Question, _ record: QuestionRecord) async throws -> Bool {
        guard let server = await notifier.server() else { return false }
        let session = session(server)
        let popup = question.popup(withActions: server.capabilities.contains("actions"))
        do {
            // What an earlier run has shown hears no clicks: it is replaced by one that does.
            let id = try await notifier.show(
                popup, replacing: record.session == session ? record.notification : nil)
            // Before it is written: a disk that is full would have it shown again and again, and hear no click.
            live[id] = record.id
            try store.write { try $0.setPopup(id, session: session, ofQuestion: record.id) }
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
