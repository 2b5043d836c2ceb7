import ControlAPI
import ControlClient
import CutieAPI
import Gtk
import InboxModel
import Libadwaita
import Localization

/// Opens links: web pages in the browser, conversations in the window, and links that add apps in a dialog.
final class WindowLinkOpener {
    private let controller: InboxController
    private let window: Ref

    init(_ controller: InboxController, window: Ref) {
        (self.controller, self.window) = (controller, window)
    }

    /// Opens a link. Ignores schemes other than `https` and `cutie`, because they could start other programs.
    func open(_ link: String) {
        if link.lowercased().hasPrefix("https://") { return DesktopLauncher.openURI(link, parent: window) }
        switch try? DeepLink(link) {
        case .conversation(let id, let account, let message):
            controller.send(.open(conversation: id.rawValue, account: account, message: message?.rawValue))
        case .app(let token, let api):
            AppHandOverDialog(controller, window: window).askToAddApp(withToken: token, apiAddress: api)
        // Ignore a setup link in a message, because this user already has an account.
        case .setup, nil: break
        }
    }
}

/// The dialog that asks whether to add an app.
struct AppHandOverDialog {
    private let controller: InboxController
    private let window: Ref

    init(_ controller: InboxController, window: Ref) {
        (self.controller, self.window) = (controller, window)
    }

    /// The time limit for the daemon to start.
    private static let startLimit: Duration = .seconds(15)

    /// Requests the question whether to add the app from the daemon, and asks the user.
    ///
    /// - Parameters:
    ///   - api: the address in the link.
    ///   - isDaemonStarting: whether the daemon was started just now.
    func askToAddApp(
        withToken token: FeedbackToken, apiAddress api: APIAddress?, isDaemonStarting: Bool = false
    ) {
        Task { [controller, window] in
            do {
                let call = TakeApp(token: token.rawValue, quiet: true, apiUrl: api?.description)
                let daemon =
                    isDaemonStarting ? controller.daemon.withTimeout(Self.startLimit) : controller.daemon
                let question = try await daemon.call(call).reply.question.translated
                QuestionDialog(question, over: window, controller: controller).present()
            } catch {
                showToast(CallFailure(error).sentence)
            }
        }
    }

    private func showToast(_ message: String) {
        let dialog = Ref(adw_message_dialog_new(window(), localized("The App Was Not Added"), message))
        adw_message_dialog_add_response(dialog(), "close", localized("_Close"))
        gtk_window_present(dialog())
    }
}

/// A dialog with a question. Closes if the question is answered elsewhere.
private final class QuestionDialog: Viewer {
    private let dialog: Ref
    private let controller: InboxController
    private let id: String
    /// Whether the question was pending in the previous state. If the question has never been pending, the
    /// state is older than the question, so the dialog stays open.
    private var wasPending = false

    init(_ question: QuestionView, over window: Ref, controller: InboxController) {
        dialog = Ref(adw_message_dialog_new(window(), question.question, question.detail))
        (self.controller, id) = (controller, question.questionId)
        adw_message_dialog_add_response(dialog(), "refuse", question.refuse)
        adw_message_dialog_add_response(dialog(), "allow", question.allow)
        adw_message_dialog_set_response_appearance(dialog(), "allow", ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_close_response(dialog(), "refuse")
        dialog.on("response") { [controller, id] arguments in
            controller.send(.answer(questionId: id, allow: arguments.string(at: 0) == "allow"))
        }
        // The handler retains this object until the dialog is destroyed.
        dialog.on("destroy") { [self] _ in wasPending = false }
    }

    func present() {
        gtk_window_present(dialog())
        controller.addView(self)
    }

    func render(_ state: InboxState) {
        let isPending = state.questions.contains { $0.questionId == id }
        if wasPending, !isPending { return gtk_window_destroy(dialog()) }
        wasPending = isPending
    }
}
