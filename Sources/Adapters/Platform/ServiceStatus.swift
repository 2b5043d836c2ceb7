import Glibc

/// The status text in `systemctl status`, for programs that are not linked to libsystemd.
public enum ServiceStatus {
    /// Sends a status text to the service manager that started this process; has no effect without a service
    /// manager. Does not block. Users who cannot read the journal can read the status text.
    public static func sendToServiceManager(_ text: String) {
        guard let name = getenv("NOTIFY_SOCKET") else { return }
        var path = Array(String(cString: name).utf8)
        // For an abstract socket, `NOTIFY_SOCKET` contains `@` in place of the NUL at the start of the
        // address.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { space in
            guard !path.isEmpty, path.count < space.count else { return false }
            space.copyBytes(from: path)
            return true
        }
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard fits, case let descriptor = socket(AF_UNIX, kind, 0), descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let message = Array("STATUS=".utf8) + text.utf8.map { $0 < 32 ? 32 : $0 }
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
