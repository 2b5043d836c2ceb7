import AccessAPI
public import FoundationEssentials
import Varlink
import VarlinkSocket

/// An error of the library. Asynchronous methods also throw `CancellationError` if their task is cancelled.
public enum CutiEError: Error, Sendable {
    /// ``CutiE/configure(appId:apiURL:useAppAttest:deviceContext:)-method`` was not called, or the user
    /// revoked the app's access.
    case notConfigured
    /// The API rejected the App ID, or the account that was created for it.
    case invalidAPIKey
    /// cutied or the API is not reachable. The associated value is a ``ConnectionProblem``, whose `reason`
    /// contains advice.
    case networkError(any Error)
    /// The call was rejected, with an HTTP status and a message. 403: the user refused. 404: the conversation
    /// does not exist. 408: the user did not answer a question in time. 409: the conversation is closed. 429:
    /// too many calls. 500: cutied failed. 501: not supported. Any other status is the API's response.
    case serverError(Int, String)
    /// The reply cannot be decoded: cutied and this library have incompatible versions.
    case decodingError(String? = nil)
    /// A parameter is empty or too long (more than 1 MiB for a message, 1 KiB for any other parameter), or is
    /// an address that is neither https nor loopback.
    case invalidRequest
    /// The token of a push service is invalid, for the given reason.
    case invalidPushToken(String)
}

/// The reason why cutied or the API cannot be reached.
public struct ConnectionProblem: Error, Hashable, Sendable {
    /// A message for the user, with advice after a semicolon.
    public let reason: String
    /// Whether a call may succeed after the daemon has started.
    let isTemporary: Bool

    init(reason: String, isTemporary: Bool = false) {
        (self.reason, self.isTemporary) = (reason, isTemporary)
    }
}

extension CutiEError {
    /// Converts an error of a call to the socket at `path`. Cancellations are not converted.
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
            case let fault as InvalidArgument: .invalid(fault)
            case let fault as Offline: .networkError(ConnectionProblem(reason: fault.reason))
            case let fault as ServerError: .serverError(fault.status, fault.reason)
            case let fault as Refused: .serverError(fault.status, fault.reason)
            case let fault as NotAllowed: .serverError(fault.unanswered == true ? 408 : 403, fault.reason)
            case let fault as NotFound: .serverError(404, "there is no \(fault.what) \(fault.id)")
            case let fault as Closed: .serverError(409, "\(fault.conversation) is \(fault.status)")
            case let fault as TooManyRequests: .serverError(429, fault.reason)
            case let fault as NotOffered: .serverError(501, fault.reason)
            case let fault as Failed: .serverError(500, fault.reason)
            default: .decodingError("\(fault)")
            }
    }
}

extension CutiEError {
    /// Returns `invalidRequest`, and logs the reason, which this error of the SDK cannot contain.
    private static func invalid(_ fault: InvalidArgument) -> CutiEError {
        AppSession.log("\(fault.parameter) is not valid: \(fault.reason)")
        return .invalidRequest
    }
}

extension ConnectionProblem {
    init(_ failure: SocketFailure, path: String) {
        switch failure {
        case .notRunning:
            self.init(
                reason:
                    "cutied is not running: no process listens at \(path); install the package cutied, and start it with "
                    + "`systemctl --user enable --now cutied-access.socket cutied` "
                    + "(in a Flatpak, also grant `--filesystem=xdg-run/cutied/access`)", isTemporary: true)
        case .notPermitted:
            self.init(
                reason:
                    "this app has no permission to open \(path); in a sandbox, grant access to that directory "
                    + "(in a Flatpak: `--filesystem=xdg-run/cutied/access`)")
        case .peerDisconnected:
            self.init(reason: "cutied stopped before it answered; try again", isTemporary: true)
        case .timedOut:
            self.init(reason: "cutied did not answer in time; try again", isTemporary: true)
        default: self.init(reason: failure.description)
        }
    }
}

extension ConnectionProblem: CustomStringConvertible, LocalizedError {
    /// The value of `reason`.
    public var description: String { reason }
    /// The value of `reason`.
    public var errorDescription: String? { reason }
}

extension CutiEError: CustomStringConvertible, LocalizedError {
    /// An English message with the problem and advice, for the developers of the app.
    public var description: String {
        switch self {
        case .notConfigured: "the app is not configured; call CutiE.shared.configure(appId:) first"
        case .invalidAPIKey: "the API refused the App ID; compare it with the one in the dashboard"
        case .networkError(let error): "\(error)"
        case .serverError(let status, let reason): "\(reason) (\(status))"
        case .decodingError(let reason):
            "the server sent an invalid response" + (reason.map { ": " + $0 } ?? "")
        case .invalidRequest: "a parameter is empty, too long, or not a valid address"
        case .invalidPushToken(let reason): "the push token is not valid: \(reason)"
        }
    }

    /// The English message of the SDK, for a dialog of your app.
    public var errorDescription: String? {
        switch self {
        case .notConfigured: "CutiE is not configured. Call configure(appId:) first."
        case .invalidAPIKey: "Invalid App ID"
        case .networkError(let error): "Network error: " + Self.sentence(of: error)
        case .serverError(let status, let text):
            "Server error (\(status)): " + (text.isEmpty ? "Unknown error" : text)
        case .decodingError(let details): details ?? "The response of the server could not be decoded"
        case .invalidRequest: "Invalid request"
        case .invalidPushToken(let reason): "Invalid push token: " + reason
        }
    }

    /// Returns the message of an error. Does not use `localizedDescription`, which is not part of
    /// FoundationEssentials.
    static func sentence(of error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}
