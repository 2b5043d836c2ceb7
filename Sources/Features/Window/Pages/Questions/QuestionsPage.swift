import ControlAPI
import Gtk
import InboxModel
import Libadwaita
import Localization

extension PageKind {
    static var questions: PageKind {
        PageKind(
            id: "questions", title: localized("Questions"), menuTitle: nil, needs: .daemon
        ) { QuestionsPage($0.controller) }
    }
}

/// The page of questions to the user.
final class QuestionsPage: Page {
    let root: Ref
    private let list: Ref
    private let controller: InboxController
    private var shown: [QuestionView]?

    init(_ controller: InboxController) {
        let interface = WidgetTemplate(PackageResources.questions_ui)
        (root, list) = (interface["stack"], interface["list"])
        self.controller = controller
    }

    func render(_ state: InboxState) {
        guard state.questions != shown else { return }
        shown = state.questions
        for card in list.children { gtk_box_remove(list(), card()) }
        for question in state.questions {
            let card = QuestionCard(question, title: state.title(of:)) { [unowned self] allow, services in
                controller.send(
                    .answer(questionId: question.questionId, allow: allow, services: services))
            }
            gtk_box_append(list(), card.root())
        }
        gtk_stack_set_visible_child_name(root(), state.questions.isEmpty ? "none" : "questions")
    }
}

/// A card with a question, its explanation and its buttons.
struct QuestionCard {
    let root: Ref

    /// - Parameters:
    ///   - title: returns the title of an account.
    ///   - answer: called once, with the links of the selected services if the question offers services.
    init(
        _ question: QuestionView, title: (String) -> String, answer: @escaping (Bool, [String]?) -> Void
    ) {
        let interface = WidgetTemplate(PackageResources.question_ui)
        let card = interface["card"]
        root = card
        interface["question"].text = question.question
        interface["detail"].text = question.detail
        interface["detail"].isVisible = !question.detail.isEmpty
        root.setAccessibleLabel(question.question)
        showAppVerification(question.appVerification, in: interface)
        let choice = ServiceSelection(question).map { ServiceButtons($0, in: interface, title: title) }
        for (id, text, allow) in [("allow", question.allow, true), ("refuse", question.refuse, false)] {
            let button = interface[id]
            gtk_button_set_label(button(), text)
            button.on("clicked") { _ in
                card.isSensitive = false
                answer(allow, allow ? choice?.chosen : nil)
            }
        }
    }

    /// Shows whether the identity of the requesting app is verified. Hides the box if the question is not
    /// from an app.
    private func showAppVerification(_ appVerification: AppVerification?, in interface: WidgetTemplate) {
        let box = interface["verification"]
        box.isVisible = appVerification != nil
        guard let appVerification else { return }
        interface["verification-text"].text = appVerification.sentence
        gtk_image_set_from_icon_name(
            interface["verification-icon"](),
            appVerification.isVerified ? "object-select-symbolic" : "dialog-warning-symbolic")
        gtk_widget_add_css_class(box(), appVerification.isVerified ? "success" : "warning")
    }
}

/// The check buttons for the services that a question offers.
private final class ServiceButtons {
    private var selection: ServiceSelection
    private let allow: Ref

    /// - Parameter title: returns the title of an account.
    init(_ selection: ServiceSelection, in interface: WidgetTemplate, title: (String) -> String) {
        self.selection = selection
        allow = interface["allow"]
        let box = interface["services"]
        box.isVisible = selection.choices.count > 1
        var first: Ref?
        for choice in selection.choices {
            let button = Self.makeButton(selection.label(of: choice, accountTitle: title))
            if selection.isSingle {
                if let first { gtk_check_button_set_group(button(), first()) }
                first = first ?? button
            }
            gtk_check_button_set_active(button(), selection.contains(choice) ? 1 : 0)
            button.on("toggled") { [self] _ in
                self.selection.setChoice(choice, isSelected: gtk_check_button_get_active(button()) != 0)
                allow.isSensitive = self.selection.canAllow
            }
            gtk_box_append(box(), button())
        }
    }

    /// Creates a button with a wrapped label, because a long name would make a narrow window wider than the
    /// screen.
    private static func makeButton(_ text: String) -> Ref {
        let (button, label) = (Ref(gtk_check_button_new()), Ref(gtk_label_new(text)))
        gtk_label_set_xalign(label(), 0)
        label.wrapText(atColumn: 40)
        gtk_check_button_set_child(button(), label())
        button.setAccessibleLabel(text)
        return button
    }

    /// The selected services; `nil` if the question offers no services.
    var chosen: [String]? { selection.choices.isEmpty ? nil : selection.answers }
}
