import Config
import ControlAPI
import CutieAPI
import Foundation
import NotificationPolicy
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct ReplyHookTests {
    private let fixture: IngestFixture
    private let accounts: AccountRegistry

    init() throws {
        fixture = try IngestFixture()
        accounts = try fixture.accounts()
    }

    private var file: String { fixture.directory.file("ran") }

    /// Returns the IDs of the messages for which the hook ran, in order.
    private func processedMessages() -> [String] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Returns a hook that appends the message ID of each input line to a file.
    private func hook(
        _ script: String = "", policy: Policy = Policy(), command: [String]? = nil
    ) -> ReplyHook {
        let writing = #"sed 's/.*"message":"\(m[0-9]*\)".*/\1/' >>"# + "'\(file)'"
        return ReplyHook(
            command: command ?? ["/bin/sh", "-c", script + writing],
            ingest: fixture.ingest, accounts: accounts,
            caller: HookCaller(
                environment: ["PATH": "/usr/bin:/bin"], logger: .silent, timeout: .seconds(10)),
            policy: { policy })
    }

    /// Waits until the hook has processed the whole event log.
    private func waitUntilProcessed() async throws {
        try await eventually("all events are passed to the hook") {
            try fixture.store.read { try $0.settings.fetchText(ofSetting: "hook") }
                == String(fixture.ingest.head.value)
        }
    }

    private func reply(_ number: Int, by sender: SenderType = .admin, in conversation: Conversation.ID = "c")
        throws
    {
        let message = Message.sample(.init("m\(number)"), in: conversation, by: sender, at: Int64(number))
        try fixture.accept(.reply(message, unread: nil, event: .init("e\(number)")))
    }

    @Test
    func `The hook runs once per reply, in order, for replies that arrive after the hook is configured`()
        async throws
    {
        try reply(0)
        try await running(hook().run) {
            try await waitUntilProcessed()
            for number in 1...5 { try reply(number) }
            try await waitUntilProcessed()
        }
        #expect(processedMessages() == ["m1", "m2", "m3", "m4", "m5"])
    }

    @Test func `The hook runs once for each reply that arrived while the daemon was stopped`() async throws {
        try await running(hook().run) { try await waitUntilProcessed() }
        for number in 1...3 { try reply(number) }
        try await running(hook().run) { try await waitUntilProcessed() }
        try await running(hook().run) { try await waitUntilProcessed() }
        #expect(processedMessages() == ["m1", "m2", "m3"])
    }

    @Test func `The hook does not run for replies that arrived while no hook was configured`() async throws {
        let hook = hook()
        let command = hook.command
        try await running(hook.run) {
            try await waitUntilProcessed()
            hook.command = nil
            try await eventually("the position of the hook is removed") {
                try fixture.store.read { try $0.settings.fetchText(ofSetting: "hook") } == nil
            }
            try reply(1)
            hook.command = command
            try await waitUntilProcessed()
            try reply(2)
            try await waitUntilProcessed()
        }
        #expect(processedMessages() == ["m2"])
    }

    @Test
    func
        `The hook does not run for the user's own, system, read or ignored messages, or during a first sync`()
        async throws
    {
        var rule = Rule()
        rule.match.conversation = ["ignored"]
        rule.then.show = .ignore
        try await running(hook(policy: Policy(rules: [rule], enabled: false)).run) {
            try await waitUntilProcessed()
            try reply(1, by: .user)
            try reply(2, by: .system)
            try reply(3, in: "ignored")
            for (id, first) in [("f", true), ("r", false)] {
                try fixture.ingest.applyFetched(
                    .sample(
                        .init(id), unread: first ? 1 : 0, at: 9,
                        [.sample(first ? "m41" : "m42", in: .init(id), at: 8)]),
                    listedVersion: .sample(.init(id), unread: first ? 1 : 0, at: 9), account: fixture.account,
                    isFirstSync: first)
            }
            try reply(5)
            try await waitUntilProcessed()
        }
        #expect(processedMessages() == ["m5"])
    }

    @Test func `A failing or missing hook does not affect the daemon`() async throws {
        try await running(hook(command: ["/no/such/hook"]).run) {
            try await waitUntilProcessed()
            try reply(1)
            try await waitUntilProcessed()
        }
        try await running(hook(command: ["false"]).run) {
            try reply(2)
            try await waitUntilProcessed()
        }
        try await running(hook().run) {
            try reply(3)
            try await waitUntilProcessed()
        }
        #expect(processedMessages() == ["m3"])
    }

    @Test func `Only one hook process runs at a time, even if many replies arrive`() async throws {
        let lock = fixture.directory.file("lock")
        let hook = hook("mkdir '\(lock)' || echo two >>'\(file)'; sleep 0.01; rmdir '\(lock)'; ")
        try await running(hook.run) {
            try await waitUntilProcessed()
            for number in 1...30 { try reply(number) }
            try await waitUntilProcessed()
        }
        #expect(processedMessages() == (1...30).map { "m\($0)" })
    }
}
