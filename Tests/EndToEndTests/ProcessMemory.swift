import Foundation
import TestSupport
import Testing

extension DaemonFixture {
    /// Of its process, what no file backs.
    func anonymousKiB() throws -> Int {
        let process = try #require(current)
        let text = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
        return try #require(text.firstMatch(of: /RssAnon:\s+(\d+) kB/).flatMap { Int($0.1) })
    }

    /// Once such clients or servers are done, it has at most `limit` KiB more than it had `before`.
    func expectKept(since before: Int, atMost limit: Int, _ place: SourceLocation = #_sourceLocation) throws {
        let kept = try anonymousKiB() - before
        #expect(kept <= limit, sourceLocation: place)
    }
}
