import Foundation
import TestSupport
import Testing

/// Tests of `cutied ctl access`: lists, dry runs and revocations. The test process acts as the app.
@Suite struct `Apps with access on the command line` {
    @Test func `An allowed app is listed, a dry run changes nothing, and a revocation ends the app's access`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.converseAsApp()
            let granted = try await fixture.daemon.grants()
            #expect(granted.map(\.state) == ["granted"])
            let list = try await fixture.daemon.ctl("access")
            #expect(list.code == 0)
            let row = try #require(list.output.split(separator: "\n").last)
            #expect(row.hasPrefix("Notes  unverified: ") && row.contains("granted"), "\(list.output)")

            let dry = try await fixture.daemon.ctl("access", "revoke", "Notes", "--dry-run", "--forget")
            #expect(dry.code == 0 && dry.output.hasPrefix("would be deleted or revoked:\n  "), "\(dry.error)")
            #expect(dry.output.contains("1 conversation"))
            #expect(try await fixture.daemon.grants() == granted)
            #expect(try await fixture.daemon.ownConversations() == [conversation])

            let revoked = try await fixture.daemon.ctl("access", "revoke", "Notes")
            #expect(
                revoked.code == 0 && revoked.output.hasPrefix("deleted or revoked:\n  "), "\(revoked.error)")
            await #expect {
                try await fixture.daemon.ownConversations()
            } throws: {
                ($0 as? MinimalVarlinkClient.Failure)?.error == "io.cutied.Access.NotConfigured"
            }
            #expect(try await fixture.daemon.grants().map(\.state) == ["revoked"])
            #expect(try await fixture.daemon.fetchStatus().accounts.map(\.name) == ["default"])
            #expect(try await fixture.daemon.storedMessages() == 2)
            let again = try await fixture.daemon.ctl("access", "revoke", "Notes")
            #expect(
                again.code == 65 && again.error.contains("use --forget to delete the history"), "\(again)")
        }
    }

    @Test func `The messages of a revoked app are kept until the user deletes the messages`() async throws {
        try await EndToEndFixture.with { fixture in
            _ = try await fixture.converseAsApp()
            #expect(try await fixture.daemon.ctl("access", "revoke", "Notes").code == 0)
            let dry = try await fixture.daemon.ctl("access", "revoke", "Notes", "--dry-run", "--forget")
            #expect(
                dry.output == "would be deleted or revoked:\n  the history of notes: 1 conversation\n",
                "\(dry)")
            #expect(try await fixture.daemon.ctl("access", "revoke", "Notes", "--forget").code == 0)
            #expect(try await fixture.daemon.storedMessages() == 0)
            #expect(try await fixture.daemon.grants().isEmpty)
            let again = try await fixture.daemon.ctl("access", "revoke", "Notes", "--forget")
            #expect(again.code == 66 && again.error.contains("there is no app Notes here"))
        }
    }

    @Test func `An app gets its history back if the user allows the app again after a revocation`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            _ = try await fixture.converseAsApp()
            #expect(try await fixture.daemon.ctl("access", "revoke", "Notes").code == 0)
            #expect(try await fixture.requestAccessAsApp("allow") == nil)
            #expect(try await fixture.daemon.grants().map(\.state) == ["granted"])
            #expect(try await fixture.daemon.storedMessages() == 2)
        }
    }

    @Test func `After the data of an app is deleted, the database contains none of its messages`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            _ = try await fixture.converseAsApp()
            #expect(try await fixture.daemon.storedMessages() == 2)
            let run = try await fixture.daemon.ctl("access", "revoke", "notes", "--forget", "--json")
            #expect(run.code == 0 && run.output.hasPrefix(#"{"lost":["#), "\(run.error)")
            #expect(try await fixture.daemon.storedMessages() == 0)
            #expect(try await fixture.daemon.ctl("search", "menu").output == "nothing found\n")
        }
    }

    @Test func `A refusal is listed, and the app may ask again after the refusal is removed`() async throws {
        try await EndToEndFixture.with { fixture in
            let refusal = try await fixture.requestAccessAsApp("refuse")
            #expect(refusal == "io.cutied.Access.NotAllowed")
            #expect(try await fixture.daemon.grants().map(\.state) == ["refused"])
            #expect(try await fixture.daemon.ctl("access", "revoke", "Notes").code == 0)
            #expect(try await fixture.requestAccessAsApp("allow") == nil)
        }
    }
}

extension EndToEndFixture {
    /// Requests access as an app and answers the question on behalf of the user. Returns the error that the
    /// app receives; `nil` if access was granted.
    func requestAccessAsApp(_ answer: String, name: String = "Notes") async throws -> String? {
        let words = ["appId": sandbox.appID, "appName": name, "apiUrl": sandbox.url]
        async let reply: ConfiguredRecord = daemon.access.call("Configure", words)
        try await daemon.answerApp(answer)
        do { _ = try await reply } catch let failure as MinimalVarlinkClient.Failure { return failure.error }
        return nil
    }

    /// Starts a conversation as an app. Returns its ID once the daemon has stored the reply from support.
    fileprivate func converseAsApp() async throws -> String {
        #expect(try await requestAccessAsApp("allow") == nil)
        try await daemon.waitUntilConnected()
        let words = ["category": "question", "message": "Where is the export?"]
        let begun = try await daemon.access.call("CreateConversation", words, as: BegunRecord.self)
        let conversation = try #require(begun.conversationId)
        try await sandbox.reply("In the menu.", in: conversation)
        try await eventually("the reply is stored") { try await daemon.storedMessages() == 2 }
        return conversation
    }
}

extension DaemonFixture {
    fileprivate func grants() async throws -> [GrantRecord] {
        let run = try await ctl("access", "list", "--json")
        return try JSONDecoder().decode(GrantList.self, from: Data(run.output.utf8)).grants
    }

    /// Returns the IDs of the conversations that the app can see.
    fileprivate func ownConversations() async throws -> [String] {
        try await access.call("ListConversations", as: OwnList.self).conversations.map(\.conversationId)
    }

    /// Returns the number of stored messages. Uses a Python script, which shares no code with the daemon.
    fileprivate func storedMessages() async throws -> Int {
        let script = """
            import sqlite3, sys
            print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM message").fetchone()[0])
            """
        let count = try ChildProcess("/usr/bin/python3", ["-c", script, databaseFile])
        #expect(try await count.waitForExit() == 0, "\(count.standardError)")
        return try #require(count.lines.first.flatMap { Int($0) })
    }
}

private struct ConfiguredRecord: Decodable, Sendable { let account: String }

private struct BegunRecord: Decodable, Sendable { let conversationId: String? }

private struct OwnList: Decodable, Sendable {
    struct Conversation: Decodable, Sendable { let conversationId: String }

    let conversations: [Conversation]
}

private struct GrantRecord: Decodable, Hashable, Sendable {
    let app: String
    let appName: String
    let account: String?
    let state: String
}

private struct GrantList: Decodable, Sendable { let grants: [GrantRecord] }
