import CLinux

extension Readiness.Interest {
    var mask: UInt32 {
        switch self {
        case .readable: EPOLLIN.rawValue | EPOLLRDHUP.rawValue
        case .writable: EPOLLOUT.rawValue
        case .hangUp: 0
        }
    }

    var wakingMask: UInt32 { mask | EPOLLHUP.rawValue | EPOLLERR.rawValue }
}
