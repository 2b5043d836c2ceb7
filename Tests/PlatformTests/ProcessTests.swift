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
