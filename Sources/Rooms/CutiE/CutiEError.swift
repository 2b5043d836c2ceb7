import AccessAPI
public import FoundationEssentials
import Varlink
import VarlinkSocket

/// Why something could not be done. Next to these, what waits throws `CancellationError` where its task is cancelled.
public enum CutiEError: Error, Sendable {
    /// ``CutiE/configure(appId:apiURL:appName:bundleId:)-method`` was not called, or the person took the app's access back.
    case notConfigured
    /// The API refused the App ID, or the account that came of it.
    case invalidAPIKey
    /// cutied, or the API behind it, cannot be reached: a ``ConnectionProblem`` that says what to do.
    case networkError(any Error)
    /// It was refused, with an HTTP status and a sentence: 403 the person said no, 404 there is no such conversation, 409 it is
    /// closed, 429 too many calls, 500 cutied could not do it, 501 not offered here; any other is the API's.
    case serverError(Int, String)
    /// The answer makes no sense here: cutied and this library are of versions that do not fit.
    case decodingError(String?)
    /// A parameter cannot be used: empty, too long (a message has at most 1 MiB, everything else 1 KiB), or an address that is
    /// neither https nor loopback.
    case invalidRequest
    /// Never thrown here: nothing is pushed to a desktop. It is among the cases so that a `switch` of the SDK's compiles.
    case invalidPushToken(String)
}

/// cutied, or what is behind it, cannot be reached.
public struct ConnectionProblem: Error, Hashable, Sendable {
    /// A sentence: what is wrong and, behind a semicolon, what to do.
    public let reason: String
    /// Whether a daemon that starts ends it.
    let mayHeal: Bool

    init(reason: String, mayHeal: Bool = false) { (self.reason, self.mayHeal) = (reason, mayHeal) }
}

extension CutiEError {
    /// What `error` of a call to the socket at `path` is for an app. A cancellation stays one.
    static func of(_ error: any Error, path: String) -> any Error {
        switch error {
        case is CutiEError, is CancellationError: error
        case let fault as any AccessFault: CutiEError(fault)
        case let failure as SocketFailure:
            CutiEError.networkError(ConnectionProblem(failure, path: path))
        case is MethodNotFound, is MethodNotImplemented, is InterfaceNotFound, is InvalidParameter:
            CutiEError.decodingError("cutied is older than this library: \(error)")
        default: CutiEError.decodingError("\(error)")
        }
    }

    private init(_ fault: any AccessFault) {
        self =
            switch fault {
            case is NotConfigured: .notConfigured
            case is NotAuthorized: .invalidAPIKey
            case is InvalidArgument: .invalidRequest
            case let fault as Offline: .networkError(ConnectionProblem(reason: fault.reason))
            case let fault as ServerError: .serverError(fault.status, fault.reason)
            case let fault as Refused: .serverError(fault.status, fault.reason)
            case let fault as NotAllowed: .serverError(403, fault.reason)
            case let fault as NotFound: .serverError(404, "there is no \(fault.what) \(fault.id)")
            case let fault as Closed: .serverError(409, "\(fault.conversation) is \(fault.status)")
            case let fault as TooManyRequests: .serverError(429, fault.reason)
            case let fault as NotOffered: .serverError(501, fault.reason)
            case let fault as Failed: .serverError(500, fault.reason)
            default: .decodingError("\(fault)")
            }
    }
}

extension ConnectionProblem {
    init(_ failure: SocketFailure, path: String) {
        switch failure {
        case .notRunning:
            self.init(
                reason:
                    "cutied does not run: nobody listens at \(path); install the package cutied, and start it with "
                    + "`systemctl --user enable --now cutied-access.socket cutied` "
                    + "(a Flatpak also needs `--filesystem=xdg-run/cutied/access`)", mayHeal: true)
        case .notPermitted:
            self.init(
                reason: "this app may not open \(path); in a sandbox, let it reach that directory "
                    + "(of a Flatpak `--filesystem=xdg-run/cutied/access`)")
        case .peerGone:
            self.init(reason: "cutied went away before it answered; try again", mayHeal: true)
        case .timedOut:
            self.init(reason: "cutied did not answer in time; try again", mayHeal: true)
        default: self.init(reason: failure.description)
        }
    }
}

extension ConnectionProblem: CustomStringConvertible, LocalizedError {
    /// The sentence.
    public var description: String { reason }
    /// The sentence.
    public var errorDescription: String? { reason }
}

extension CutiEError: CustomStringConvertible, LocalizedError {
    /// A sentence for the app's makers: what is wrong and what to do.
    public var description: String {
        switch self {
        case .notConfigured: "the app is not configured; call CutiE.shared.configure(appId:) first"
        case .invalidAPIKey: "the API refused the App ID; see whether it is the one of the dashboard"
        case .networkError(let error): "\(error)"
        case .serverError(let status, let reason): "\(reason) (\(status))"
        case .decodingError(let reason): "the answer makes no sense" + (reason.map { ": " + $0 } ?? "")
        case .invalidRequest: "a parameter is empty, too long, or no address that may be used"
        case .invalidPushToken(let reason): "the push token cannot be used: \(reason)"
        }
    }

    /// The same sentence.
    public var errorDescription: String? { description }
}
