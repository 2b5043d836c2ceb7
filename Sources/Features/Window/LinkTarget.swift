import ControlAPI
import ControlClient
import CutieAPI
import Gtk
import InboxModel
import Libadwaita
import Localization

/// Opens links: web pages in the browser, conversations in the window, and links that add apps in a dialog.
final class LinkTarget {
    private let controller: InboxController
    private let window: Ref

    init(_ controller: InboxController, _ window: Ref) {
        (self.controller, self.window) = (controller, window)
    }

    /// Opens a link. Ignores schemes other than `https` and `cutie`, because they could start other programs.
    func open(_ link: String) {
        if link.lowercased().hasPrefix("https://") { return DesktopLauncher.openURI(link, from: window) }
        switch try? DeepLink(link) {
        case .conversation(let id, let account, let message):
            controller.send(.open(conversation: id.rawValue, account: account, message: message?.rawValue))
        case .app(let token, let api): AppHandOverDialog(controller, window).confirmAdding(token, at: api)
        // Ignore a setup link in a message, because this user already has an account.
        case .setup, nil: break
        }
    }
}

/// The dialog that asks whether to add an app.
struct AppHandOverDialog {
    private let controller: InboxController
    private let window: Ref

    init(_ controller: InboxController, _ window: Ref) {
        (self.controller, self.window) = (controller, window)
    }

    /// The time limit for the daemon to start.
    private static let startLimit: Duration = .seconds(15)

    /// Requests the question from the daemon and asks the user.
    ///
    /// - Parameters:
    ///   - api: the address in the link.
    ///   - isStarting: whether the daemon was started just now.
    func confirmAdding(_ token: FeedbackToken, at api: APIAddress?, isStarting: Bool = false) {
        Task { [controller, window] in
            do {
                let call = TakeApp(token: token.rawValue, quiet: true, apiUrl: api?.description)
                let daemon =
                    isStarting ? controller.daemon.withTimeout(Self.startLimit) : controller.daemon
                showQuestion(try await daemon.call(call).reply.question.translated, over: window)
            } catch {
                showToast(CallFailure(error).sentence)
            }
        }
    }

    private func showQuestion(_ question: QuestionView, over window: Ref) {
        let dialog = Ref(adw_message_dialog_new(window(), question.question, question.detail))
        adw_message_dialog_add_response(dialog(), "refuse", question.refuse)
        adw_message_dialog_add_response(dialog(), "allow", question.allow)
        adw_message_dialog_set_response_appearance(dialog(), "allow", ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_close_response(dialog(), "refuse")
        dialog.on("response") { [controller] arguments in
            controller.send(
                .answer(questionId: question.questionId, allow: arguments.string(at: 0) == "allow"))
        }
        gtk_window_present(dialog())
    }

    private func showToast(_ sentence: String) {
        let dialog = Ref(adw_message_dialog_new(window(), localized("The App Was Not Added"), sentence))
        adw_message_dialog_add_response(dialog(), "close", localized("_Close"))
        gtk_window_present(dialog())
    }
}
