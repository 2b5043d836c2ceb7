/// How an account stands with its API; of the daemon, the least good of its accounts.
public enum ConnectionState: String, Codable, Sendable, CaseIterable {
    case starting, connecting, connected
    /// Retrying.
    case offline
    /// No device token yet.
    case unregistered
    /// Needs a person; the reason says for what.
    case stopped
}
