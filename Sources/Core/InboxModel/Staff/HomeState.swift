public import ControlAPI
import Localization

/// The start page for users who sign in, as a state machine. The page shows a greeting, and the number of
/// open tasks of each account.
public struct HomeState: PageMachine {
    public enum Input: PageInput, Hashable {
        /// The accounts, the local hour, or the number of unread messages changed.
        case show([AccountView], hour: Int, unread: Int? = nil)
        case answered(Call, CallReply)
        case failed(Call, CallFailure)
    }

    public enum Call: Hashable, Sendable {
        /// Requests the session of an account.
        case session(account: String)
        case services
        /// Requests the number of open tasks for each account.
        case counts
    }

    public enum CallReply: Hashable, Sendable {
        case session(SessionView)
        case services([ServiceView])
        case counts([AccountView])
    }

    /// An account and the number of its open tasks.
    public struct Row: Hashable, Sendable {
        public var account: String
        public var title: String
        public var subtitle: String
        /// The number of open tasks, shown as a badge; `nil` if unknown.
        public var count: Int?
        public var isSignedOut: Bool
    }

    public private(set) var rows: [Row] = []
    /// The number of services for which the daemon has a token; `nil` if unknown.
    public private(set) var authorizedServices: Int?
    private var names: [String: String] = [:]
    private var accounts: [AccountView] = []
    private var hour = 0
    /// The number of open tasks by account. These numbers are more recent than those in `accounts`.
    private var counts: [String: Int?] = [:]
    private var unread: Int?

    public init() {}

    public mutating func handle(_ input: Input) -> [PageAction<Call, Never>] {
        switch input {
        case .show(let now, let hour, let unread):
            // Request the user's name for each new session, because another user may have signed in.
            let asked = now.filter { view in
                view.kind != .device && view.auth == .authenticated
                    && !accounts.contains { $0.name == view.name && $0.auth == view.auth }
            }
            // List the services again if an account or its session changed, because the services depend on
            // the session.
            let isOther = now.map(\.name) != accounts.map(\.name) || now.map(\.auth) != accounts.map(\.auth)
            let isCounted = unread == self.unread || self.unread == nil
            (accounts, self.hour, self.unread) = (now, hour, unread)
            rows = now.map(row)
            return asked.map { .call(.session(account: $0.name)) } + (isOther ? [.call(.services)] : [])
                + (isCounted ? [] : [.call(.counts)])
        case .answered(.session(let account), .session(let session)):
            names[account] = session.name ?? session.email
        case .answered(_, .services(let services)):
            authorizedServices = services.count(where: \.authorized)
        case .answered(_, .counts(let views)):
            counts = Dictionary(views.map { ($0.name, $0.badge.total) }) { first, _ in first }
            rows = accounts.map(row)
        case .failed(.session(let account), _): names[account] = nil
        case .failed(.services, _): authorizedServices = nil
        case .failed(.counts, _), .answered: break
        }
        return []
    }

    /// A sentence for the user about the number of authorized services; `nil` if the number is unknown.
    public var servicesSentence: String? {
        authorizedServices.map { count in
            count == 0
                ? localized("This computer has no access to services yet.")
                : localized(
                    one: "This computer has access to {count} service.",
                    other: "This computer has access to {count} services.",
                    count: count)
        }
    }

    public var greeting: String {
        let signedIn = accounts.first { $0.auth == .authenticated && names[$0.name] != nil }
        let name = signedIn.flatMap { names[$0.name] }.map { plainLine($0, limit: 60) }
        switch (hour, name) {
        case (5..<12, let name?): return localized("Good morning, {name}", ["name": name])
        case (5..<12, nil): return localized("Good morning")
        case (12..<18, let name?): return localized("Good afternoon, {name}", ["name": name])
        case (12..<18, nil): return localized("Good afternoon")
        case (_, let name?): return localized("Good evening, {name}", ["name": name])
        case (_, nil): return localized("Good evening")
        }
    }

    private func row(for view: AccountView) -> Row {
        var view = view
        if let count = counts[view.name] { view.badge.total = count }
        let isSignedOut = view.kind != .device && view.auth == .unauthenticated
        return Row(
            account: view.name, title: plainLine(view.title ?? view.name, limit: 80),
            subtitle: isSignedOut ? localized("You are not signed in.") : Self.subtitle(for: view),
            count: view.kind == .identity || isSignedOut ? nil : view.badge.total, isSignedOut: isSignedOut)
    }

    private static func subtitle(for view: AccountView) -> String {
        switch (view.kind, view.badge.total) {
        case (.identity, _): localized("You are signed in.")
        case (_, nil): localized("Not loaded yet.")
        case (_, 0): localized("You are up to date.")
        case (.staff, let count?):
            localized(
                one: "{count} conversation is waiting for a reply.",
                other: "{count} conversations are waiting for a reply.", count: count)
        case (.device, let count?):
            localized(one: "{count} new reply.", other: "{count} new replies.", count: count)
        }
    }
}

extension InboxState {
    /// The accounts in the latest status.
    public var accountViews: [AccountView] { status?.accounts ?? [] }
    /// The local hour, 0 to 23.
    public var hour: Int { calendar.dateFields(at: now).hour }
}
