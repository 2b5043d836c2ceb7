import Glibc

/// The `systemd --user` of the session.
struct UserManager: Sendable {
    /// Its own socket, which is there as long as it runs.
    private let socketPath: String

    /// nil where the environment names no runtime directory.
    init?(environment: [String: String]) {
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return nil }
        socketPath = directory + "/systemd/private"
    }

    /// Whether it takes connections: the socket's file may outlive it.
    var answers: Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { space in
            guard socketPath.utf8.count < space.count else { return false }
            space.copyBytes(from: socketPath.utf8)
            return true
        }
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard fits, let socket = try? Descriptor(socket(AF_UNIX, flags, 0), from: "socket") else {
            return false
        }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// The argv that has the manager run `arguments` and ends when they end: with 0 if they did, else with
    /// their exit code or 1, which is also for what cannot be started.
    func wrapping(_ arguments: [String], adding additions: [String: String]) -> [String] {
        ["systemd-run", "--user", "--quiet", "--collect", "--wait", "--service-type=exec"]
            + additions.sorted { $0.key < $1.key }.map { "--setenv=" + $0.key + "=" + $0.value }
            + ["--"] + arguments
    }
}
