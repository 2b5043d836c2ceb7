public import Domain
import Localization

extension InboxView {
    /// The title in the menu of views.
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
