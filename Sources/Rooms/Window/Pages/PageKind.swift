import InboxView

/// A page that can be shown by its name: `win.page` with it as the target.
///
/// To add one: a file with a class that is a `Page` and an `extension PageKind` that makes it, and its line in
/// `all`.
public struct PageKind {
    let id: String
    /// Of its window.
    let title: String
    /// With a mnemonic; nil: the menu does not offer it.
    let menuTitle: String?
    /// The state that the page needs to show something.
    let requirement: PageRequirement
    let make: (PageSurroundings) -> any Page

    init(
        id: String, title: String, menuTitle: String?, needs requirement: PageRequirement,
        make: @escaping (PageSurroundings) -> any Page
    ) {
        (self.id, self.title, self.menuTitle) = (id, title, menuTitle)
        (self.requirement, self.make) = (requirement, make)
    }

    /// In the order of the menu. Texts are made when they are asked for: the language is known then.
    static var all: [PageKind] {
        [
            .questions, .outbox, .devices, .handOver, .apps, .pause, .settings, .setUp, .addAccount,
            .signIn, .home, .statistics, .canned,
        ]
    }

    /// The one that stands in the window itself as long as nothing is set up.
    static let setup = "setup"

    static func named(_ id: String) -> PageKind? { all.first { $0.id == id } }
}
