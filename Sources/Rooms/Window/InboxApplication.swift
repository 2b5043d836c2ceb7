import ControlAPI
public import ControlClient
import Gtk
import Libadwaita

/// The program `cutied-inbox`: one process and one window a person.
public final class InboxApplication {
    public static let id = "io.cutied.Inbox"

    private let application = Application(id: InboxApplication.id)
    private let daemon: DaemonClient
    private var window: InboxWindow?

    /// `read` makes a request of a start's arguments, which that start has checked.
    public init(daemon: DaemonClient, read: @escaping ([String]) throws -> Request) {
        self.daemon = daemon
        application.onStartup { [unowned self] in prepare() }
        application.onStart { [unowned self] start in
            guard let request = try? read(start.arguments) else { return 1 }
            show(request, for: start)
            return 0
        }
    }

    /// Runs until the window is closed; a second process hands its request over and returns at once. `arguments`
    /// begin with the program's name. Returns the exit code.
    public func run(_ arguments: [String]) -> Int32 { application.run(arguments) }

    private func prepare() {
        gtk_window_set_default_icon_name(Self.id)
        Style.install(PackageResources.style_css)
        Action("quit", in: application.ref) { [unowned self] in application.quit() }
        application.setKeys(["<Control>q"], for: "app.quit")
        application.setKeys(["<Control>w"], for: "window.close")
    }

    private func show(_ request: Request, for start: Application.Start) {
        let shown = window ?? makeWindow()
        application.present(shown.root, for: start)
    }

    private func makeWindow() -> InboxWindow {
        let made = InboxWindow(in: application)
        made.root.on("destroy") { [unowned self] _ in window = nil }
        window = made
        return made
    }
}
