import ControlAPI
import Gtk
import InboxView
import Libadwaita
import Localization

/// What menus, buttons and keys of the window ask for, by name.
final class WindowActions {
    private let window: Ref
    private let target: Target
    let (send, save): (NamedAction, NamedAction)
    let (resume, startDaemon): (NamedAction, NamedAction)
    let (compose, profile): (NamedAction, NamedAction)
    let (home, statistics): (NamedAction, NamedAction)

    /// Who does it; the actions are made before the window is whole.
    private final class Target { weak var window: InboxWindow? }

    init(of window: Ref) {
        self.window = window
        let target = Target()
        self.target = target
        send = NamedAction("send", in: window) { target.window?.send() }
        save = NamedAction("save", in: window) { target.window?.save() }
        resume = NamedAction("resume", in: window) { target.window?.input(.resume) }
        startDaemon = NamedAction("start-daemon", in: window) { target.window?.input(.startDaemon) }
        profile = NamedAction("profile", in: window) { target.window?.show(page: "sign-in") }
        home = NamedAction("home", in: window) { target.window?.show(page: "home") }
        statistics = NamedAction("statistics", in: window) { target.window?.show(page: "statistics") }
        compose = NamedAction("compose", in: window) { target.window?.input(.form(.open)) }
        NamedAction("search", in: window) { target.window?.startSearch() }
        NamedAction("back", in: window) { target.window?.goBack() }
        NamedAction("write", in: window) { target.window?.write() }
        NamedAction("switch-mode", in: window) { target.window?.switchMode() }
        NamedAction("about", in: window) { target.window?.showAbout() }
        NamedAction("page", in: window, withText: { target.window?.show(page: $0) })
        NamedAction("show-help-overlay", in: window) { target.window?.showShortcuts() }
    }

    func connect(_ shown: InboxWindow) { target.window = shown }

    /// The keys; `shortcuts.ui` tells them again, as its window knows those of an action only where GTK itself
    /// made it the help of another window.
    static func setKeys(in application: Application) {
        let keys = [
            "win.send": ["<Control>Return", "<Control>KP_Enter"], "win.save": ["<Control>s"],
            "win.compose": ["<Control>n"], "win.search": ["<Control>f"], "win.write": ["<Control>r"],
            "win.switch-mode": ["<Control><Shift>n"],
            "win.back": ["<Alt>Left"], "win.show-help-overlay": ["<Control>question"],
            "window.close": ["<Control>w"], "app.quit": ["<Control>q"],
        ]
        for (action, keys) in keys { application.setKeys(keys, for: action) }
    }
}

extension InboxWindow {
    /// Made when it is wanted: a window that exists and was never shown has no name on the accessibility bus, and
    /// GTK 4.8 crashes where a screen reader comes across it.
    func showShortcuts() {
        let shortcuts = Interface(PackageResources.shortcuts_ui)["shortcuts"]
        gtk_window_set_transient_for(shortcuts(), root())
        gtk_window_present(shortcuts())
    }

    func showAbout() {
        let about = Ref(adw_about_window_new())
        let words = [
            "application-name": Product.title, "application-icon": InboxApplication.id,
            "developer-name": "Cuti-E", "version": Product.version,
            "comments": ReaderText.about.text(for: reader),
        ]
        for (name, text) in words { about.setProperty(name, text) }
        adw_about_window_set_license_type(about(), GTK_LICENSE_MIT_X11)
        gtk_window_set_transient_for(about(), root())
        gtk_window_present(about())
    }
}
