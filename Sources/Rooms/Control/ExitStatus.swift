/// The exit codes of `cutied`, after sysexits.h.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    /// It did not work, the answer is no, or waiting took too long.
    case failed = 1
    case usage = 64
    case badData = 65
    /// No such conversation, message or device.
    case notFound = 66
    case unreachable = 69
    /// Accepted and queued, not sent yet.
    case queued = 75
    /// The API's answer makes no sense.
    case invalidResponse = 76
    case notAuthorized = 77
    case configuration = 78
}
