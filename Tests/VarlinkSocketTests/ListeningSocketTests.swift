import Foundation
import Glibc
import TestSupport
import Testing
import VarlinkSocket

@Suite struct ListeningSocketTests {
    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test
    func `The socket file has mode 0600 in a directory with mode 0700, and releasing the socket removes it`()
        throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("made/s")
        do {
            let socket = try ListeningSocket(bindingTo: path)
            #expect(try mode(path) == 0o600)
            #expect(try mode(directory.file("made")) == 0o700)
            withExtendedLifetime(socket) {}
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test
    func `The error for a directory that cannot be created contains the system call and the error code`()
        throws
    {
        let directory = try TemporaryDirectory()
        let file = directory.file("file")
        try Data("kept".utf8).write(to: URL(filePath: file))
        let failure = SocketFailure.system(operation: "mkdir \(file)/made", code: ENOTDIR)
        #expect(throws: failure) { _ = try ListeningSocket(bindingTo: file + "/made/s") }
    }

    @Test func `A file that exists at the path of the socket is not changed`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        try Data("kept".utf8).write(to: URL(filePath: path))
        #expect(throws: SocketFailure.pathInUse(path: path)) { _ = try ListeningSocket(bindingTo: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
    }

    @Test func `A file that has replaced the socket is not removed`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        do {
            let first = try ListeningSocket(bindingTo: path)
            try FileManager.default.moveItem(atPath: path, toPath: directory.file("old"))
            try Data("another's".utf8).write(to: URL(filePath: path))
            withExtendedLifetime(first) {}
        }
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func `The error for a socket path that is too long contains the limit`() async throws {
        let longest = "/tmp/" + String(repeating: "x", count: 102)
        let path = longest + "x"
        let failure = SocketFailure.pathTooLong(path: path, limit: 107)
        #expect(throws: failure) { _ = try ListeningSocket(bindingTo: path) }
        await #expect(throws: failure) { _ = try await Client(path: path) }
        await #expect(throws: SocketFailure.notRunning(path: longest)) { _ = try await Client(path: longest) }
    }

    @Test func `The file of an inherited socket is not removed`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let inherited = inheritedSocket(at: path)
        do {
            let socket = try ListeningSocket(adopting: inherited)
            _ = try await Client(path: path)
            withExtendedLifetime(socket) {}
        }
        #expect(FileManager.default.fileExists(atPath: path))
        await #expect(throws: SocketFailure.notRunning(path: path)) { _ = try await Client(path: path) }
    }

    @Test func `An inherited descriptor that is not a listening socket is rejected`() {
        let stranger = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(stranger) }
        for number in [stranger, -1] {
            #expect(throws: SocketFailure.notListening(descriptor: number)) {
                _ = try ListeningSocket(adopting: number)
            }
        }
    }

    /// Returns a blocking socket, as systemd passes it.
    private func inheritedSocket(at path: String) -> Int32 {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        listen(number, 16)
        return number
    }
}
