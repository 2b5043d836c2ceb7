import Foundation
public import Glibc

/// A Unix socket that simulates a service manager or another daemon.
public struct UnixSocket {
    public let path: String
    public let number: Int32
    private let directory: TemporaryDirectory

    public init(_ kind: __socket_type, listening: Bool = false) throws {
        directory = try TemporaryDirectory()
        path = directory.file("socket")
        number = socket(AF_UNIX, Int32(kind.rawValue), 0)
        try Self.check(Self.at(path) { bind(number, $0, $1) })
        if listening { try Self.check(listen(number, 8)) }
    }

    /// Returns the descriptor of a new connection to the socket.
    public func client() throws -> Int32 {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try Self.check(Self.at(path) { connect(client, $0, $1) })
        return client
    }

    /// Sets the environment variables that systemd sets when it passes a socket to a program.
    public func offerAsActivation(named name: String) {
        // sd_listen_fds fails if a descriptor between 3 and `number` is closed, and another thread may have
        // closed one since the socket was created. Fill the gaps.
        var filler = fcntl(number, F_DUPFD, 3)
        while filler >= 0, filler < number { filler = fcntl(number, F_DUPFD, 3) }
        close(filler)
        let names = Array(repeating: "other", count: Int(number) - 3) + [name]
        setenv("LISTEN_PID", "\(getpid())", 1)
        setenv("LISTEN_FDS", "\(names.count)", 1)
        setenv("LISTEN_FDNAMES", names.joined(separator: ":"), 1)
    }

    /// Returns the next datagram without waiting, because a datagram is queued before its sender continues.
    public func next() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        try Self.check(Int32(count))
        return String(decoding: buffer[..<count], as: UTF8.self)
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

    private static func check(_ result: Int32) throws {
        guard result < 0 else { return }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
