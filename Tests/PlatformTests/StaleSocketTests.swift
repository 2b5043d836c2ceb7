import Foundation
import Glibc
import TestSupport
import Testing

@testable import Platform

struct StaleSocketTests {
    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func `A socket whose owner has been killed is removed`() throws {
        let dead = try UnixSocket(SOCK_STREAM, listening: true)
        close(dead.number)
        try StaleSocket.remove(at: dead.path)
        #expect(!isThere(dead.path))
        #expect(throws: Never.self) { try StaleSocket.remove(at: dead.path) }
    }

    @Test(arguments: [SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET])
    func `A socket in use is kept, and its owner gets no connection`(kind: __socket_type) throws {
        let owner = try UnixSocket(kind, listening: kind != SOCK_DGRAM)
        defer { close(owner.number) }
        let failure = #expect(throws: (any Error).self) { try StaleSocket.remove(at: owner.path) }
        #expect("\(try #require(failure))".contains(owner.path))
        #expect(isThere(owner.path))
        var heard = pollfd(fd: owner.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&heard, 1, 0) == 0)
    }

    @Test func `A file that is not a socket is kept`() throws {
        let owner = try UnixSocket(SOCK_STREAM)
        close(owner.number)
        unlink(owner.path)
        try Data().write(to: URL(filePath: owner.path))
        try StaleSocket.remove(at: owner.path)
        #expect(isThere(owner.path))
    }
}

/// A Unix socket that stands in for the socket of a service manager or another daemon.
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

    /// Returns a connection to this socket.
    func client() throws -> Int32 {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(Self.at(path) { connect(client, $0, $1) } == 0)
        return client
    }

    /// Passes this socket to `InheritedSockets`. A new descriptor has the lowest free number, so all
    /// descriptors from 3 up to this socket's are open.
    func offerAsActivation(named name: String) {
        let names = Array(repeating: "other", count: Int(number) - 3) + [name]
        setenv("LISTEN_PID", "\(getpid())", 1)
        setenv("LISTEN_FDS", "\(names.count)", 1)
        setenv("LISTEN_FDNAMES", names.joined(separator: ":"), 1)
    }

    /// Returns the next datagram. On one machine, a datagram is in the queue when the sender returns, so
    /// `next` does not wait.
    func next() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(number, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        try #require(count >= 0)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
