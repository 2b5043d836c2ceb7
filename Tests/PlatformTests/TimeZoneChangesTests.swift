import Foundation
import TestSupport
import Testing

@testable import Platform

struct TimeZoneChangesTests {
    /// As timedatectl does: a new link takes the place of the old one.
    private func set(_ zone: String, in directory: TemporaryDirectory) throws {
        try FileManager.default.createSymbolicLink(
            atPath: directory.file(".new"), withDestinationPath: "/usr/share/zoneinfo/" + zone)
        try #require(rename(directory.file(".new"), directory.file("localtime")) == 0)
    }

    @Test func `Another zone is told, again and again, and other files are not`() async throws {
        let directory = try TemporaryDirectory()
        var changes = try TimeZoneChanges.watch(directory.path).makeAsyncIterator()
        for zone in ["Europe/Berlin", "America/New_York"] {
            try set(zone, in: directory)
            #expect(await changes.next() != nil)
        }
        let quiet = try TimeZoneChanges.watch(directory.path)
        let task = Task {
            for await _ in quiet { return true }
            return false
        }
        try "x".write(toFile: directory.file("other"), atomically: true, encoding: .utf8)
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value == false)
    }

    @Test func `What cannot be watched is an error`() {
        #expect(throws: SystemFailure.self) { _ = try TimeZoneChanges.watch("/no/such/directory") }
    }
}
