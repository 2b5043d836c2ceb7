import Foundation
import TestSupport
import Testing

/// Tests with the daemon and the API in two network namespaces connected by a veth pair.
struct NetworkTests {
    @Test(.enabled(if: Namespace.network.isPossible, "network namespaces cannot be made here (unshare -rn)"))
    func `The suite OverTheWireTests passes in a network namespace`() async throws {
        guard !Namespace.network.isEntered else { return }
        let child = try Namespace.network.run(suite: "OverTheWireTests")
        let code = try await child.waitForExit()
        let output = child.standardOutput + child.standardError
        #expect(code == 0 && output.contains("1 test "), "\(output)")
    }
}

@Suite(.enabled(if: Namespace.network.isEntered, "run by NetworkTests"))
struct OverTheWireTests {
    private static let heartbeat = 1.0
    /// The maximum time between a change of the link, the address or the route and the arrival of the reply
    /// in the event log.
    private static let afterEvent = Duration.seconds(10)
    /// The maximum recovery time after a reset: up to one second for the first backoff delay, and the rest
    /// for connecting.
    private static let afterReset = Duration.seconds(10)
    /// The maximum recovery time after silence: the silence timeout of two and a half heartbeats, plus 5
    /// seconds.
    private static let afterSilence = Duration.seconds(2.5 * heartbeat + 5)

    @Test func `Replies arrive soon after the network is available again`() async throws {
        let wire = try await Wire(heartbeat: Self.heartbeat)
        let daemon = try DaemonFixture(
            session: [:],
            configuration: """
                app_id: app_sandbox
                api_url: \(wire.url)
                questions: false
                tls:
                  ca_file: \(wire.caFile)

                """)
        try await daemon.start()
        try await daemon.waitUntilConnected(by: "stream")
        let thread = try await daemon.startConversation("Over the wire")
        var badge = 0

        if wire.reset() {
            try wire.reply("none", in: thread)
            badge += 1
            try await daemon.expect(badge, within: Self.afterReset, since: .now)
            #expect(daemon.journal.contains("was lost"))
        }

        try await daemon.waitUntilConnected(by: "stream")
        try wire.unplug()
        try wire.reply("one", in: thread)
        try await daemon.waitForStatus("the account is offline") {
            $0.accounts[0].reason == "no network is available"
        }
        let attempts = daemon.attempts
        // Without a network, the daemon must not retry. A retry would occur within the first second.
        try await Task.sleep(for: .seconds(2))
        #expect(daemon.attempts == attempts)
        try wire.plug()
        badge += 1
        try await daemon.expect(badge, within: Self.afterEvent, since: .now)

        try await daemon.waitUntilConnected(by: "stream")
        // The daemon measures the interval of the heartbeats, and nothing reports when the measurement is
        // complete, so wait for five heartbeats.
        try await Task.sleep(for: .seconds(5 * Self.heartbeat))
        try wire.dropPackets()
        try wire.reply("two", in: thread)
        try await daemon.waitForStatus("the silence is noticed") { $0.state != "connected" }
        try wire.release()
        badge += 1
        try await daemon.expect(badge, within: Self.afterSilence, since: .now)
        #expect(try await Set(daemon.fetchLoggedMessages()).count == daemon.fetchLoggedMessages().count)
        try await daemon.stop()
    }
}

extension DaemonFixture {
    /// The number of connection attempts that failed.
    fileprivate var attempts: Int { journal.split(separator: "retry-in=").count }

    /// Checks that the newest reply arrived in time. Uses the time in the daemon's event log, because the
    /// test process itself may be delayed.
    fileprivate func expect(
        _ badge: Int, within limit: Duration, since start: Date, _ place: SourceLocation = #_sourceLocation
    ) async throws {
        try await self.waitForBadge(badge)
        let reply = try #require(try await fetchLog().last { $0.type == "message.created" })
        let taken = Duration.milliseconds(reply.at) - .seconds(start.timeIntervalSince1970)
        #expect(taken <= limit, "\(journal.suffix(3000))", sourceLocation: place)
    }
}
