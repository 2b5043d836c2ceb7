import Foundation
import TestSupport
import Testing

/// Tests with the state directory on a full or read-only disk. Mounting the disk requires a mount namespace.
struct DiskTests {
    @Test(.enabled(if: Namespace.mounts.isPossible, "mount namespaces cannot be made here (unshare -rm)"))
    func `The suite OnADiskTests passes in a mount namespace`() async throws {
        guard !Namespace.mounts.isEntered else { return }
        let child = try Namespace.mounts.run(suite: "OnADiskTests")
        let code = try await child.waitForExit()
        let output = child.standardOutput + child.standardError
        #expect(code == 0 && output.contains("2 tests "), "\(output)")
    }
}

@Suite(.enabled(if: Namespace.mounts.isEntered, "run by DiskTests"))
struct OnADiskTests {
    @Test(arguments: Chaos.ways)
    func `A full disk is reported and delays replies, but no reply is lost`(_ transport: ForcedTransport)
        async throws
    {
        try await EndToEndFixture.with(transport.configure, on: Disk()) { fixture, disk in
            var replies = try await ConversationActions(of: 6, in: fixture)
            var damage = Damage(of: "disk full", transport, rounds: Chaos.serverRounds)
            for _ in 0..<Chaos.serverRounds {
                try disk.fill()
                // Several rounds are needed, because the write-ahead log may still have room for some
                // replies.
                for _ in 0..<40 {
                    try await replies.send(12)
                    if try await fixture.daemon.fetchStatus().reportsFullDisk { break }
                }
                try await fixture.daemon.waitForStatus("the full disk is reported") { $0.reportsFullDisk }
                let runs = [
                    try await fixture.daemon.ctl("status"), try await fixture.daemon.ctl("inbox"),
                    try await fixture.daemon.ctl("show", replies.conversations[0]),
                    try await fixture.daemon.ctl("search", "Thread"), try await fixture.daemon.ctl("outbox"),
                ]
                for run in runs { #expect(run.code == 0, "\(run)") }
                try disk.clear()
                let written = replies.sent.count
                try await damage.recovery { try await fixture.daemon.waitForBadge(written) }
            }
            try await replies.announced()
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce(attempts: 1...(2 * Chaos.serverRounds + 1))
            try await replies.expectBadgeOfServer()
        }
    }

    @Test(arguments: Chaos.ways)
    func `On a read-only disk, the daemon exits with the reason, and the next run gets all replies`(
        _ transport: ForcedTransport
    ) async throws {
        try await EndToEndFixture.with(transport.configure, on: Disk()) { fixture, disk in
            var replies = try await ConversationActions(of: 6, in: fixture)
            var damage = Damage(of: "disk read-only", transport, rounds: Chaos.serverRounds)
            for _ in 0..<Chaos.serverRounds {
                try await replies.send(6)
                try await fixture.daemon.waitForBadge(replies.sent.count)
                try await fixture.daemon.stop()
                try disk.isWritable(false)
                try await replies.send(6)
                let program = try fixture.daemon.launch()
                #expect(try await program.waitForExit() == 1)
                #expect(program.standardError.contains(fixture.daemon.directory.file("state/cutied")))
                try disk.isWritable(true)
                let written = replies.sent.count
                try await damage.recovery {
                    try await fixture.daemon.start()
                    try await fixture.daemon.waitForBadge(written)
                }
            }
            try await replies.announced()
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }
}

extension StatusRecord {
    fileprivate var reportsFullDisk: Bool {
        accounts[0].reason?.contains("no space is left") == true
    }
}

/// A small tmpfs that a test can fill or make read-only.
private final class Disk: Sendable {
    private let directory: TemporaryDirectory
    var path: String { directory.file("disk") }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try shell("mount -t tmpfs -o size=16m,mode=700 none \(path)")
    }

    deinit { try? shell("umount -l \(path)") }

    func fill() throws { try shell("! cat /dev/zero >\(path)/ballast 2>/dev/null") }
    func clear() throws { try shell("rm \(path)/ballast") }
    func isWritable(_ yes: Bool) throws { try shell("mount -o remount,\(yes ? "rw" : "ro") \(path)") }

    private func shell(_ command: String) throws {
        guard system(command) == 0 else { throw DiskFailure(command: command) }
    }
}

private struct DiskFailure: Error {
    let command: String
}

extension EndToEndFixture {
    /// Creates a fixture whose state directory is on `disk`, connects the daemon and runs `body`.
    fileprivate static func with(
        _ configure: (inout Options) -> Void, on disk: Disk,
        _ body: (EndToEndFixture, Disk) async throws -> Void
    ) async throws {
        try await with({
            configure(&$0)
            $0.isConnected = false
        }) { fixture in
            try FileManager.default.createSymbolicLink(
                atPath: fixture.daemon.directory.file("state"), withDestinationPath: disk.path)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            try await body(fixture, disk)
        }
    }
}
