import ControlAPI
import ControlClient
import CutieAPI
import Gtk
import InboxView
import Libadwaita
import Localization
import Platform

/// The main window: the conversation list and the selected thread side by side, or one of them if the window
/// is narrow.
final class InboxWindow {
    let root: Ref
    private let interface: Interface
    private let (leaflet, stack): (Ref, Ref)
    private let conductor: Conductor
    private let surroundings: PageSurroundings
    private let (list, thread): (ListPane, ThreadPane)
    private let actions: WindowActions
    private var form: FormWindow?
    private var pages: [String: PageWindow] = [:]
    private var replacing: Timer?
    private var setup: (any Page)?
    private let closeQuestion = CloseQuestion()
    private var shownDaemon: DaemonView?
    private var midnight: Timer?
    /// A task that formats all times again when the system's time zone changes.
    private var zoneChanges: Task<Void, Never>?
    private var wantsToWrite = false
    /// Whether the sign-in page was requested before the accounts were known.
    private var wantsSignIn = false
    /// Compositors do not place a window above one that has not been drawn, so a page waits for the first
    /// frame.
    private var firstFrame = FirstFrame.awaited(page: nil)

    private enum FirstFrame {
        case awaited(page: String?)
        case seen
    }

    init(in application: Application, _ conductor: Conductor, environment: [String: String]) {
        self.conductor = conductor
        interface = Interface(PackageResources.inbox_ui)
        root = interface["window"]
        (leaflet, stack) = (interface["leaflet"], interface["stack"])
        let toasts = interface["toasts"]
        surroundings = PageSurroundings(
            conductor: conductor, environment: environment,
            tell: { adw_toast_overlay_add_toast(toasts(), adw_toast_new($0)) },
            act: { [root] action, target in
                let target = target.flatMap { g_variant_new_string($0) }
                gtk_widget_activate_action_variant(root(), "win." + action, target)
            })
        let window = root
        let showPage: (String) -> Void = { [surroundings] in surroundings.act("page", $0) }
        list = ListPane(conductor, showPage: showPage)
        let links = LinkTarget(conductor, window)
        thread = ThreadPane(
            surroundings,
            pictures: PictureFiles(cacheDirectory: Paths(environment: environment).cacheDirectory),
            openLink: { links.open($0) })
        actions = WindowActions(of: root)
        gtk_window_set_application(root(), application.ref())
        adw_leaflet_append(leaflet(), list.root())
        adw_leaflet_append(leaflet(), thread.root())
        connect()
        conductor.stage = self
        conductor.add(self)
    }

    private func connect() {
        actions.connect(self)
        root.decide("close-request") { [unowned self] _ in !mayClose() }
        root.onChange(of: "is-active") { [unowned self] in note() }
        root.on("realize") { [unowned self] _ in
            Ref(gtk_native_get_surface(root())).onChange(of: "state") { [unowned self] in note() }
            Ref(gtk_widget_get_frame_clock(root())).on("after-paint") { [weak self] _ in self?.noteFrame() }
        }
        leaflet.onChange(of: "folded") { [unowned self] in note() }
        leaflet.onChange(of: "visible-child") { [unowned self] in note() }
        note()
        waitForMidnight()
        followZone()
    }

    private func noteFrame() {
        guard case .awaited(let page) = firstFrame else { return }
        firstFrame = .seen
        if let page { show(page: page) }
    }

    /// Reports to the state machine what the user sees.
    private func note() {
        let isFolded = adw_leaflet_get_folded(leaflet()) != 0
        thread.setAlone(isFolded)
        adw_header_bar_set_show_end_title_buttons(list.header(), isFolded ? 1 : 0)
        adw_header_bar_set_show_start_title_buttons(thread.header(), isFolded ? 1 : 0)
        let isThread = Ref(adw_leaflet_get_visible_child(leaflet())) == thread.root
        conductor.send(
            .window(isFocused: isInFront, showsThread: !isFolded || isThread))
    }

    /// Whether the window has the focus. Without a keyboard, as on a tablet, GTK considers no window active,
    /// but the compositor reports the focus.
    private var isInFront: Bool {
        if gtk_window_is_active(root()) != 0 { return true }
        guard let surface = gtk_native_get_surface(root()) else { return false }
        return gdk_toplevel_get_state(surface).rawValue & GDK_TOPLEVEL_STATE_FOCUSED.rawValue != 0
    }

