/// The entries of the main menu above the fixed ones, which are the settings, the shortcuts and the about
/// window. There are at most eight entries in all, because a longer menu is not read.
public struct MainMenu: Hashable, Sendable {
    public enum Entry: Hashable, Sendable {
        /// A page, by its ID.
        case page(String)
        /// A submenu with the pages of accounts that sign in.
        case staff([String])
        case resume
    }

    public let entries: [Entry]

    public init(_ state: InboxState) {
        let needsSignIn = !state.signInAccounts.isEmpty
        let hasOutbox = !state.outbox.isEmpty
        var entries: [Entry] = []
        if hasOutbox, !needsSignIn { entries.append(.page("outbox")) }
        // Before the accounts are known, most readers are users.
        if state.accounts.isEmpty || !state.deviceAccounts.isEmpty {
            entries += [.page("devices"), .page("hand-over")]
        }
        entries.append(.page("apps"))
        if needsSignIn {
            let statistics = state.staffAccounts.isEmpty ? [] : ["statistics"]
            entries.append(
                .staff(["home"] + statistics + ["sign-in"] + (hasOutbox ? ["outbox"] : [])))
        }
        entries.append(state.notificationStatus?.isPaused == true ? .resume : .page("pause"))
        self.entries = entries
    }
}
