import ControlAPI

/// What the daemon says of itself, if it runs.
enum DaemonFacts: Sendable {
    case answers(GetStatus.Reply)
    /// Nobody listens at `path`.
    case absent(path: String)
    /// Somebody listens there, but no status came; why.
    case silent(path: String, reason: String)
    /// The session has no place for its socket; why.
    case homeless(String)

    var status: GetStatus.Reply? {
        if case .answers(let status) = self { status } else { nil }
    }
}