    private func followZone() {
        zoneChanges = Task { [weak self] in
            for await _ in TimeZoneChanges.follow() {
                guard let self else { return }
                conductor.send(.dayChanged)
                waitForMidnight()
            }
        }
    }

    /// Formats all dates again at midnight: `Today` becomes `Yesterday`.
    private func waitForMidnight() {
        let left = LocalCalendar.secondsToMidnight
        midnight = Timer(after: .seconds(left)) { [unowned self] in
            conductor.send(.dayChanged)
            waitForMidnight()
        }
    }

    func input(_ input: Input) { conductor.send(input) }

    var reader: Reader { conductor.state.reader }

    /// Moves the focus to the composer.
    func write() {
        showThread()
        thread.composer.takeFocus()
    }

    /// Moves the focus to the composer as soon as the thread is loaded.
    func writeSoon() {
        wantsToWrite = true
    }

    func showList() { adw_leaflet_set_visible_child(leaflet(), list.root()) }

    func showThread() {
        // Next to the list, the focus must not move; the leaflet would move it to the menu of the thread.
        let focus = Ref(orNil: gtk_window_get_focus(root()))
        adw_leaflet_set_visible_child(leaflet(), thread.root())
        if adw_leaflet_get_folded(leaflet()) == 0, let focus { gtk_window_set_focus(root(), focus()) }
    }

    func startSearch() {
        showList()
        list.startSearch()
    }

    func send() { thread.composer.send() }

    func switchMode() { thread.composer.switchMode() }

    /// Moves from the thread to the list, which a narrow window then shows alone.
    func goBack() {
        showList()
        list.takeFocus()
    }

    func show(page id: String) {
        if id == PageKind.signIn.id, isSignInElsewhere() {
            if !wantsSignIn { replacePages(by: id) }
            return
        }
        if id == PageKind.setup, conductor.state.banner == .notConfigured {
            replacePages(by: id)
            return gtk_window_present(root())
        }
        if let open = pages[id] { return open.present() }
        if case .awaited = firstFrame { return firstFrame = .awaited(page: id) }
        guard let kind = PageKind.named(id) else { return }
        let page = PageWindow(kind, over: root, surroundings) { [unowned self] in pages[id] = nil }
        pages[id] = page
        page.present()
        replacePages(by: id)
    }

    /// Closes the other pages unless they contain unsaved work. Waits until the main loop is idle, because a
    /// button of such a page may have requested this page.
    private func replacePages(by id: String) {
        replacing = Timer(whenIdle: { [unowned self] in
            for (other, page) in pages where other != id && !page.isInUse { page.close() }
        })
    }

    /// Returns whether closing all windows would lose nothing. Otherwise the window that would lose something
    /// asks the user.
    func mayClose() -> Bool {
        conductor.send(.form(.close))
        if conductor.state.formView?.asksToDiscard == true { return false }
        guard pages.sorted(by: { $0.key < $1.key }).allSatisfy({ $0.value.mayClose() }) else { return false }
        guard let question = thread.closeQuestion else { return true }
        closeQuestion.ask(question, over: root)
        return false
    }

    /// Returns whether the main window shows the sign-in instead of the thread, or the accounts are not known
    /// yet.
    private func isSignInElsewhere() -> Bool {
        wantsSignIn = conductor.state.absence(of: .daemon)?.isLoading == true
        guard case .signedOut = conductor.state.threadView else { return wantsSignIn }
        showThread()
        return true
    }

    /// Fills in the values of a setup link if no account is configured.
    func setUp(_ appID: String, at address: APIAddress?) {
        guard conductor.state.banner == .notConfigured, showSetup(), let page = setup as? SetupPage else {
            return surroundings.tell(localized("Cuti-E is already set up. Nothing was changed."))
        }
        page.fill(appID, at: address)
    }

    /// Saves the thread as a text file.
    func save() {
        guard let text = conductor.state.threadText,
            case .messages(let head) = conductor.state.threadView
        else { return }
        guard FileChoice.isUsable else {
            return surroundings.tell(
                localized("The file dialog cannot be opened. Install the package libgtk-4-common."))
        }
        let name = head.title.split(whereSeparator: { "/\\:\0".contains($0) }).joined(separator: "-") + ".txt"
        FileChoice.save(text, as: name, over: root) { [surroundings] failure in
            surroundings.tell(
                failure.map { localized("Saving failed: {reason}", ["reason": $0]) }
                    ?? localized("Saved"))
        }
    }
}

