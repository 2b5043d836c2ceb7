public import Domain
import Localization

extension InboxView {
    /// The title of the view in the window's menu.
    public var title: String {
        switch self {
        case .mine: localized("Mine", context: "view")
        case .unassigned: localized("Unassigned")
        case .waiting: localized("Waiting for Support")
        case .open: localized("All Open")
        case .snoozed: localized("Snoozed")
        }
    }
}
