import CSystemd
import Glibc
import Platform
import Runtime

/// The lock state of the user's graphical session, as reported by logind.
///
/// The state is queried on demand, because some versions of libsystemd do not report changes. The query runs
/// the program `loginctl`, so that this process needs no connection to the system bus.
public struct ScreenLock: Sendable {
    private let environment: [String: String]
    private let display = DisplaySession()

    /// Creates a query for the session of an environment.
    ///
    /// - Parameter environment: must contain `PATH`, and `XDG_SESSION_ID` if the program was started in a
    ///   session.
    public init(environment: [String: String]) {
        self.environment = environment.merging(["LC_ALL": "C"]) { $1 }
    }

    /// The time limit of `loginctl`, which normally takes 5 ms. A notification waits for the result, and the
    /// system bus may not respond. A shorter limit could show the text on a locked screen of a busy computer.
    private static let limit: Duration = .seconds(5)

    /// The ID of the user's graphical session, otherwise the ID in `XDG_SESSION_ID`; `nil` if there is
    /// neither.
    public var session: String? {
        display.id ?? environment["XDG_SESSION_ID"].flatMap(DisplaySession.validatedID)
    }

    /// Returns whether the screen is locked; `nil` if unknown.
    public func queryLockState() async -> Bool? {
        guard let session else { return nil }
        let answer = await Launcher.captureOutput(
            of: ["loginctl", "show-session", session, "-p", "LockedHint", "--value"],
            environment: environment, within: Self.limit)
        return switch answer {
        case "yes\n": true
        case "no\n": false
        default: nil
        }
    }
}

/// The user's graphical session. Its ID is read again only after logind has reported a change, because each
/// notification waits for the ID.
private final class DisplaySession: Sendable {
    private struct State {
        /// `nil` if changes cannot be detected. The ID is then read for each notification.
        let changes = csystemd_user_changes_new()
        var isRead = false
        var id: String?
    }

    private let state = Locked(State())

    deinit { state.withLock { csystemd_user_changes_free($0.changes) } }

    /// The ID of the session; `nil` if there is no graphical session.
    var id: String? {
        state.withLock { state in
            // Empty the queue before reading the ID, so that a change during the reading is not missed.
            let isCurrent = state.changes.map { !csystemd_user_changes_take($0) } ?? false
            if !(isCurrent && state.isRead) { (state.id, state.isRead) = (Self.readID(), true) }
            return state.id
        }
    }

    private static func readID() -> String? {
        var id = [CChar](repeating: 0, count: 64)
        guard csystemd_find_display(getuid(), &id, id.count) == 0 else { return nil }
        return validatedID(
            String(decoding: id.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Returns the ID; `nil` if the ID contains characters other than ASCII letters and digits. `loginctl`
    /// could interpret such an ID as an option.
    static func validatedID(_ id: String) -> String? {
        let letters = [UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z")]
        let isPlain = id.lowercased().utf8.allSatisfy { byte in letters.contains { $0.contains(byte) } }
        return isPlain && !id.isEmpty ? id : nil
    }
}
