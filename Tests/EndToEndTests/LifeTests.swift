import Foundation
import TestSupport
import Testing

@Suite struct `Starting and stopping the daemon` {
    @Test func `A second daemon exits with 1, and its error names the PID of the first daemon`() async throws
    {
        try await EndToEndFixture.with { fixture in
            let first = try #require(fixture.daemon.current)
            let second = try fixture.daemon.launch()
            #expect(try await second.waitForExit() == 1)
            #expect(second.standardError.contains("\(first.pid)"))
            #expect(first.isRunning)
            #expect(try await fixture.daemon.fetchStatus().state == "connected")
            first.signal(SIGTERM)
            #expect(try await first.waitForExit() == 0)
        }
    }

    @Test func `The socket that a killed daemon left behind is replaced`() async throws {
        try await EndToEndFixture.with { fixture in
            try await fixture.daemon.killProcess()
            #expect(FileManager.default.fileExists(atPath: fixture.daemon.socketFile))
            #expect(try await fixture.daemon.ctl("--no-wait", "status").code != 0)
            #expect(try await fixture.daemon.ctl("status", "--no-wait").code == 69)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
        }
    }

    @Test func `A daemon with another state directory does not replace the socket of a running daemon`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let state = ["XDG_STATE_HOME": fixture.daemon.directory.file("other")]
            let second = try SpawnedProgram(
                BuiltProduct.path(of: "cutied"), ["run"],
                environment: fixture.daemon.environment.merging(state) { $1 })
            #expect(try await second.waitForExit() == 1)
            #expect(second.standardError.contains(fixture.daemon.socketFile))
            #expect(second.standardError.contains("systemctl --user stop cutied.socket cutied"))
            #expect(try await fixture.daemon.ctl("status", "--no-wait").code == 0)
        }
    }

    @Test func `The daemon runs without an account, and logs the command that adds an account`() async throws
    {
        let daemon = try DaemonFixture(session: [:], configuration: nil)
        try await daemon.start(logLevel: nil)
        #expect(try await daemon.fetchStatus().accounts.isEmpty)
        #expect(daemon.journal.contains("cutied setup"))
        try daemon.configure("opener: [true]\n")
        #expect(try await daemon.ctl("reload").code == 0)
        try daemon.configure("app_id: app_sandbox\napi_url: http://127.0.0.1:1\n")
        #expect(try await daemon.ctl("reload").code == 0)
        // A reload of a configuration without the App ID must not remove the account.
        try daemon.configure("opener: [true]\n")
        let refused = try await daemon.ctl("reload")
        #expect(refused.code == 78 && refused.error.contains("cutied setup"))
        #expect(try await daemon.fetchStatus().accounts.map(\.name) == ["default"])
        #expect(try await daemon.stop() == 0)
    }

    @Test
    func `With an invalid configuration, the daemon exits with 78 and prints the file name and line number`()
        async throws
    {
        let daemon = try DaemonFixture(session: [:], configuration: nil)
        try daemon.configure("app_id: app_sandbox\npol_interval: 5\n")
        let misspelt = try daemon.launch(logLevel: nil)
        #expect(try await misspelt.waitForExit() == 78)
        #expect(misspelt.standardError.contains("config.yaml:2"))
        #expect(misspelt.standardError.contains("pol_interval"))
        try daemon.configure("app_id: app_sandbox\napi_url: http://example.org\n")
        #expect(try await daemon.launch(logLevel: nil).waitForExit() == 78)
    }

    @Test func `With an unknown log level, the daemon exits with 64 and lists the valid levels`() async throws
    {
        let daemon = try DaemonFixture(session: [:], configuration: nil)
        let program = try daemon.launch(logLevel: "verbose")
        #expect(try await program.waitForExit() == 64)
        #expect(program.standardError.contains("must be one of trace, debug, info"))
    }

    @Test func `On SIGTERM and SIGINT, the daemon exits with 0 and removes its socket`() async throws {
        try await EndToEndFixture.with { fixture in
            for signal in [SIGTERM, SIGINT] {
                fixture.daemon.signal(signal)
                #expect(try await fixture.daemon.current?.waitForExit() == 0)
                #expect(!FileManager.default.fileExists(atPath: fixture.daemon.socketFile))
                try await fixture.daemon.start()
                try await fixture.daemon.waitUntilConnected()
            }
        }
    }

    @Test func `On SIGTERM, the daemon exits within 20 s even if the API and the notification server hang`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Stuck")
            try await fixture.notificationServer.suspend()
            try await fixture.sandbox.reply("Never shown", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            try await fixture.sandbox.suspend()
            let ctl = try fixture.daemon.startVerb(["reply", conversation, "Never answered"])
            try await fixture.daemon.waitForStatus("the message is queued") { $0.outbox == 1 }
            // The limit is less than the timeouts of a call to the notification server (25 s) and of an API
            // request (30 s).
            #expect(try await fixture.daemon.stop(within: .seconds(20)) == 0)
            #expect(try await ctl.waitForExit() != 0)
            fixture.sandbox.resume()
            try fixture.notificationServer.resume()
        }
    }

    @Test func `Only the user can access the daemon's files and socket`() async throws {
        try await EndToEndFixture.with { fixture in
            let state = fixture.daemon.directory.file("state/cutied"),
                run = fixture.daemon.directory.file("run/cutied")
            let database = fixture.daemon.databaseFile
            let files = [fixture.daemon.socketFile, database, database + "-wal"].map(mode(of:))
            #expect(files == [0o600, 0o600, 0o600])
            #expect([state, run].map(mode(of:)) == [0o700, 0o700])
        }
    }

    @Test(arguments: ["no database at all, but long enough to look like one", ""])
    func `A damaged database is moved aside, and a new database is filled from the API`(
        _ rubbish: String
    ) async throws {
        try await EndToEndFixture.with { fixture in
            let lost = try await fixture.daemon.startConversation("Lost")
            let device = try await fixture.daemon.fetchStatus().accounts[0].deviceId
            try await fixture.daemon.stop()
            try damage(fixture.daemon.databaseFile, with: rubbish)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.daemon.fetchInbox().map(\.conversationId) == [lost])
            #expect(try await fixture.daemon.fetchStatus().accounts[0].deviceId == device)
            let state = try FileManager.default.contentsOfDirectory(
                atPath: fixture.daemon.directory.file("state/cutied"))
            if rubbish.isEmpty { return }
            #expect(state.contains { $0.contains("damaged") }, "\(state)")
            #expect(fixture.daemon.journal.contains("the database was damaged"))
        }
    }

    @Test func `A database with damaged pages is moved aside`() async throws {
        try await EndToEndFixture.with { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(20)
            try await fixture.daemon.waitForBadge(20)
            try await fixture.daemon.stop()
            removeSidecars(of: fixture.daemon.databaseFile)
            let file = try FileHandle(forUpdating: URL(filePath: fixture.daemon.databaseFile))
            let size = try file.seekToEnd()
            for page in stride(from: UInt64(4096), to: size, by: 4096) {
                try file.seek(toOffset: page)
                try file.write(contentsOf: Data(repeating: 0xA5, count: 2000))
            }
            try file.close()
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            try await fixture.daemon.waitForBadge(20)
            try await replies.expectInLogOnce()
        }
    }

    private func damage(_ file: String, with rubbish: String) throws {
        removeSidecars(of: file)
        let text = String(repeating: rubbish, count: 100)
        try text.write(toFile: file, atomically: false, encoding: .utf8)
    }

    /// Removes the write-ahead log and the shared memory file, so that SQLite cannot repair the database.
    private func removeSidecars(of file: String) {
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
    }

    private func mode(of file: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        return (attributes?[.posixPermissions] as? Int).map { $0 & 0o777 }
    }
}
