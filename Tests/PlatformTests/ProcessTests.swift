import CLinux
import Foundation
import TestSupport
import Testing

@testable import Platform

struct OwnProgramTests {
    @Test func `A program that an upgrade replaced while it runs is found where the new one is`() throws {
        let directory = try TemporaryDirectory()
        let (program, upgrade) = (directory.file("program"), directory.file("upgrade"))
        for copy in [program, upgrade] {
            try FileManager.default.copyItem(atPath: "/usr/bin/sleep", toPath: copy)
        }
        let process = try ChildProcess(program, ["60"])
        #expect(OwnProgram.path(of: "\(process.pid)") == program)
        #expect(rename(upgrade, program) == 0)
        #expect(OwnProgram.path(of: "\(process.pid)") == program)
    }
}

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
