import Foundation
import TestSupport
import Testing

/// Tests that each program works with low resource limits, or reports that a limit is too low.
@Suite struct `Resource limits of the process` {
    private static func limited(_ count: Int) -> [String] {
        ["/bin/sh", "-c", "ulimit -n \(count); exec \"$0\" \"$@\""]
    }

    /// The tested limits. The dynamic linker needs at least 4 descriptors.
    private static let counts = Array(4...40) + [48, 63, 64, 100, 127, 128, 256]

    private struct Program {
        let product: String
        let arguments: [String]
        /// The number of file descriptors that the program requires.
        let needed: Int
        /// The exit code with enough descriptors: the configuration is invalid, and there is no display, no
        /// session bus, no daemon and no server.
        let nextCode: Int32
    }

    private static let programs = [
        Program(product: "cutied", arguments: ["ctl", "status", "--no-wait"], needed: 16, nextCode: 69),
        Program(product: "cutied", arguments: ["run"], needed: 64, nextCode: 78),
        Program(product: "cutied", arguments: ["doctor"], needed: 64, nextCode: 78),
        Program(product: "cutied-daemon", arguments: ["run"], needed: 48, nextCode: 78),
        Program(product: "cutied-inbox", arguments: [], needed: 128, nextCode: 69),
        Program(product: "cutied-indicator", arguments: [], needed: 64, nextCode: 0),
        Program(
            product: "cutie-sandbox", arguments: ["reply", "conv_1", "words"], needed: 128, nextCode: 77),
    ]

    /// Each program must print one line that states the problem, must not crash, and must not suggest the
    /// installation of a package.
    @Test(arguments: programs.indices)
    func `The error for a file descriptor limit that is too low names the limit and the solution`(number: Int)
        async throws
    {
        let (program, path) = (
            Self.programs[number], try BuiltProduct.path(of: Self.programs[number].product)
        )
        let daemon = try DaemonFixture(session: [:], configuration: "nonsense: 1")
        for count in Self.counts where count < program.needed + 3 {
            let run = try SpawnedProgram(
                "/bin/sh", Array(Self.limited(count).dropFirst()) + [path] + program.arguments,
                environment: daemon.environment)
            let code = try await run.waitForExit()
            #expect(code == 1, "\(count): \(code) \(run.standardError)")
            let line = run.standardError
            #expect(line.contains("\(program.needed) file descriptors are needed"), "\(count): \(line)")
            #expect(line.contains("ulimit -n 1024") && line.contains("LimitNOFILE="), "\(count): \(line)")
            #expect(!line.contains("install") && line.split(separator: "\n").count == 1, "\(count): \(line)")
        }
        let enough = try SpawnedProgram(
            "/bin/sh", Array(Self.limited(program.needed + 3).dropFirst()) + [path] + program.arguments,
            environment: daemon.environment)
        #expect(try await enough.waitForExit() == program.nextCode, "\(enough.standardError)")
    }

    @Test func `The documented number of file descriptors is sufficient for the daemon and its clients`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try await fixture.daemon.start(under: Self.limited(64 + 3))
            try await fixture.daemon.waitUntilConnected()
            let conversation = try await fixture.daemon.startConversation("Few")
            try await fixture.sandbox.reply("Shown", in: conversation)
            #expect(try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0].body == "Shown")
            let status = try SpawnedProgram(
                "/bin/sh",
                Array(Self.limited(16 + 3).dropFirst())
                    + [BuiltProduct.path(of: "cutied"), "ctl", "status"],
                environment: fixture.daemon.environment)
            #expect(try await status.waitForExit() == 0, "\(status.standardError)")
        }
    }

    @Test func `If a file size limit delays replies, the limit is reported and no reply is lost`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            let daemon = try #require(fixture.daemon.current)
            try limitFiles(of: daemon.pid, to: "4096")
            try await replies.send(12)
            try await fixture.daemon.waitForStatus("the full disk is reported") {
                $0.accounts[0].reason?.contains("no space is left") == true
            }
            #expect(daemon.isRunning)
            #expect(try await fixture.daemon.ctl("inbox").code == 0)
            try limitFiles(of: daemon.pid, to: "unlimited")
            try await fixture.daemon.waitForBadge(12)
            try await replies.announced()
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            #expect(daemon.isRunning)
        }
    }

    /// Sets the maximum size of files that a process may write: a number of bytes, or `unlimited`.
    private func limitFiles(of process: Int32, to size: String) throws {
        try #require(system("/usr/bin/prlimit --pid \(process) --fsize=\(size):unlimited") == 0)
    }
}
