import Gtk
import InboxModel
import Libadwaita
import Localization

extension PageKind {
    static var pause: PageKind {
        PageKind(
            id: "pause", title: localized("Pause Notifications"),
            menuTitle: localized("_Pause Notifications"),
            needs: .daemon
        ) {
            PausePage($0.controller)
        }
    }
}

/// The page that pauses notifications or hides their text for some time.
final class PausePage: Page {
    let root: Ref
    private let (now, resume, choices, hidesText): (Ref, Ref, Ref, Ref)
    private let controller: InboxController
    private var shown: NotificationStatus?

    init(_ controller: InboxController) {
        let interface = WidgetTemplate(PackageResources.pause_ui)
        root = interface["page"]
        (now, resume) = (interface["state"], interface["resume"])
        (choices, hidesText) = (interface["choices"], interface["hides-text"])
        self.controller = controller
        resume.on("clicked") { _ in controller.send(.resume) }
        for (label, minutes) in Self.durations { addButton(label, pauseMinutes: minutes) }
    }

    /// The choices in minutes; `nil` for a pause until the user resumes notifications.
    private static var durations: [(String, Int?)] {
        [
            (localized("For 1 Hour"), 60), (localized("For 4 Hours"), 240),
            (localized("For 8 Hours"), 480), (localized("Until I Resume"), nil),
        ]
    }

    private func addButton(_ label: String, pauseMinutes: Int?) {
        let row = Ref(adw_action_row_new())
        adw_preferences_row_set_title(row(), label)
        gtk_list_box_row_set_activatable(row(), 1)
        row.on("activated") { [unowned self] _ in
            let hides = gtk_switch_get_active(hidesText()) != 0
            controller.send(.pause(seconds: pauseMinutes.map { $0 * 60 }, hidesText: hides))
        }
        adw_preferences_group_add(choices(), row())
    }

    func render(_ state: InboxState) {
        guard state.notificationStatus != shown else { return }
        shown = state.notificationStatus
        choices.isSensitive = shown != nil
        adw_preferences_row_set_title(now(), shown.map(Self.message) ?? "")
        resume.isVisible = shown?.isPaused == true
    }

    private static func message(for status: NotificationStatus) -> String {
        status.holds.first?.sentence ?? localized("New messages are shown as notifications.")
    }
}
