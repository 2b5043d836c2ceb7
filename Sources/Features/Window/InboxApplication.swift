import ControlAPI
public import ControlClient
import Gtk
import InboxModel
import Libadwaita

/// The application of `cutied-inbox`: one process and one window per user.
public final class InboxApplication {
    public static let id = "io.cutied.Inbox"

    private let application = Application(id: InboxApplication.id)
    private let controller: InboxController
    private let environment: [String: String]
    private var window: InboxWindow?
    private let help = HelpWindows()
    private let questionAttendance: QuestionAttendance

    /// - Parameter read: parses the arguments of a launch, which the launching process has already validated.
    public init(
        daemon: DaemonClient, environment: [String: String],
        read: @escaping ([String]) throws -> WindowRequest
    ) {
        controller = InboxController(daemon: daemon, environment: environment)
        self.environment = environment
        questionAttendance = QuestionAttendance(of: application, controller: controller)
        controller.addView(questionAttendance)
        application.onStartup { [unowned self] in prepareApplication() }
        application.onCommandLine { [unowned self] start in
            guard let request = try? read(start.arguments) else { return 1 }
            let shown = window ?? makeWindow()
            application.presentWindow(shown.root, for: start)
            handleRequest(request, in: shown)
            return 0
        }
    }

    /// Runs until the window is closed. If another process already has the window, forwards the request to
    /// that process and returns.
    ///
    /// - Parameter arguments: the arguments, including the program name.
    /// - Returns: the exit code.
    public func run(arguments: [String]) -> Int32 {
        defer { controller.flushDrafts() }
        return application.run(arguments: arguments)
    }

    private func prepareApplication() {
        gtk_window_set_default_icon_name(Self.id)
        ApplicationIcons.installIconResource(
            PackageResources.icons_gresource, iconFolder: "/io/cutied/Inbox/icons")
        Style.installStyle(PackageResources.style_css)
        Style.installHighContrastStyle(PackageResources.style_hc_css)
        NamedAction("quit", in: application.ref) { [unowned self] in quit() }
        NamedAction("shortcuts", in: application.ref) { [unowned self] in
            help.showShortcuts(over: application.activeWindow)
        }
        NamedAction("about", in: application.ref) { [unowned self] in
            help.showAbout(for: controller.state.role, over: application.activeWindow)
        }
        WindowActions.setAccelerators(in: application)
    }

    /// Quits, unless unsaved work would be lost. In that case, the window with the unsaved work asks the
    /// user.
    private func quit() {
        if window?.prepareToClose() ?? true { application.quit() }
    }

    private func handleRequest(_ request: WindowRequest, in window: InboxWindow) {
        switch request {
        case .inbox: break
        case .thread(let link, let reply):
            controller.send(
                .open(conversation: link.conversation, account: link.account, message: link.message))
            // Focus the composer later, because the composer does not exist until the conversation is loaded.
            if reply { window.focusComposerWhenLoaded() }
        case .compose(let account):
            controller.send(.form(.open))
            if let account { controller.send(.form(.account(account))) }
        case .page(let name): window.showPage(withID: name)
        case .app(let token, let api): window.askToAddApp(withToken: token, apiAddress: api)
        case .setup(let appID, let api): window.showSetup(forAppID: appID, apiAddress: api)
        }
    }

    private func makeWindow() -> InboxWindow {
        let made = InboxWindow(in: application, controller: controller, environment: environment)
        // The handler retains the window's controller until the window is destroyed.
        made.root.on("destroy") { [unowned self, made] _ in
            withExtendedLifetime(made) {}
            window = nil
        }
        window = made
        controller.start()
        return made
    }
}
