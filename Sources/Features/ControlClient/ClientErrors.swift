public import Reasons
import Varlink
import VarlinkSocket

/// The error when the daemon is not reachable, or disconnects during a call.
public struct DaemonUnavailable: Error, Hashable, Sendable {
    public enum Cause: Sendable {
        case notRunning, tooSlow, left
        /// The daemon disconnected during a call, and may already have accepted the user's message.
        case disconnectedInCall
    }

    /// The path of the control socket.
    public var path: String
    public var cause: Cause

    public init(path: String, cause: Cause = .left) {
        self.path = path
        self.cause = cause
    }

    /// Converts the error of an unreachable daemon; `nil` for any other error.
    init?(_ error: any Error, path: String) {
        switch error {
        case SocketFailure.notRunning: self.init(path: path, cause: .notRunning)
        case SocketFailure.timedOut: self.init(path: path, cause: .tooSlow)
        case SocketFailure.peerDisconnected: self.init(path: path, cause: .left)
        default: return nil
        }
    }
}

/// The error when the daemon's socket cannot be used and a retry does not help.
public struct UnusableSocket: ReasonedError, Hashable, Sendable {
    public let reason: Reason

    /// Converts an error of the socket; `nil` for any other error.
    init?(_ error: any Error) {
        guard let failure = error as? SocketFailure else { return nil }
        reason =
            switch failure {
            case .pathTooLong(let path, let limit):
                Reason(.socketPathTooLong, ["path": path, "limit": String(limit)])
            case .notPermitted(let path): Reason(.socketForbidden, ["path": path])
            default: Reason(.socketUnusable, ["detail": " (\(failure))"])
            }
    }
}

/// The error when the daemon and this program have different versions of the interface. After an upgrade, the
/// old daemon may still be running.
public enum IncompatibleDaemon: Error, Hashable, Sendable {
    case unknownMethod
    case unknownParameter(String)
    /// The daemon returned an error with an unknown name.
    case unknownFault(String)
    case unreadableReply

    /// Converts an error that is caused by different versions; `nil` for any other error.
    init?(_ error: any Error) {
        switch error {
        case is MethodNotFound, is MethodNotImplemented, is InterfaceNotFound: self = .unknownMethod
        case let fault as InvalidParameter: self = .unknownParameter(fault.parameter)
        case let fault as UnknownFault: self = .unknownFault(fault.name)
        case is DecodingError, is MessageError: self = .unreadableReply
        default: return nil
        }
    }
}
