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
    func `A socket in use is not removed, and its owner receives no connection`(kind: __socket_type) throws {
        let owner = try UnixSocket(kind, listening: kind != SOCK_DGRAM)
        defer { close(owner.number) }
        let failure = #expect(throws: (any Error).self) { try StaleSocket.remove(at: owner.path) }
        #expect("\(try #require(failure))".contains(owner.path))
        #expect(isThere(owner.path))
        var heard = pollfd(fd: owner.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&heard, 1, 0) == 0)
    }

    @Test func `A file that is not a socket is not removed`() throws {
        let owner = try UnixSocket(SOCK_STREAM)
        close(owner.number)
        unlink(owner.path)
        try Data().write(to: URL(filePath: owner.path))
        try StaleSocket.remove(at: owner.path)
        #expect(isThere(owner.path))
    }
}
