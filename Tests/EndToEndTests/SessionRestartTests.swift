import Foundation
import TestSupport
import Testing

@Suite struct `Restarts of session services` {
    @Test
    func `No reply is lost if the bus, the keyring and the notification server restart at random times`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let keyring = try await Keyring(on: fixture.bus)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            var replies = try await ConversationActions(of: 2, in: fixture)
            var generator = Chaos.makeGenerator(.stream)
            for _ in 0..<Chaos.sessionRounds {
                for part in SessionPart.allCases.shuffled(using: &generator) {
                    let delay = Duration.random(using: &generator)
                    async let restart: Void = part.restart(in: fixture, keyring, after: delay)
                    try await Task.sleep(for: .random(using: &generator))
                    try await replies.send(2)
                    // A reload makes the daemon access the keyring while the keyring may be restarting.
                    _ = try await fixture.daemon.ctl("reload")
                    try await restart
                    try await replies.announced()
                    try await replies.expectReadEverywhere()
                }
            }
            try await fixture.daemon.waitForStatus("a notification server") { $0.notifier.available }
            try await replies.expectInLogOnce()
            try await replies.expectNoRepeats()
            let device = try await fixture.makeDevice()
            #expect(try await keyring.search("subject", device.id).contains("device-token"))
        }
    }
}

/// A part of the session that the daemon uses: the bus or a service on the bus.
private enum SessionPart: CaseIterable {
    case bus, keyring, notificationServer

    func restart(in fixture: EndToEndFixture, _ keyring: Keyring, after delay: Duration) async throws {
        try await Task.sleep(for: delay)
        switch self {
        case .bus:
            try await fixture.killBus()
            try await Task.sleep(for: delay)
            try await fixture.restartBus()
            try await keyring.restart(on: fixture.bus)
            try await fixture.showNotifications()
        case .keyring:
            try await keyring.stop()
            try await Task.sleep(for: delay)
            try await keyring.restart()
        case .notificationServer:
            try await fixture.notificationServer.killProcess()
            try await Task.sleep(for: delay)
            try await fixture.showNotifications()
        }
    }
}

extension Duration {
    /// Returns a random delay of up to 400 ms, so that a fault occurs before, while or after a reply is
    /// shown.
    fileprivate static func random(using generator: inout SeededGenerator) -> Duration {
        .milliseconds(Int.random(in: 0...400, using: &generator))
    }
}

extension ConversationActions {
    /// Marks all conversations read, which closes all notifications, and checks that the badge becomes 0.
    fileprivate func expectReadEverywhere() async throws {
        for conversation in conversations {
            #expect(try await fixture.daemon.ctl("read", conversation).code == 0)
        }
        try await fixture.daemon.waitForBadge(0)
    }

    /// Checks that each reply was shown, and was shown again only after the notification server had lost it.
    fileprivate func expectNoRepeats() async throws {
        for message in sent {
            let steps = try await fixture.daemon.fetchLedger(of: message.id).stages.filter {
                $0 == "shown" || $0 == "held"
            }
            let isRepeated = zip(steps, steps.dropFirst()).contains { $0 == "shown" && $1 == "shown" }
            if isRepeated || !steps.contains("shown") { Issue.record("\(message.text): \(steps)") }
        }
    }
}
