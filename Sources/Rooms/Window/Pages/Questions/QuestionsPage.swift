import ControlAPI
import Gtk
import InboxView
import Libadwaita
import Localization

extension PageKind {
    static var questions: PageKind {
        PageKind(
            id: "questions", title: localized("Questions"), menuTitle: localized("_Questions")
        ) { QuestionsPage($0.conductor) }
    }
}

/// What only the person can decide, each with its two answers.
final class QuestionsPage: Page {
    let root: Ref
    private let list: Ref
    private let conductor: Conductor
    private var shown: [QuestionView]?

    init(_ conductor: Conductor) {
        let interface = Interface(PackageResources.questions_ui)
        (root, list) = (interface["stack"], interface["list"])
        self.conductor = conductor
    }

    func render(_ state: InboxState) {
        guard state.questions != shown else { return }
        shown = state.questions
        for card in list.children { gtk_box_remove(list(), card()) }
        for question in state.questions {
            let card = QuestionCard(question) { [unowned self] allow in
                conductor.send(.answer(questionId: question.questionId, allow: allow))
            }
            gtk_box_append(list(), card.root())
        }
        gtk_stack_set_visible_child_name(root(), state.questions.isEmpty ? "none" : "questions")
    }
}

/// A question, its meaning and its answers.
struct QuestionCard {
    let root: Ref

    /// `answer` is called once.
    init(_ question: QuestionView, answer: @escaping (Bool) -> Void) {
        let interface = Interface(PackageResources.question_ui)
        let card = interface["card"]
        root = card
        interface["question"].text = question.question
        interface["detail"].text = question.detail
        interface["detail"].isVisible = !question.detail.isEmpty
        root.setSpoken(question.question)
        for (id, words, allow) in [("allow", question.allow, true), ("refuse", question.refuse, false)] {
            let button = interface[id]
            gtk_button_set_label(button(), words)
            button.on("clicked") { _ in
                card.isSensitive = false
                answer(allow)
            }
        }
    }
}
