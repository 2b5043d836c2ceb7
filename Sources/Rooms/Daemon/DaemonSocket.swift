import ControlAPI
import Logging
import Platform
import VarlinkSocket

/// Where the daemon listens.
enum DaemonSocket: CaseIterable {
    /// For the person's own programs.
    case control
    /// For apps, with fewer powers.
    case access

    /// `FileDescriptorName=` of its unit.
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
        case .control: try paths.controlSocket()
        case .access: try paths.accessSocket()
        }
    }

    /// It is reached at a socket of its own; without it nobody would start it by a call.
    fileprivate func tellLost(_ path: String) {
        Logger(label: Product.name).warning(
            "systemd's socket was removed from its place: listening there myself",
            metadata: [
                "path": "\(path)",
                "advice": "systemctl --user stop \(unit) cutied; systemctl --user start cutied",
            ])
    }
}

extension ListeningSocket {
    /// systemd's, where it hands one over; else our own. The state lock is held: of this person's usual daemon a
    /// socket at the path is stale.
    /// `place` becomes the path where it is to be reached.
    init(for socket: DaemonSocket, of paths: Paths, at place: inout String?) throws {
        if let activated = try ActivationSocket.adopt(named: socket.activationName) {
            place = activated.path
            if let path = activated.lostPath {
                socket.tellLost(path)
                try self.init(replacing: path)
            } else {
                try self.init(adopting: activated.release())
            }
        } else {
            let path = try socket.path(in: paths)
            place = path
            try self.init(replacing: path)
        }
    }

    private init(replacing path: String) throws {
        try StaleSocket.remove(at: path)
        try self.init(bindingTo: path)
    }
}
