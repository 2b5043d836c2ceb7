import CLinux
import Foundation
import Testing

struct MemoryTests {
    @Test func `Code that was given back is there when it is needed again`() throws {
        let before = try fileBackedMemory()
        clinux_release_code()
        let after = try fileBackedMemory()
        #expect(after < before / 2)
        #expect("\([1, 2, 3].map { $0 * 2 })" == "[2, 4, 6]")
    }

    /// In kB.
    private func fileBackedMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }
}
