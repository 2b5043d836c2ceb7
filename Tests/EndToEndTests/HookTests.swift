import Foundation
import TestSupport
import Testing

@Suite struct `The reply hook` {
    @Test
    func `The hook gets each event line once, even across a restart, and its output is logged`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            try fixture.hook("tee -a \(fixture.daemon.directory.file("lines"))")
            let conversation = try await fixture.daemon.startConversation("Hooked")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            let first = try await fixture.sandbox.reply("One", in: conversation)
            try await eventually("the hook ran") { fixture.hooked.count == 1 }
            try await fixture.daemon.stop()
            try await fixture.sandbox.sendReplies(["Two", "Three"], in: conversation)
            try await fixture.daemon.start()
            try await eventually("the hook ran for the other replies") { fixture.hooked.count == 3 }
            try await fixture.daemon.restart()
            try await fixture.sandbox.reply("Four", in: conversation)
            try await eventually("the hook ran for the next reply") { fixture.hooked.count == 4 }
            #expect(fixture.hooked.map(\.data.message.message) == ["One", "Two", "Three", "Four"])
            let watched = try #require(try await fixture.daemon.fetchLog().first { $0.message == first })
            #expect(fixture.hooked[0].sequence == watched.sequence)
            #expect(fixture.daemon.journal.contains("output of a hook"))
        }
    }

    @Test func `The hook runs while notifications are off, but not for the first sync`() async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.hook("cat >> \(fixture.daemon.directory.file("lines"))")
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.daemon.ctl("notifications", "off").code == 0)
            let conversation = try await fixture.daemon.startConversation("Elsewhere")
            try await fixture.sandbox.reply("To my phone", in: conversation)
            try await eventually("the hook ran") { fixture.hooked.count == 1 }
            #expect(try fixture.notificationServer.notifications.isEmpty)
        }
    }

    @Test func `The journal reports a hook that cannot be run, and notifications are still shown`()
        async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "hooks: {on_reply: [/no/such/hook]}" }) {
            fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            #expect(popup.body == "Answer")
            try await eventually("the failure of the hook is logged") {
                fixture.daemon.journal.contains("a hook could not be started")
            }
        }
    }
}

private struct HookLine: Decodable {
    struct Details: Decodable { let message: Message }
    struct Message: Decodable { let message: String }
    let sequence: Int64
    let data: Details
}

extension EndToEndFixture {
    fileprivate func hook(_ script: String) throws {
        try configure("hooks: {on_reply: [/bin/sh, -c, '\(script)']}")
    }

    fileprivate var hooked: [HookLine] {
        let text = (try? String(contentsOfFile: daemon.directory.file("lines"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(HookLine.self, from: Data($0.utf8))
        }
    }
}
