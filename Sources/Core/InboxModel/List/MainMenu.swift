/// The entries of the main menu that depend on the state. Three fixed entries follow: settings, shortcuts and
/// the about window. A menu has at most eight entries in total, because users do not read longer menus.
public struct MainMenu: Hashable, Sendable {
    public enum Entry: Hashable, Sendable {
        /// An entry that opens the page with this ID.
        case page(String)
        /// A submenu with the pages for accounts that require a sign-in.
        case staff([String])
        case resume
    }

    public let entries: [Entry]

    public init(_ state: InboxState) {
        let needsSignIn = !state.signInAccounts.isEmpty
        let hasOutbox = !state.outbox.isEmpty
        var entries: [Entry] = []
        if hasOutbox, !needsSignIn { entries.append(.page("outbox")) }
        // Until the accounts are known, assume that the user is a user of apps, not support staff.
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
