import ControlAPI
import Gtk
import InboxModel
import Libadwaita
import Localization

/// A banner above the content, with a message and buttons.
final class BannerBar {
    let root: Ref
    private let (box, sentence, buttons): (Ref, Ref, Ref)
    private let (button, refuse): (Ref, Ref)
    private let controller: InboxController
    private var shown: Content?
    /// Shows the page with the given ID, on which the user can solve the problem of the banner.
    private let showPage: (String) -> Void

    /// The shown content: a banner of the state machine, or the message that the daemon is not available.
    private enum Content: Hashable {
        case banner(Banner)
        case disconnected
    }

    init(_ controller: InboxController, showPage: @escaping (String) -> Void) {
        let interface = WidgetTemplate(PackageResources.banner_ui)
        (root, box) = (interface["banner"], interface["box"])
        (sentence, buttons) = (interface["sentence"], interface["buttons"])
        (button, refuse) = (interface["button"], interface["refuse"])
        (self.controller, self.showPage) = (controller, showPage)
        button.on("clicked") { [unowned self] _ in performAction() }
        refuse.on("clicked") { [unowned self] _ in answerQuestion(isAllowed: false) }
        root.onChange(of: "child-revealed") { [unowned self] in hideContentIfClosed() }
        hideContentIfClosed()
    }

    func render(_ state: InboxState) {
        let now: Content? =
            state.daemonView == .disconnected ? .disconnected : state.banner.map { .banner($0) }
        guard now != shown else { return }
        shown = now
        // A closing banner keeps its text during the animation.
        if let now {
            show(now)
            box.isVisible = true
        }
        gtk_revealer_set_reveal_child(root(), now == nil ? 0 : 1)
        hideContentIfClosed()
    }

    /// Hides the content after the closing animation. Otherwise, screen readers would still find the text and
    /// the buttons of the last banner.
    private func hideContentIfClosed() {
        guard gtk_revealer_get_reveal_child(root()) == 0, gtk_revealer_get_child_revealed(root()) == 0 else {
            return
        }
        box.isVisible = false
    }

    private func show(_ content: Content) {
        var isUrgent = false
        refuse.isVisible = false
        switch content {
        case .disconnected:
            sentence.text = localized("Cuti-E is no longer running in the background.")
            setButtonLabel(localized("Start"))
        case .banner(let banner):
            sentence.text = Self.message(for: banner)
            setButtonLabel(Self.buttonLabel(for: banner))
            if case .question(let question, let count) = banner, count == 1 {
                setButtonLabel(question.allow)
                gtk_button_set_label(refuse(), question.refuse)
                refuse.isVisible = true
            }
            if case .stopped = banner { isUrgent = true }
        }
        box.setCSSClass("urgent", isSet: isUrgent)
    }

    private func setButtonLabel(_ text: String?) {
        buttons.isVisible = text != nil
        if let text { gtk_button_set_label(button(), text) }
    }

    private static func message(for banner: Banner) -> String {
        switch banner {
        case .stopped(_, _, let advice?): banner.sentence + "\n" + advice
        case .question(let question, count: 1) where !question.detail.isEmpty:
            banner.sentence + "\n" + question.detail
        default: banner.sentence
        }
    }

    /// Returns the label of the button; `nil` if there is no action.
    private static func buttonLabel(for banner: Banner) -> String? {
        switch banner {
        case .notConfigured: localized("Set Up")
        case .signedOut: localized("Sign In")
        case .stopped, .offline: localized("Try Again")
        case .question: localized("Show")
        case .notSent: localized("Show")
        case .paused: localized("Resume")
        case .quietHours: localized("Settings")
        case .notificationsOff: localized("Turn On")
        case .connecting, .noNotificationServer, .hidesText: nil
        }
    }

    private func performAction() {
        switch shown {
        case .disconnected: controller.send(.startDaemon)
        case .banner(.signedOut): showPage("sign-in")
        case .banner(.stopped), .banner(.offline): controller.send(.reconnect)
        case .banner(.question(_, count: 1)): answerQuestion(isAllowed: true)
        case .banner(.question): showPage("questions")
        case .banner(.notSent): showPage("outbox")
        case .banner(.paused): controller.send(.resume)
        case .banner(.quietHours): showPage("settings")
        case .banner(.notificationsOff): controller.send(.turnOnNotifications)
        case .banner(.notConfigured): showPage("setup")
        case .banner(.connecting), .banner(.noNotificationServer), .banner(.hidesText), nil: break
        }
    }

    private func answerQuestion(isAllowed: Bool) {
        guard case .banner(.question(let question, _)) = shown else { return }
        controller.send(.answer(questionId: question.questionId, allow: isAllowed))
    }
}
