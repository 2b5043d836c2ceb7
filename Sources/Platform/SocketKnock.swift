import Glibc

/// Whether somebody listens at a Unix socket.
public enum SocketKnock {
    /// nil where somebody does, else why not. `path` may begin with NUL: an abstract one. Does not wait.
    public static func failure(at path: String) -> String? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { space in
            guard path.utf8.count < space.count else { return false }
            space.copyBytes(from: path.utf8)
            return true
        }
        guard fits else { return "its path is too long" }
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, flags, 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        // An abstract name has no NUL at its end, so the length counts.
        let length = MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("\0") ? 0 : 1)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(length)) == 0 ? 0 : errno
            }
        }
        // A full queue has an owner.
        return code == 0 || code == EAGAIN ? nil : String(cString: strerror(code))
    }
}
