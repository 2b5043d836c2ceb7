import Domain
import FoundationEssentials
import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText
import Platform

extension InboxWindow: WindowPresenter {
    func perform(_ action: InboxModel.Action) {
        switch action {
        case .rows(let splice): list.applySplice(splice)
        case .row(let key): list.refreshRow(for: key)
        case .lines(let splice): thread.applySplice(splice)
        case .scroll(let line): thread.scroll(toLine: line)
        case .scrollToEnd: thread.scrollToEnd()
        case .presentWindow: showThread()
        case .focusComposer: focusComposerWhenLoaded()
        case .closeSearch: list.closeSearch()
        case .showToast(let sentence): context.showToast(sentence)
        case .offerUndo(let sentence): showUndoToast(sentence)
        case .askToSend(let sentence): askToConfirmSending(explanation: sentence)
        case .announceToScreenReader(let text): root.announceToScreenReader(text)
        case .call, .startDaemon, .saveDraft, .attend, .deviceFacts: break
        }
    }
}

extension InboxWindow {
    private static func makeIdempotencyKey() -> String { UUID().uuidString.lowercased() }

    private func showUndoToast(_ message: String) {
        let toast = Ref(adw_toast_new(message))
        adw_toast_set_button_label(toast(), localized("Undo"))
        adw_toast_set_timeout(toast(), 10)
        toast.on("button-clicked") { [weak controller] _ in
            controller?.send(.staff(.undo(key: Self.makeIdempotencyKey())))
        }
        adw_toast_overlay_add_toast(interface["toasts"](), toast())
    }

    private func askToConfirmSending(explanation text: String) {
        Confirmation(
            title: localized("Send Another Reply?"), sentence: text,
            action: localized("_Send Anyway")
        ).present(over: root) { [weak controller] isWanted in
            if isWanted { controller?.send(.sendAnyway(key: Self.makeIdempotencyKey())) }
        }
    }

    func performStaffAction(_ action: StaffAction) {
        controller.send(.staff(.change(action, key: Self.makeIdempotencyKey())))
    }

    func resolveConversation() { controller.send(.staff(.resolve(key: Self.makeIdempotencyKey()))) }

    func sendAndResolve() {
        controller.send(
            .staff(.sendAndResolve(key: Self.makeIdempotencyKey(), resolution: Self.makeIdempotencyKey())))
    }

    /// Selects a view of support staff by its raw value, or deselects it if it is already selected.
    func toggleView(named name: String) {
        guard let view = InboxView(rawValue: name) else { return }
        var filter = controller.state.filter
        filter.view = filter.view == view ? nil : view
        let wasInList = Ref(orNil: gtk_window_get_focus(root())).map(list.contains) ?? false
        controller.send(.filter(filter))
        // Keep the focus in the list: if the focused row disappears, GTK focuses the first button of the
        // window.
        if wasInList { list.grabFocus() }
    }
}

extension InboxWindow: Viewer {
    func render(_ state: InboxState) {
        list.render(state)
        thread.render(state, sendAction: actions.send, saveAction: actions.save)
        showContent(for: state)
        showOrCloseForm(state.formView)
        actions.compose.isEnabled = state.canStartConversation
        actions.resume.isEnabled = state.notificationStatus?.isPaused == true
        let details: ThreadDetails? =
            if case .messages(let details) = state.threadView { details } else { nil }
        actions.markUnread.isEnabled = details != nil
        actions.mute.isEnabled = details?.isMuted == false
        actions.unmute.isEnabled = details?.isMuted == true
        actions.snooze.isEnabled = details?.isSnoozed == false && details?.hasEnded == false
        actions.unsnooze.isEnabled = details?.isSnoozed == true
        actions.updateStaffActions(isStaff: !state.staffAccounts.isEmpty, hasThread: details?.staff != nil)
        if wantsSignIn { showPage(withID: PageKind.signIn.id) }
        if let (appID, address) = pendingSetup, state.placeholder(for: .account)?.isLoading != true {
            pendingSetup = nil
            showSetup(forAppID: appID, apiAddress: address)
        }
        if focusesComposer, case .messages = state.threadView {
            focusesComposer = false
            focusComposer()
        }
        closeQuestion.closeDialog(unlessNeededFor: unsavedWork)
        let unread = state.unread ?? 0
        gtk_window_set_title(root(), unread > 0 ? "\(Product.title) (\(unread))" : Product.title)
    }

    private func showOrCloseForm(_ view: FormView?) {
        guard let view else {
            form?.destroy()
            form = nil
            return
        }
        let isNew = form == nil
        let shown = form ?? FormWindow(controller, over: root)
        form = shown
        shown.render(view)
        if isNew { shown.present() }
    }

    /// Shows the inbox, the setup page, or the state of a daemon that is not available. Closes a setup page
    /// that is no longer needed.
    private func showContent(for state: InboxState) {
        if state.banner == .notConfigured, showSetup() { return }
        // Leave the setup page without a transition, which would first show the page without its content.
        let transition =
            setup == nil ? GTK_STACK_TRANSITION_TYPE_CROSSFADE : GTK_STACK_TRANSITION_TYPE_NONE
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
        case .connecting, .ready, .disconnected:
            gtk_stack_set_visible_child_full(stack(), "inbox", transition)
        case .notRunning, .starting, .tooOld, .unusable:
            gtk_stack_set_visible_child_full(stack(), "daemon", transition)
            if daemon != shownDaemon { showDaemonState(daemon) }
        }
        shownDaemon = daemon
    }

    /// Shows the setup page. Returns `false` if the page does not exist.
    func showSetup() -> Bool {
        guard setup == nil, let kind = PageKind.find(withID: PageKind.setup) else { return setup != nil }
        let page = kind.make(context)
        setup = page
        adw_bin_set_child(interface["setup"](), page.root())
        controller.addView(page)
        // Show the page without a transition: a crossfade would also show the spinner and the banner of the
        // inbox.
        gtk_stack_set_visible_child_full(stack(), "setup", GTK_STACK_TRANSITION_TYPE_NONE)
        return true
    }

    private func showDaemonState(_ daemon: DaemonView) {
        let (icon, title, sentence): (String, String, String) =
            switch daemon {
            case .starting: ("", localized("Starting…"), "")
            case .tooOld(let sentence):
                ("view-refresh-symbolic", localized("Restart Cuti-E"), sentence)
            case .unusable(let sentence):
                ("dialog-warning-symbolic", localized("Cuti-E Is Not Responding"), sentence)
            case .notRunning(let sentence):
                (
                    "conversation-symbolic", localized("Cuti-E Is Not Running"),
                    sentence ?? localized("Cuti-E receives new messages in the background.")
                )
            case .connecting, .ready, .disconnected: ("", "", "")
            }
        let page = interface["daemon-page"]
        adw_status_page_set_icon_name(page(), icon.isEmpty ? nil : icon)
        adw_status_page_set_title(page(), title)
        adw_status_page_set_description(page(), TextRun.markup(of: [TextRun(sentence)]))
        let canStart = if case .notRunning = daemon { true } else { false }
        interface["start"].isVisible = canStart
        if canStart { interface["start"].grabFocus() }
    }
}
