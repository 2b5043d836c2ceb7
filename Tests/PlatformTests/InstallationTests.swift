import Foundation
import TestSupport
import Testing

@testable import Platform

struct InstallationTests {
    /// The paths of the command and the daemon in each kind of installation.
    private static let layouts: [(command: String, daemon: String)] = [
        ("bin/cutied", "libexec/cutied/cutied-daemon"), ("debug/cutied", "debug/cutied-daemon"),
    ]

    @Test(arguments: layouts.indices)
    func `The command-line program and the daemon of an installation can locate each other`(number: Int)
        throws
    {
        let (layout, directory) = (Self.layouts[number], try TemporaryDirectory())
        let (command, daemon) = (directory.file(layout.command), directory.file(layout.daemon))
        for program in [command, daemon] { try make(program) }
        for program in [command, daemon] {
            let installation = Installation(of: program)
            #expect(installation.command == command)
            #expect(installation.daemon == daemon)
        }
    }

    @Test func `A program that is not installed is reported as missing`() throws {
        let directory = try TemporaryDirectory()
        let installation = Installation(of: directory.file("bin/cutied"))
        #expect(installation.command == nil)
        #expect(installation.daemon == nil)
    }

    @Test(arguments: [
        ("/usr/bin/cutied", "/usr", "/usr/bin"), ("/bin/cutied", "", "/bin"),
        ("/usr/libexec/cutied/cutied-daemon", "/usr", "/usr/bin"),
        ("/home/ann/.local/bin/cutied-inbox", "/home/ann/.local", "/home/ann/.local/bin"),
    ])
    func `The installation prefix is the parent directory of bin and libexec`(
        _ program: String, _ prefix: String, _ commands: String
    ) {
        let installation = Installation(of: program)
        #expect(installation.prefix == prefix)
        #expect(installation.commandDirectory == commands)
    }

    private func make(_ program: String) throws {
        let directory = URL(filePath: program).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }
}
