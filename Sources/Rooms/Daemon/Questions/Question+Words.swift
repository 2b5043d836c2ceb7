import ControlAPI
import CutieAPI
import Desktop
import Store

extension Question {
    struct Words {
        var question: String
        var detail: String
        var allow: String
        var refuse: String
    }

    /// As a person reads them, by pop-up and in a terminal. Servers cut a summary after some 36 characters.
    var words: Words {
        switch self {
        case .permission:
            Words(
                question: "Show replies to your feedback here?",
                detail: "When somebody answers your feedback, a short message appears on this screen. "
                    + "You can keep that, or turn it off now.",
                allow: "Keep on", refuse: "Turn off")
        case .consent:
            Words(
                question: "May apps count you as active?",
                detail: "Their makers would be told at each start that this computer is in use, "
                    + "under a number instead of your name. Nothing is sent unless you allow it.",
                allow: "Allow", refuse: "Refuse")
        case .app:
            Words(
                question: "Show another app's feedback here?",
                detail: "A link asks to show an app's conversations on this computer, too, where they could "
                    + "be read and answered. Allow it only if you have just asked for it.",
                allow: "Allow", refuse: "Refuse")
        }
    }

    func popup(withActions: Bool) -> Popup {
        var detail = words.detail
        if !withActions { detail += "\nTo answer, type in a terminal: cutied ctl questions" }
        var popup = Popup.notice(words.question, detail)
        popup.stackTag = "cutied-question-" + kind.rawValue
        popup.actions = [
            .init(id: Questions.allow, label: words.allow), .init(id: Questions.refuse, label: words.refuse),
        ]
        if isAskedByThePerson {
            popup.expireMilliseconds = 0
        } else {
            popup.urgency = .low
            popup.isTransient = true
        }
        return popup
    }

    /// The person's own click on a link is answered at once, whatever the hour is. What the daemon asks by itself
    /// is in nobody's way.
    var isAskedByThePerson: Bool { kind == .app }
}

extension QuestionView {
    init(_ record: QuestionRecord, _ question: Question) {
        let words = question.words
        self.init(
            questionId: String(record.id), kind: record.kind, question: words.question,
            detail: words.detail, allow: words.allow, refuse: words.refuse,
            askedAt: record.askedAt.milliseconds)
    }
}
