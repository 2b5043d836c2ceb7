import CutieAPI
import Gtk
import InboxModel
import Libadwaita
import Localization

// MARK: - Pages and dialogs above the window

extension InboxWindow {
    func showPage(withID id: String) {
        if id == PageKind.signIn.id, showSignInInMainWindow() {
            if !wantsSignIn { closePages(exceptID: id) }
            return
        }
        if id == PageKind.setup, controller.state.banner == .notConfigured {
            closePages(exceptID: id)
            return gtk_window_present(root())
        }
        if let open = pages[id] { return open.present() }
        if case .awaited = firstFrame { return firstFrame = .awaited(page: id) }
        guard let kind = PageKind.find(withID: id) else { return }
        let page = PageWindow(kind, over: root, context: context) { [unowned self] in pages[id] = nil }
        pages[id] = page
        page.present()
        closePages(exceptID: id)
    }

    /// Closes the other pages unless they contain unsaved work. Waits until the main loop is idle, because
    /// the current event may come from a button of one of these pages.
    private func closePages(exceptID id: String) {
        pageTimer = Timer(whenIdle: { [unowned self] in
            for (other, page) in pages where other != id && !page.isInUse { page.close() }
        })
    }

    /// Returns whether all windows can be closed without losing unsaved work. If not, the window with the
    /// unsaved work asks the user.
    func prepareToClose() -> Bool {
        controller.send(.form(.close))
        if controller.state.formView?.asksToDiscard == true { return false }
        guard pages.sorted(by: { $0.key < $1.key }).allSatisfy({ $0.value.prepareToClose() }) else {
            return false
        }
        guard let question = unsavedWork else { return true }
        closeQuestion.askToConfirmClosing(with: question, over: root)
        return false
    }

    /// The question to ask before this window is closed; `nil` if nothing would be lost.
    var unsavedWork: Confirmation? { setup?.closeQuestion ?? thread.closeQuestion }

    /// If the conversation pane shows the sign-in page, brings the pane into view. Returns whether no
    /// separate page is needed: the main window shows the sign-in page, or the accounts are not loaded yet.
    private func showSignInInMainWindow() -> Bool {
        wantsSignIn = controller.state.placeholder(for: .daemon)?.isLoading == true
        guard case .signedOut = controller.state.threadView else { return wantsSignIn }
        showThread()
        return true
    }

    /// Shows the setup page with the values of a setup link if no account is configured; otherwise shows
    /// a message. Keeps the
    /// values for later while the accounts are loading.
    func showSetup(forAppID appID: String, apiAddress address: APIAddress?) {
        if controller.state.placeholder(for: .account)?.isLoading == true {
            pendingSetup = (appID, address)
            return
        }
        guard controller.state.banner == .notConfigured, showSetup(), let page = setup as? SetupPage else {
            return context.showToast(localized("Cuti-E is already set up. Nothing was changed."))
        }
        page.fillInAppID(appID, apiAddress: address)
    }

    /// Asks the user whether to add the app of a link. If the daemon was never set up, shows the link on the
    /// setup page instead, because the daemon must not start before the user agrees.
    func askToAddApp(withToken token: FeedbackToken, apiAddress api: APIAddress?) {
        guard controller.state.banner == .notConfigured, controller.state.daemonView != .ready, showSetup(),
            let page = setup as? SetupPage
        else {
            return AppHandOverDialog(controller, window: root).askToAddApp(withToken: token, apiAddress: api)
        }
        page.fillInLink(DeepLink.app(token, api: api))
    }

    /// Asks for a file name and saves the conversation as a text file.
    func saveThread() {
        guard let text = controller.state.threadText,
            case .messages(let head) = controller.state.threadView
        else { return }
        guard SaveDialog.isUsable else {
            return context.showToast(
                localized("The file dialog cannot be opened. Install the package libgtk-4-common."))
        }
        let name = head.title.split(whereSeparator: { "/\\:\0".contains($0) }).joined(separator: "-") + ".txt"
        SaveDialog.save(text, suggestedName: name, parent: root) { [context] failure in
            context.showToast(
                failure.map { localized("The conversation could not be saved: {reason}", ["reason": $0]) }
                    ?? localized("Saved"))
        }
    }
}
