import Foundation
import TestSupport
import Testing

@testable import Platform

struct ClockJumpsTests {
    /// Whether tests may set the clock to its current time, which notifies every program on the machine.
    private static let mayBeSet = ProcessInfo.processInfo.environment["CUTIED_TEST_SET_CLOCK"] != nil

    @Test(.enabled(if: mayBeSet, "sets the machine's clock; CUTIED_TEST_SET_CLOCK=1 as root allows it"))
    func `Each change of the system clock is reported`() async throws {
        var jumps = try ClockJumps.watch().makeAsyncIterator()
        for _ in 0..<2 {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            try #require(clock_settime(CLOCK_REALTIME, &now) == 0)
            #expect(await jumps.next() != nil)
        }
    }

    @Test func `The sequence of clock changes ends when its task is cancelled`() async throws {
        let jumps = try ClockJumps.watch()
        let task = Task { for await _ in jumps {} }
        task.cancel()
        await task.value
    }
}

struct TimeZoneChangesTests {
    /// Replaces the link to the time zone atomically, as timedatectl does.
    private func set(_ zone: String, in directory: TemporaryDirectory) throws {
        try FileManager.default.createSymbolicLink(
            atPath: directory.file(".new"), withDestinationPath: "/usr/share/zoneinfo/" + zone)
        try #require(rename(directory.file(".new"), directory.file("localtime")) == 0)
    }

    @Test func `Each change of the time zone file is reported, and changes to other files are not`()
        async throws
    {
        let directory = try TemporaryDirectory()
        var changes = try TimeZoneChanges.watch(in: directory.path).makeAsyncIterator()
        for zone in ["Europe/Berlin", "America/New_York"] {
            try set(zone, in: directory)
            #expect(await changes.next() != nil)
        }
        let quiet = try TimeZoneChanges.watch(in: directory.path)
        let task = Task {
            for await _ in quiet { return true }
            return false
        }
        try "x".write(toFile: directory.file("other"), atomically: true, encoding: .utf8)
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value == false)
    }

    @Test
    func `If the time zone file cannot be watched, it is checked periodically and one error is reported`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let etc = directory.file("etc")
        let reports = Shared(0)
        var changes = TimeZoneChanges.watchOrPoll(in: etc, pollInterval: .milliseconds(5)) { _ in
            reports.value += 1
        }
        .makeAsyncIterator()
        try FileManager.default.createDirectory(atPath: etc, withIntermediateDirectories: false)
        for zone in ["Europe/Berlin", "America/New_York"] {
            try FileManager.default.createSymbolicLink(
                atPath: etc + "/.new", withDestinationPath: "/usr/share/zoneinfo/" + zone)
            try #require(rename(etc + "/.new", etc + "/localtime") == 0)
            #expect(await changes.next() != nil)
        }
        #expect(reports.value == 1)
    }

    @Test func `Watching a missing directory causes an error`() {
        #expect(throws: SystemFailure.self) { _ = try TimeZoneChanges.watch(in: "/no/such/directory") }
    }
}
