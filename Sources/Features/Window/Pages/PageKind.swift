import InboxModel

/// A page that can be shown by name, with the action `win.page`.
///
/// To add a page, create a file with a class that conforms to `Page` and an `extension PageKind` that creates
/// it, and add it to `all`.
public struct PageKind {
    let id: String
    /// The window title.
    let title: String
    /// The menu label with a mnemonic; `nil` if no menu lists the page.
    let menuTitle: String?
    /// The state that the page needs before it can show its content.
    let requirement: PageRequirement
    let make: (PageContext) -> any Page

    init(
        id: String, title: String, menuTitle: String?, needs requirement: PageRequirement,
        make: @escaping (PageContext) -> any Page
    ) {
        (self.id, self.title, self.menuTitle) = (id, title, menuTitle)
        (self.requirement, self.make) = (requirement, make)
    }

    /// All pages. Computed, because the language is not known when static properties are
    /// initialized.
    static var all: [PageKind] {
        [
            .questions, .outbox, .devices, .handOver, .apps, .pause, .settings, .setUp, .addAccount,
            .signIn, .home, .statistics, .canned,
        ]
    }

    /// The page that the main window itself shows while no account is configured.
    static let setup = "setup"

    static func named(_ id: String) -> PageKind? { all.first { $0.id == id } }
}
