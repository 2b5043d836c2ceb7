import Foundation
import TestSupport
import Testing

@testable import Platform

struct CurrentProgramTests {
    @Test func `A running program finds its new file after an upgrade has replaced the file`() throws {
        let directory = try TemporaryDirectory()
        let (program, upgrade) = (directory.file("program"), directory.file("upgrade"))
        for copy in [program, upgrade] {
            try installProgram(copying: "/usr/bin/sleep", to: copy)
        }
        let process = try ChildProcess(program, ["60"])
        #expect(CurrentProgram.executablePath(ofProcess: "\(process.pid)") == program)
        #expect(rename(upgrade, program) == 0)
        #expect(CurrentProgram.executablePath(ofProcess: "\(process.pid)") == program)
    }
}
