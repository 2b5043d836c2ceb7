import TestSupport
import Testing

/// Daemon and API in two network namespaces with a cable between them.
struct NetworkTests {
    @Test(.enabled(if: Namespace.network.isPossible, "network namespaces cannot be made here (unshare -rn)"))
    func `Cables that are pulled and packets that vanish cost no reply and little time`() async throws {
        guard !Namespace.network.isEntered else { return }
        let child = try Namespace.network.run(filter: "OverTheWireTests")
        let code = try await child.exit(within: .seconds(120))
        let output = child.standardOutput + child.standardError
        #expect(code == 0 && output.contains("1 test "), "\(output)")
    }
}

@Suite(.enabled(if: Namespace.network.isEntered, "run by NetworkTests"))
struct OverTheWireTests {
    private static let heartbeat = 1.0
    /// What is promised is 2 seconds; the rest of the tests may be at work on the same processors.
    private static let afterEvent = Duration.seconds(4)
    /// Two and a half heartbeats and 5 seconds.
    private static let afterSilence = Duration.seconds(2.5 * heartbeat + 5)

    @Test func `Events flow again soon after the network does`() async throws {
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
        try await daemon.connected(by: "stream")
        let thread = try await daemon.converse("Over the wire")

        try wire.unplug()
        try wire.reply("one", in: thread)
        try await daemon.status("offline") { $0.state != "connected" }
        try wire.plug()
        try await expect(1, at: daemon, within: Self.afterEvent)

        try await daemon.connected(by: "stream")
        // The rhythm is known after a few heartbeats, which leave no trace to wait for.
        try await Task.sleep(for: .seconds(5 * Self.heartbeat))
        try wire.swallow()
        try wire.reply("two", in: thread)
        try await daemon.status("silence noticed") { $0.state != "connected" }
        try wire.release()
        try await expect(2, at: daemon, within: Self.afterSilence)
        #expect(try await Set(daemon.loggedMessages()).count == daemon.loggedMessages().count)
        try await daemon.stop()
    }

    private func expect(_ badge: Int, at daemon: DaemonFixture, within limit: Duration) async throws {
        let start = ContinuousClock.now
        try await daemon.badge(badge)
        let taken = ContinuousClock.now - start
        #expect(taken <= limit, "\(daemon.journal.suffix(3000))")
    }
}
