import Accounts
import Attention
import Desktop
import Localization
import Log
import Screen

/// Tells once, by pop-up, that a sign-in has ended by itself: nothing comes before the person signs in again.
struct SignInNotice {
    let accounts: Accounts
    let screen: Screen
    let attention: Attention
    /// Each end is an entry of the log.
    let head: Head
    let surroundings: Surroundings

    func run() async throws {
        let changes = Signal()
        for signal in [head.moves, screen.changes, attention.changes, accounts.changes] {
            changes.follow(signal)
        }
        while true {
            let seen = changes.count
            let wait = try await tell()
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// Returns how long to wait at most: pauses and quiet hours end.
    func tell() async throws -> Duration? {
        let ended = accounts.units.filter { $0.signIn?.session.isToBeTold == true }
        guard !ended.isEmpty else { return nil }
        let verdict = attention.policy.verdictOnNotice(now: surroundings.moment)
        switch verdict {
        case .never: return nil
        case .hold(_, let until): return until.map(surroundings.wait(until:))
        case .show: break
        }
        for unit in ended where await screen.tell(popup(about: unit)) {
            try unit.signIn?.session.setTold()
        }
        return nil
    }

    private func popup(about unit: AccountUnit) -> Popup {
        let name = unit.account.name
        var popup = Popup.notice(
            localized("Sign in again"),
            localized(
                "Nothing comes for {account} before that. Type in a terminal: {command}",
                ["account": name, "command": "cutied ctl signin --account \(name)"]),
            category: "im.error")
        popup.stackTag = "cutied-sign-in-\(name)"
        popup.expireMilliseconds = 0
        return popup
    }
}
