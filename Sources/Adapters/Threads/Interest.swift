import CLinux

/// What one waits for on a descriptor.
public enum Interest: Sendable {
    case readable
    case writable
    /// Both directions closed, by the peer or by `shutdown`.
    case hangUp

    var mask: UInt32 {
        switch self {
        case .readable: EPOLLIN.rawValue | EPOLLRDHUP.rawValue
        case .writable: EPOLLOUT.rawValue
        case .hangUp: 0
        }
    }

    var wakingMask: UInt32 { mask | EPOLLHUP.rawValue | EPOLLERR.rawValue }
}
