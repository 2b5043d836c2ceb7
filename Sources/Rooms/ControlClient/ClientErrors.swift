import Varlink
import VarlinkSocket

/// The daemon cannot be reached, or went away while it was asked.
public struct DaemonGone: Error, Hashable, Sendable {
    public enum Cause: Sendable {
        case notRunning, tooSlow, left
        /// It went away with words of the person's that it may have taken.
        case leftInDoubt
    }

    /// Of its socket.
    public var path: String
    public var cause: Cause

    public init(path: String, cause: Cause = .left) {
        self.path = path
        self.cause = cause
    }

    /// nil where `error` is about something else.
    init?(_ error: any Error, path: String) {
        switch error {
        case SocketFailure.notRunning: self.init(path: path, cause: .notRunning)
        case SocketFailure.timedOut: self.init(path: path, cause: .tooSlow)
        case SocketFailure.peerGone: self.init(path: path, cause: .left)
        default: return nil
        }
    }
}

/// The daemon's socket cannot be used, and no waiting heals that.
public struct UnusableSocket: Error, Hashable, Sendable {
    /// A sentence of it.
    public var reason: String

    /// nil where `error` is about something else.
    init?(_ error: any Error) {
        guard let failure = error as? SocketFailure else { return nil }
        reason = failure.description
    }
}

/// The daemon and this program do not speak the same version of the interface: after an upgrade the old daemon
/// may still run.
public enum IncompatibleDaemon: Error, Hashable, Sendable {
    case unknownMethod
    case unknownParameter(String)
    /// It answered with an error that is not known here, by its full name.
    case unknownFault(String)
    case unreadableReply

    /// nil where `error` is about something else.
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
