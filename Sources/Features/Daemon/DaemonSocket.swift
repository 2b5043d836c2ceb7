import ControlServer
import Logging
import Platform
import Systemd
import VarlinkSocket

/// A socket at which the daemon listens.
enum DaemonSocket {
    /// The socket for the user's own programs.
    case control
    /// The socket for apps, which have fewer permissions.
    case access

    /// The `FileDescriptorName=` of the socket unit.
    var activationName: String {
        switch self {
        case .control: "varlink"
        case .access: "access"
        }
    }

    private var unit: String {
        switch self {
        case .control: "cutied.socket"
        case .access: "cutied-access.socket"
        }
    }

    func path(in paths: Paths) throws -> String {
        switch self {
        case .control: try paths.controlSocketPath()
        case .access: try paths.accessSocketPath()
        }
    }

    /// Logs that the file of systemd's socket was removed. The daemon binds its own socket at the path, so
    /// systemd no longer starts the daemon when a client connects.
    fileprivate func logLostSocket(at path: String) {
        Logger(label: Product.name).warning(
            "the socket of systemd was removed; the daemon listens there itself",
            metadata: [
                "path": "\(path)",
                "advice": "systemctl --user stop \(unit) cutied; systemctl --user start cutied",
            ])
    }
}

extension ListeningSocket {
    /// Adopts the socket from systemd. If systemd passed no socket, or the file of the socket was removed,
    /// binds a new socket at the path and removes a stale file. The state lock is held, so no other daemon of
    /// this user can own a file at the path. `socketPath`: set to the path of the socket.
    init(for socket: DaemonSocket, of paths: Paths, at socketPath: inout String?) throws {
        if let activated = try ActivationSocket.adopt(named: socket.activationName) {
            socketPath = activated.path
            if let path = activated.lostPath {
                socket.logLostSocket(at: path)
                try self.init(replacing: path)
            } else {
                try self.init(adopting: activated.release())
            }
        } else {
            let path = try socket.path(in: paths)
            socketPath = path
            try self.init(replacing: path)
        }
    }
}
