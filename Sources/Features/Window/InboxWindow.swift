import ControlAPI
import ControlClient
import CutieAPI
import Gtk
import InboxModel
import Libadwaita
import Localization
import Platform

/// The main window: the list and the selected conversation side by side, or only one of them if the window is
/// narrow.
final class InboxWindow {
    let root: Ref
    let interface: WidgetTemplate
    let (leaflet, stack): (Ref, Ref)
    let controller: InboxController
    let context: PageContext
    let (list, thread): (ListPane, ThreadPane)
    let actions: WindowActions
    var form: FormWindow?
    var pages: [String: PageWindow] = [:]
    var pageTimer: Timer?
    var setup: (any Page)?
    let closeQuestion = CloseQuestion()
    var shownDaemon: DaemonView?
    private var midnightTimer: Timer?
    /// The task that reformats all times when the system's time zone changes.
    private var zoneChanges: Task<Void, Never>?
    private var clock: DesktopClock?
    var focusesComposer = false
    /// Whether the sign-in page was requested before the accounts were loaded.
    var wantsSignIn = false
    /// The values of a setup link that was opened before the accounts were loaded; `nil` if there was none.
    var pendingSetup: (appID: String, address: APIAddress?)?
    /// The state of the first frame. Compositors do not place a window above an undrawn window, so a page
    /// waits for the first frame of this window.
    var firstFrame = FirstFrame.awaited(page: nil)

    enum FirstFrame {
        case awaited(page: String?)
        case seen
    }

    init(in application: Application, controller: InboxController, environment: [String: String]) {
        self.controller = controller
        interface = WidgetTemplate(PackageResources.inbox_ui)
        root = interface["window"]
        (leaflet, stack) = (interface["leaflet"], interface["stack"])
        let toasts = interface["toasts"]
        context = PageContext(
            controller: controller, environment: environment,
            showToast: { adw_toast_overlay_add_toast(toasts(), adw_toast_new($0)) },
            activate: { [root] action, target in
                let target = target.flatMap { g_variant_new_string($0) }
                gtk_widget_activate_action_variant(root(), "win." + action, target)
            })
        let window = root
        let showPage: (String) -> Void = { [context] in context.activate("page", $0) }
        list = ListPane(controller, showPage: showPage)
        let links = WindowLinkOpener(controller, window: window)
        thread = ThreadPane(
            context,
            pictures: PictureFiles(cacheDirectory: Paths(environment: environment).cacheDirectory),
            openLink: { links.open($0) })
        actions = WindowActions(of: root)
        gtk_window_set_application(root(), application.ref())
        adw_leaflet_append(leaflet(), list.root())
        adw_leaflet_append(leaflet(), thread.root())
        connectSignals()
        controller.presenter = self
        controller.addView(self)
    }

    private func connectSignals() {
        actions.connect(to: self)
        root.onSignalReturningBool("close-request") { [unowned self] _ in !prepareToClose() }
        root.onChange(of: "is-active") { [unowned self] in updatePanesAndReportVisibility() }
        root.on("realize") { [unowned self] _ in
            Ref(gtk_native_get_surface(root())).onChange(of: "state") { [unowned self] in
                updatePanesAndReportVisibility()
            }
            Ref(gtk_widget_get_frame_clock(root())).on("after-paint") { [weak self] _ in
                self?.handleFirstFrame()
            }
        }
        leaflet.onChange(of: "folded") { [unowned self] in
            showThreadIfFolded()
            updatePanesAndReportVisibility()
        }
        leaflet.onChange(of: "visible-child") { [unowned self] in updatePanesAndReportVisibility() }
        updatePanesAndReportVisibility()
        scheduleMidnightUpdate()
        followTimeZone()
        clock = DesktopClock { [unowned controller] in controller.send(.dayChanged) }
    }

    private func handleFirstFrame() {
        guard case .awaited(let page) = firstFrame else { return }
        firstFrame = .seen
        if let page { showPage(withID: page) }
    }

    /// Shows the selected conversation, not the list, when the window becomes narrow. A window that is
    /// already
    /// narrow when it opens shows the list.
    private func showThreadIfFolded() {
        guard case .seen = firstFrame, adw_leaflet_get_folded(leaflet()) != 0,
            controller.state.chosen != nil
        else { return }
        adw_leaflet_set_visible_child(leaflet(), thread.root())
    }

    /// Adapts the panes to the width of the window, and reports to the state machine which parts of the
    /// window the user sees.
    private func updatePanesAndReportVisibility() {
        let isFolded = adw_leaflet_get_folded(leaflet()) != 0
        thread.setSinglePane(isFolded)
        list.setSinglePane(isFolded, state: controller.state)
        adw_header_bar_set_show_end_title_buttons(list.header(), isFolded ? 1 : 0)
        adw_header_bar_set_show_start_title_buttons(thread.header(), isFolded ? 1 : 0)
        let isThread = Ref(adw_leaflet_get_visible_child(leaflet())) == thread.root
        controller.send(
            .window(isFocused: root.isInFront, showsThread: !isFolded || isThread))
    }

    private func followTimeZone() {
        zoneChanges = Task { [weak self] in
            for await _ in TimeZoneChanges.watchOrPoll() {
                guard let self else { return }
                controller.send(.dayChanged)
                scheduleMidnightUpdate()
            }
        }
    }

    /// Reformats all dates at midnight: `Today` becomes `Yesterday`.
    private func scheduleMidnightUpdate() {
        let left = LocalCalendar.secondsToMidnight
        midnightTimer = Timer(after: .seconds(left)) { [unowned self] in
            controller.send(.dayChanged)
            scheduleMidnightUpdate()
        }
    }

    func sendInput(_ input: Input) { controller.send(input) }

    var reader: UserRole { controller.state.role }

    func focusComposer() {
        showThread()
        thread.composer.grabFocus()
    }

    /// Selects the next or the previous conversation. Returns the focus to the composer after the
    /// conversation is loaded, or moves the focus to the list, because GTK would otherwise focus the first
    /// button of the window.
    func selectConversation(atOffset distance: Int) {
        focusesComposer = thread.composer.hasFocus
        if !focusesComposer { list.grabFocus() }
        sendInput(.selectNeighbor(distance))
    }

    /// Moves the focus to the composer when the conversation is loaded.
    func focusComposerWhenLoaded() {
        focusesComposer = true
    }

    func showList() { adw_leaflet_set_visible_child(leaflet(), list.root()) }

    func showThread() {
        // If the list stays visible, preserve the focus, because the leaflet would move the focus to the menu
        // of the conversation.
        let focus = Ref(orNil: gtk_window_get_focus(root()))
        adw_leaflet_set_visible_child(leaflet(), thread.root())
        if adw_leaflet_get_folded(leaflet()) == 0, let focus { gtk_window_set_focus(root(), focus()) }
    }

    func startSearch(selectsConversation: Bool = false) {
        showList()
        list.startSearch(selectsConversation: selectsConversation)
    }

    func sendDraft() { thread.composer.sendDraft() }

    func focusTagEntry() { thread.focusTagEntry() }

    func toggleWritingMode() { thread.composer.toggleWritingMode() }

    /// Shows and focuses the list. In a narrow window, the list replaces the conversation.
    func goBack() {
        showList()
        list.grabFocus()
    }
}
