/// The connection state of an account. The raw values are stored in the event log.
public enum AccountState: String, Sendable, CaseIterable {
    case starting, connecting, connected
    /// Disconnected; a retry is scheduled.
    case offline
    /// The API has not issued a device token yet.
    case unregistered
    /// Stopped until the user acts; the reason contains the required action.
    case stopped

    /// The severity of the state; a worse state has a higher value.
    public var severity: Int {
        switch self {
        case .connected: 0
        case .connecting: 1
        case .starting: 2
        case .offline: 3
        case .unregistered: 4
        case .stopped: 5
        }
    }
}

/// Whether the API accepts the credentials of an account.
public enum AuthenticationState: String, Sendable, CaseIterable {
    case unknown
    /// The API rejected the credentials and has not accepted them since.
    case unauthenticated
    /// The API accepts the credentials of the account. A device whose API does not issue tokens counts as
    /// authenticated.
    case authenticated
}
