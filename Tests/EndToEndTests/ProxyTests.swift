import Foundation
import TestSupport
import Testing

@Suite struct `Proxies that block events` {
    /// A fault that a proxy injects into a transport.
    enum Fault: String, CaseIterable {
        case held = "stream held", silent = "stream without a byte", reset = "stream reset"
        case redirected = "stream redirected", ended = "stream ends at once", hanging = "long-poll hangs"

        var transport: ForcedTransport { self == .hanging ? .longPoll : .stream }

        /// Whether the daemon detects the fault immediately, without a timeout.
        var isQuick: Bool { [.reset, .redirected, .ended].contains(self) }

        func inject(into connection: RawConnection) {
            switch self {
            case .held, .hanging: connection.waitForClose()
            case .silent:
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                connection.waitForClose()
            case .reset: connection.reset()
            case .redirected: connection.answer("302 Found", ["Location: https://login.example/"])
            case .ended:
                connection.beginStream()
                connection.close()
            }
        }
    }

    @Test(arguments: Fault.allCases)
    func `If the stream is blocked, each reply arrives with the next poll at the latest, and none is lost`(
        _ fault: Fault
    )
        async throws
    {
        try await EndToEndFixture.with({
            $0.isConnected = false
            if fault == .hanging { $0.without = ["stream"] }
        }) { fixture in
            let proxy = try FaultyProxy(
                before: fixture.sandbox.port,
                ["GET /v1/events/stream": fault.inject, "GET /v1/events?": fault.inject])
            try fixture.connect(by: proxy.url)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected(by: "poll")
            var replies = try await ConversationActions(of: 3, in: fixture)
            var damage = Damage(of: fault.rawValue, fault.transport, rounds: Chaos.rareRounds)
            for round in 0..<Chaos.rareRounds {
                try await replies.send(3)
                let written = replies.sent.count
                try await damage.recovery { try await fixture.daemon.waitForBadge(written) }
                // Reconnecting must neither lose a reply nor delay it further.
                if round.isMultiple(of: 2) { #expect(try await fixture.daemon.ctl("reconnect").code == 0) }
            }
            // The limit is two poll intervals plus some time for a busy machine.
            damage.expectRecovery(within: .seconds(10))
            if fault.isQuick || Chaos.isLong {
                let status = try await fixture.daemon.waitForStatus("the reason for polling") {
                    $0.accounts[0].reason?.contains("the transports stream") == true
                }
                #expect(status.accounts[0].transport == "poll")
            }
            try await replies.announced()
            try await damage.appendRow(of: replies)
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            try await replies.expectBadgeOfServer()
        }
    }

    /// If the stream is not chunked, nginx sends nothing, not even the response header, until its buffer is
    /// full.
    @Test(.enabled(if: Nginx.isInstalled, "nginx is not installed"))
    func `Behind nginx with default settings, no reply is lost even if the stream is not chunked`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let server = try FaultyProxy(
                before: fixture.sandbox.port,
                [
                    "GET /v1/events/stream": { connection in
                        connection.beginStream()
                        while connection.write(": here\n\n") { sleep(1) }
                    }
                ])
            let nginx = try await Nginx(before: server.port)
            try fixture.connect(by: nginx.url)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected(by: "poll")
            var replies = try await ConversationActions(of: 2, in: fixture)
            for _ in 0..<2 {
                try await replies.send(4)
                try await fixture.daemon.waitForBadge(replies.sent.count)
                #expect(try await fixture.daemon.ctl("reconnect").code == 0)
            }
            try await replies.send(2)
            try await fixture.daemon.waitForBadge(replies.sent.count)
            try await replies.announced()
            try await replies.expectInLogOnce()
            try await replies.expectShownOnce()
            #expect(server.requestCount(of: "GET /v1/events/stream") > 0)
        }
    }
}

extension EndToEndFixture {
    /// Configures an account on the sandbox with another URL, such as the URL of a proxy.
    fileprivate func connect(by url: String) throws {
        try daemon.configure(
            """
            app_id: \(sandbox.appID)
            api_url: \(url)
            poll_interval: 1
            \(opener)
            questions: false

            """)
    }
}
