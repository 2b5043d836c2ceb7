import Gtk
import InboxModel
import Libadwaita
import Localization
import Platform

/// The named actions for the window's menus, buttons and keys.
final class WindowActions {
    private let window: Ref
    private let target: Target
    let (send, save): (NamedAction, NamedAction)
    let (markUnread, mute, unmute): (NamedAction, NamedAction, NamedAction)
    let (snooze, unsnooze): (NamedAction, NamedAction)
    /// The actions of support staff on the open conversation.
    private let staff: [NamedAction]
    private let view: NamedAction
    let (resume, startDaemon): (NamedAction, NamedAction)
    let compose: NamedAction

    /// A weak reference to the window. The reference is set later, because the actions are created before
    /// the window is complete.
    private final class Target { weak var window: InboxWindow? }

    init(of window: Ref) {
        self.window = window
        let target = Target()
        self.target = target
        send = NamedAction("send", in: window) { target.window?.sendDraft() }
        save = NamedAction("save", in: window) { target.window?.saveThread() }
        markUnread = NamedAction("mark-unread", in: window) { target.window?.sendInput(.markUnread) }
        mute = NamedAction("mute", in: window) { target.window?.sendInput(.mute(true)) }
        unmute = NamedAction("unmute", in: window) { target.window?.sendInput(.mute(false)) }
        snooze = NamedAction(
            "snooze", in: window,
            withText: { name in
                if let length = SnoozeLength(rawValue: name) { target.window?.sendInput(.snooze(length)) }
            })
        unsnooze = NamedAction("unsnooze", in: window) { target.window?.sendInput(.snooze(nil)) }
        staff = [
            NamedAction("assign-me", in: window) { target.window?.performStaffAction(.assign(.me)) },
            NamedAction("unassign", in: window) { target.window?.performStaffAction(.assign(.unassigned)) },
            NamedAction("resolve", in: window) { target.window?.resolveConversation() },
            NamedAction("send-and-resolve", in: window) { target.window?.sendAndResolve() },
            NamedAction("tags", in: window) { target.window?.focusTagEntry() },
        ]
        view = NamedAction("view", in: window, withText: { target.window?.toggleView(named: $0) })
        resume = NamedAction("resume", in: window) { target.window?.sendInput(.resume) }
        startDaemon = NamedAction("start-daemon", in: window) { target.window?.sendInput(.startDaemon) }
        compose = NamedAction("compose", in: window) { target.window?.sendInput(.form(.open)) }
        NamedAction("next", in: window) { target.window?.selectConversation(atOffset: 1) }
        NamedAction("previous", in: window) { target.window?.selectConversation(atOffset: -1) }
        NamedAction("search", in: window) { target.window?.startSearch() }
        NamedAction("go-to", in: window) { target.window?.startSearch(selectsConversation: true) }
        NamedAction("back", in: window) { target.window?.goBack() }
        NamedAction("write", in: window) { target.window?.focusComposer() }
        NamedAction("switch-mode", in: window) { target.window?.toggleWritingMode() }
        NamedAction("page", in: window, withText: { target.window?.showPage(withID: $0) })
    }

    func connect(to window: InboxWindow) { target.window = window }

    /// Enables or disables the actions of support staff.
    /// The text field receives the keys of disabled actions.
    func updateStaffActions(isStaff: Bool, hasThread: Bool) {
        view.isEnabled = isStaff
        for action in staff { action.isEnabled = hasThread }
    }

    /// Sets the keys that work in every window of the program. `shortcuts.ui` repeats these keys, because GTK
    /// reads the keys of actions only for a shortcuts window that is the help overlay of a window.
    static func setAccelerators(in application: Application) {
        let keys = [
            "win.send": ["<Control>Return", "<Control>KP_Enter"], "win.save": ["<Control>s"],
            "win.compose": ["<Control>n"], "win.search": ["<Control>f"], "win.go-to": ["<Control>k"],
            "win.write": ["<Control>r"],
            "win.switch-mode": ["<Control><Shift>n"],
            "win.next": ["<Alt>Down"], "win.previous": ["<Alt>Up"],
            "win.assign-me": ["<Control><Shift>a"], "win.unassign": ["<Control><Shift>r"],
            "win.resolve": ["<Control>e"], "win.tags": ["<Control>t"],
            "win.send-and-resolve": ["<Control><Shift>Return", "<Control><Shift>KP_Enter"],
            "win.view::mine": ["<Control>1"], "win.view::unassigned": ["<Control>2"],
            "win.view::waiting": ["<Control>3"], "win.view::open": ["<Control>4"],
            "win.view::snoozed": ["<Control>5"],
            "win.back": ["<Alt>Left"], "win.page::settings": ["<Control>comma"],
            "app.shortcuts": ["<Control>question"],
            "window.close": ["<Control>w"], "app.quit": ["<Control>q"],
        ]
        for (action, keys) in keys { application.setAccelerators(keys, for: action) }
    }
}

/// The shortcuts window and the about window. Each window is created on demand: a window that was never shown
/// has no name on the accessibility bus, and GTK 4.8 crashes if a screen reader queries such a window.
final class HelpWindows {
    private var open: [String: Ref] = [:]

    /// Shows the shortcuts above the active window.
    func showShortcuts(over parent: Ref?) {
        showDialog(named: "shortcuts", over: parent) {
            let shortcuts = WidgetTemplate(PackageResources.shortcuts_ui)["shortcuts"]
            // Set the title, which GTK omits but a task bar shows.
            gtk_window_set_title(shortcuts(), localized("Keyboard Shortcuts"))
            return shortcuts
        }
    }

    func showAbout(for role: UserRole, over parent: Ref?) {
        showDialog(named: "about", over: parent) {
            let about = Ref(adw_about_window_new())
            let words = [
                "application-name": Product.title, "application-icon": InboxApplication.id,
                "developer-name": "Cuti-E", "version": Product.version,
                "comments": RoleDependentText.about.text(for: role), "website": Product.website,
                "issue-url": Product.website + "/issues", "copyright": "© 2026 The cutied authors",
                // Translators: Replace this with your names, one per line.
                "translator-credits": localized("translator-credits"),
            ]
            for (name, text) in words { about.setProperty(name, to: text) }
            about.setProperty("developers", to: ["The cutied authors " + Product.website])
            adw_about_window_set_license_type(about(), GTK_LICENSE_MIT_X11)
            return about
        }
    }

    /// Presents the existing window, or creates it.
    private func showDialog(named name: String, over parent: Ref?, _ make: () -> Ref) {
        if let shown = open[name] { return gtk_window_present(shown()) }
        let window = make()
        open[name] = window
        window.on("destroy") { [weak self] _ in self?.open[name] = nil }
        if let parent { gtk_window_set_transient_for(window(), parent()) }
        gtk_window_present(window())
    }
}
