import Glibc

/// The path of a Unix socket as the system calls want it.
struct UnixAddress {
    /// One byte of the field is for the NUL.
    static let longestPath = 107

    private var address = sockaddr_un()

    init(path: String) throws(SocketFailure) {
        let bytes = Array(path.utf8)
        guard bytes.count <= Self.longestPath else {
            throw .pathTooLong(path: path, limit: Self.longestPath)
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls `body`, which is one of `bind` and `connect`; returns 0 or the error number.
    func pass(to body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
            }
        }
    }
}
