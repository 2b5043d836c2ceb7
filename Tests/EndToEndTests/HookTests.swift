import Foundation
import TestSupport
import Testing

@Suite struct `The reply hook` {
    @Test func `The hook gets each line of "watch" once, across a restart, and its output is in the journal`()
        async throws
    {
        try await Household.with { home in
            try home.hook("tee -a \(home.daemon.directory.file("lines"))")
            let conversation = try await home.daemon.converse("Hooked")
            #expect(try await home.daemon.ctl("reload").code == 0)
            let first = try await home.sandbox.reply("One", in: conversation)
            try await eventually("the hook ran") { home.hooked.count == 1 }
            try await home.daemon.stop()
            try await home.sandbox.replies(["Two", "Three"], in: conversation)
            try await home.daemon.start()
            try await eventually("it ran for the others") { home.hooked.count == 3 }
            try await home.daemon.restart()
            try await home.sandbox.reply("Four", in: conversation)
            try await eventually("and for the next") { home.hooked.count == 4 }
            #expect(home.hooked.map(\.data.message.message) == ["One", "Two", "Three", "Four"])
            let watched = try #require(try await home.daemon.log().first { $0.message == first })
            #expect(home.hooked[0].sequence == watched.sequence)
            #expect(home.daemon.journal.contains("output of a hook"))
        }
    }

    @Test func `The hook runs while notifications are off, and not for the first sync`() async throws {
        try await Household.with({ $0.isConnected = false }) { home in
            try home.hook("cat >> \(home.daemon.directory.file("lines"))")
            try await home.daemon.start()
            try await home.daemon.connected()
            #expect(try await home.daemon.ctl("notifications", "off").code == 0)
            let conversation = try await home.daemon.converse("Elsewhere")
            try await home.sandbox.reply("To my phone", in: conversation)
            try await eventually("the hook ran") { home.hooked.count == 1 }
            #expect(try home.popups.notifications.isEmpty)
        }
    }

    @Test func `The journal reports a hook that cannot run, and notifications are not affected`() async throws
    {
        try await Household.with({ $0.configuration = "hooks: {on_reply: [/no/such/hook]}" }) { home in
            let popup = try await home.popup("Question", "Answer")
            #expect(popup.body == "Answer")
            try await eventually("it is told") { home.daemon.journal.contains("a hook could not be started") }
        }
    }
}

private struct HookLine: Decodable {
    struct Details: Decodable { let message: Message }
    struct Message: Decodable { let message: String }
    let sequence: Int64
    let data: Details
}

extension Household {
    fileprivate func hook(_ script: String) throws {
        try configure("hooks: {on_reply: [/bin/sh, -c, '\(script)']}")
    }

    /// The lines that the hook received.
    fileprivate var hooked: [HookLine] {
        let text = (try? String(contentsOfFile: daemon.directory.file("lines"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(HookLine.self, from: Data($0.utf8))
        }
    }
}
