import CSystemd
import Glibc
import Platform

/// The lock state of the user's graphical session, as reported by logind.
///
/// The state is queried on demand, because not all versions of libsystemd report changes, and with
/// `loginctl`, so that this process needs no connection to the system bus.
public struct ScreenLock: Sendable {
    private let environment: [String: String]

    /// - Parameter environment: must contain `PATH`, and `XDG_SESSION_ID` if the program was started in a
    ///   session.
    public init(environment: [String: String]) {
        self.environment = environment.merging(["LC_ALL": "C"]) { $1 }
    }

    /// The timeout of `loginctl`, which normally takes 5 ms. A notification must not wait longer for a
    /// hanging system bus.
    private static let limit: Duration = .milliseconds(100)

    /// The ID of the graphical session; `nil` if there is none or logind is not running.
    public var session: String? { display ?? environment["XDG_SESSION_ID"].flatMap(Self.validatedSessionID) }

    private var display: String? {
        var id = [CChar](repeating: 0, count: 64)
        guard csystemd_find_display(getuid(), &id, id.count) == 0 else { return nil }
        return Self.validatedSessionID(
            String(decoding: id.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Returns the ID; `nil` if `loginctl` could mistake it for an option.
    private static func validatedSessionID(_ id: String) -> String? {
        let letters = [UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z")]
        let isPlain = id.lowercased().utf8.allSatisfy { byte in letters.contains { $0.contains(byte) } }
        return isPlain && !id.isEmpty ? id : nil
    }

    /// Returns whether the screen is locked; `nil` if unknown.
    public func isLocked() async -> Bool? {
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