// MARK: - Actions of the state machine

extension InboxWindow: Stage {
    func perform(_ action: InboxView.Action) {
        switch action {
        case .rows(let splice): list.apply(splice)
        case .row(let key): list.refresh(key)
        case .lines(let splice): thread.apply(splice)
        case .scroll(let line): thread.scroll(toLine: line)
        case .scrollToEnd: thread.scrollToEnd()
        case .present: showThread()
        case .tell(let sentence): surroundings.tell(sentence)
        case .announce(let text): root.announce(text)
        case .call, .startDaemon, .keepDraft, .attend, .deviceFacts: break
        }
    }
}

extension InboxWindow: Viewer {
    func render(_ state: InboxState) {
        list.render(state)
        thread.render(state, send: actions.send, save: actions.save)
        show(state)
        show(form: state.formView)
        actions.compose.isEnabled = state.canBegin
        actions.profile.isEnabled = !state.signInAccounts.isEmpty
        actions.home.isEnabled = !state.signInAccounts.isEmpty
        actions.statistics.isEnabled = !state.staffAccounts.isEmpty
        actions.resume.isEnabled = state.popups?.isPaused == true
        if wantsSignIn { show(page: PageKind.signIn.id) }
        if wantsToWrite, case .messages = state.threadView {
            wantsToWrite = false
            write()
        }
        let unread = state.unread ?? 0
        gtk_window_set_title(root(), unread > 0 ? "\(Product.title) (\(unread))" : Product.title)
    }

    private func show(form view: FormView?) {
        guard let view else {
            form?.destroy()
            form = nil
            return
        }
        let isNew = form == nil
        let shown = form ?? FormWindow(conductor, over: root)
        form = shown
        shown.render(view)
        if isNew { shown.present() }
    }

    /// Shows the inbox, the setup, or the state of the daemon.
    private func show(_ state: InboxState) {
        if state.banner == .notConfigured, showSetup() { return }
        if setup != nil {
            setup?.close()
            setup = nil
            adw_bin_set_child(interface["setup"](), nil)
        }
        let daemon = state.daemonView
        let isSpinning = daemon == .starting
        gtk_spinner_set_spinning(interface["daemon-spinner"](), isSpinning ? 1 : 0)
        interface["daemon-spinner"].isVisible = isSpinning
        actions.startDaemon.isEnabled = daemon != .starting
        switch daemon {
        case .connecting, .here, .went: gtk_stack_set_visible_child_name(stack(), "inbox")
        case .doesNotRun, .starting, .tooOld, .unusable:
            gtk_stack_set_visible_child_name(stack(), "daemon")
            if daemon != shownDaemon { show(daemon) }
        }
        shownDaemon = daemon
    }

    /// Shows the setup page. Returns `false` if the program has none.
    private func showSetup() -> Bool {
        guard setup == nil, let kind = PageKind.named(PageKind.setup) else { return setup != nil }
        let page = kind.make(surroundings)
        setup = page
        adw_bin_set_child(interface["setup"](), page.root())
        conductor.add(page)
        gtk_stack_set_visible_child_name(stack(), "setup")
        return true
    }

    private func show(_ daemon: DaemonView) {
        let (icon, title, sentence): (String, String, String) =
            switch daemon {
            case .starting: ("", localized("Starting…"), "")
            case .tooOld(let sentence):
                ("software-update-available-symbolic", localized("Restart Cuti-E"), sentence)
            case .unusable(let sentence):
                ("dialog-warning-symbolic", localized("Cuti-E Does Not Respond"), sentence)
            case .doesNotRun(let sentence):
                (
                    "mail-unread-symbolic", localized("Cuti-E Is Not Running"),
                    sentence ?? localized("Cuti-E receives new messages in the background.")
                )
            case .connecting, .here, .went: ("", "", "")
            }
        let page = interface["daemon-page"]
        adw_status_page_set_icon_name(page(), icon.isEmpty ? nil : icon)
        adw_status_page_set_title(page(), title)
        adw_status_page_set_description(page(), TextRun.markup(of: [TextRun(sentence)]))
        let canStart = if case .doesNotRun = daemon { true } else { false }
        interface["start"].isVisible = canStart
        if canStart { interface["start"].takeFocus() }
    }
}
