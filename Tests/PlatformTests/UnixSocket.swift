import Glibc
import TestSupport
import Testing

/// Where a service manager would listen, or another daemon.
struct UnixSocket {
    let path: String
    let number: Int32
    private let directory: TemporaryDirectory

    init(_ kind: __socket_type, listening: Bool = false) throws {
        directory = try TemporaryDirectory()
        path = directory.file("socket")
        number = socket(AF_UNIX, Int32(kind.rawValue), 0)
        try #require(Self.at(path) { bind(number, $0, $1) } == 0)
        if listening { try #require(listen(number, 8) == 0) }
    }

    private static func at(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// A connection to it.
    func client() throws -> Int32 {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(Self.at(path) { connect(client, $0, $1) } == 0)
        return client
    }

    /// A new descriptor has the lowest free number: all from 3 to this one are open.
    func offerAsActivation(named name: String) {
        let names = Array(repeating: "other", count: Int(number) - 3) + [name]
        setenv("LISTEN_PID", "\(getpid())", 1)
        setenv("LISTEN_FDS", "\(names.count)", 1)
        setenv("LISTEN_FDNAMES", names.joined(separator: ":"), 1)
    }

    /// What was sent has arrived: on this machine a datagram is in the queue when the sender returns.
    func next() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        try #require(count >= 0)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
