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
                question: "Replies to your feedback pop up here",
                detail: "Each tells who wrote and what; `preview` in the configuration hides that. "
                    + "`cutied ctl notifications on` or `off` changes your mind later.",
                allow: "Keep on", refuse: "Turn off")
        case .consent:
            Words(
                question: "May apps count you as active?",
                detail: "Once at each start cutied would tell their makers that this computer is in use, "
                    + "under a number that does not name it. Nothing is sent unless you allow it.",
                allow: "Allow", refuse: "Refuse")
        case .app:
            Words(
                question: "Show another app's feedback here?",
                detail: "A link asks cutied to take an app's conversations over: they would be read and "
                    + "answered on this computer, too. Allow it only if you have just asked for it.",
                allow: "Allow", refuse: "Refuse")
        }
    }

    func popup(withActions: Bool) -> Popup {
        var detail = words.detail
        if !withActions { detail += "\nAnswer with `cutied ctl questions`." }
        var popup = Popup.notice(words.question, detail)
        popup.stackTag = "cutied-question-" + kind.rawValue
        popup.expireMilliseconds = 0
        popup.actions = [
            .init(id: Questions.allow, label: words.allow), .init(id: Questions.refuse, label: words.refuse),
        ]
        return popup
    }

    /// The person's own click on a link is answered whatever the hour is.
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
