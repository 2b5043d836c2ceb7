import Foundation
import TestSupport
import Testing

extension DaemonFixture {
    /// Returns the size of the daemon's anonymous memory, in KiB.
    func anonymousKiB() throws -> Int {
        let process = try #require(current)
        let text = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        return try #require(text.firstMatch(of: /RssAnon:\s+(\d+) kB/).flatMap { Int($0.1) })
    }

    /// Checks that the anonymous memory is at most `limit` KiB larger than `before` KiB.
    func expectKept(since before: Int, atMost limit: Int, _ place: SourceLocation = #_sourceLocation) throws {
        let kept = try anonymousKiB() - before
        #expect(kept <= limit, sourceLocation: place)
    }
}
