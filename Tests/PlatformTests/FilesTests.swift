import Foundation
import TestSupport
import Testing

@testable import Platform

struct FilesTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `A private directory is created with all its parent directories`() throws {
        let made = try PrivateDirectory(making: directory.file("a/b/c"))
        #expect(made.path == directory.file("a/b/c"))
        for path in ["a", "a/b", "a/b/c"] { #expect(try mode(directory.file(path)) == 0o700) }
        _ = try PrivateDirectory(making: directory.file("a/b/c"))
    }

    @Test func `Other users lose access to a private directory`() throws {
        let path = directory.file("a")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        _ = try PrivateDirectory(making: path)
        #expect(try mode(path) == 0o700)
    }

    @Test func `A file at the path of a private directory causes an error`() throws {
        try SmallFile.replace(directory.file("a"), with: [])
        let error = #expect(throws: SystemFailure.self) { try PrivateDirectory(making: directory.file("a")) }
        #expect(error?.code == ENOTDIR)
        #expect(throws: SystemFailure.self) { try PrivateDirectory(making: directory.file("a/b")) }
    }

    @Test func `A limited read returns at most one byte more than the limit`() throws {
        let path = directory.file("f")
        try SmallFile.replace(path, with: Array("abcdef".utf8))
        #expect(try SmallFile.read(path, sizeLimit: 6) == Array("abcdef".utf8))
        #expect(try SmallFile.read(path, sizeLimit: 3) == Array("abcd".utf8))
    }

    @Test func `Reading a FIFO does not block`() throws {
        let path = directory.file("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try SmallFile.read(path, sizeLimit: 6).isEmpty)
    }

    @Test func `The error for a missing file contains its path`() {
        let error = #expect(throws: SystemFailure.self) { try SmallFile.read("/nonexistent/f", sizeLimit: 6) }
        #expect(error?.description == "open /nonexistent/f: No such file or directory")
    }

    @Test func `Replacing a file preserves its mode, and a symbolic link to the file`() throws {
        let (path, link) = (directory.file("f"), directory.file("link"))
        try SmallFile.replace(path, with: [1])
        #expect(try mode(path) == 0o600)
        try #require(chmod(path, 0o640) == 0 && symlink(path, link) == 0)
        try SmallFile.replace(link, with: [2])
        #expect(try SmallFile.read(path, sizeLimit: 9) == [2])
        #expect(try mode(path) == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["f", "link"])
    }

    @Test func `Temporary files that a crash left behind do not prevent replacing a file`() throws {
        let path = directory.file("f")
        try SmallFile.replace(path + ".new", with: [1, 2, 3], mode: 0o400)
        try SmallFile.replace(path, with: [4])
        #expect(try SmallFile.read(path, sizeLimit: 9) == [4])
        #expect(try mode(path) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["f"])
    }

    @Test func `The error for a lock that is already held contains the PID of the holder`() throws {
        let state = try PrivateDirectory(making: directory.path)
        let first = try StateLock(in: state)
        let error = #expect(throws: StateLockError.self) { _ = try StateLock(in: state) }
        #expect(error == .held(by: getpid()))
        #expect(error?.description.hasPrefix("cutied is already running, as process \(getpid());") == true)
        withExtendedLifetime(first) {}
    }

    @Test func `When the lock object is released, the state directory can be locked again`() throws {
        let state = try PrivateDirectory(making: directory.path)
        do { _ = try StateLock(in: state) }
        _ = try StateLock(in: state)
    }

    @Test func `A session is identified by its boot ID and the address of its bus`() {
        let identity = SessionIdentity(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus"])
        #expect(identity.busAddress == "unix:path=/run/bus")
        #expect(identity.bootID?.count == 36)
        #expect(identity == SessionIdentity(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus"]))
        #expect(SessionIdentity(environment: [:]).busAddress == nil)
    }
}
