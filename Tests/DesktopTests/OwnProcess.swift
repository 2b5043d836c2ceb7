import Desktop
import Glibc
import NotificationPolicy
import TestSupport

/// Runs `body` with a private session bus. Call this function only in an exit test, because libnotify
/// supports one session bus per process. By default, the server description is not cached.
func withPrivateBus(
    descriptionLifetime: Duration = .zero, _ body: (PrivateBus, Notifier) async throws -> Void
) async throws {
    let bus = try await PrivateBus()
    setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
    try await body(bus, Notifier(applicationName: "cutied", descriptionLifetime: descriptionLifetime))
}

func withRecorder(
    as appearance: RecordingNotificationServer.Appearance = .init(),
    _ body: (RecordingNotificationServer, Notifier, EventLog) async throws -> Void
) async throws {
    try await withPrivateBus { bus, notifier in
        let server = try await RecordingNotificationServer(on: bus, as: appearance)
        try await body(server, notifier, EventLog(of: notifier))
    }
}

/// A recorder of the events that a notifier reports.
actor EventLog {
    private(set) var events: [NotificationEvent] = []

    init(of notifier: Notifier) {
        Task { [weak self] in
            for await event in notifier.events { await self?.add(event) }
        }
    }

    private func add(_ event: NotificationEvent) { events.append(event) }

    /// Waits for `count` events and returns the first `count` events.
    func first(_ count: Int) async throws -> [NotificationEvent] {
        try await eventually("\(count) events") { events.count >= count }
        return Array(events.prefix(count))
    }
}
