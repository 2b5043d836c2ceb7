import InboxModel

/// A page that the action `win.page` shows by its ID.
///
/// To add a page, create a file with a class that conforms to `Page` and an `extension PageKind` that creates
/// the class, and add the page to `all`.
public struct PageKind {
    let id: String
    /// The title of the window.
    let title: String
    /// The label in the menu, with a mnemonic; `nil` if the page is not in the menu.
    let menuTitle: String?
    /// The state that must be loaded before the page can show its content.
    let requirement: PageRequirement
    let make: (PageContext) -> any Page

    init(
        id: String, title: String, menuTitle: String?, needs requirement: PageRequirement,
        make: @escaping (PageContext) -> any Page
    ) {
        (self.id, self.title, self.menuTitle) = (id, title, menuTitle)
        (self.requirement, self.make) = (requirement, make)
    }

    /// All pages. This property is computed, because the language is not known when static properties are
    /// initialized.
    static var all: [PageKind] {
        [
            .questions, .outbox, .devices, .handOver, .apps, .pause, .settings, .setUp, .addAccount,
            .signIn, .home, .statistics, .canned,
        ]
    }

    /// The ID of the page that the main window shows while no account is configured.
    static let setup = "setup"

    static func find(withID id: String) -> PageKind? { all.first { $0.id == id } }
}
