import Glibc
import NotificationPolicy
import TestSupport
import Testing

@testable import Desktop

private let popup = DesktopNotification(summary: "s", body: "b")

@Suite struct `Notifier errors` {
    @Test func `The notifier reports a missing session bus`() async {
        await #expect(processExitsWith: .success) {
            setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1)
            let notifier = Notifier(applicationName: "cutied")
            #expect(await notifier.fetchServer() == nil)
            let error = await #expect(throws: NotifierError.self) { try await notifier.show(popup) }
            guard case .noBus = error else { throw try #require(error) }
        }
    }

    @Test func `The notifier reports a missing notification server, and uses a server that starts later`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                #expect(await notifier.fetchServer() == nil)
                let error = await #expect(throws: NotifierError.self) { try await notifier.show(popup) }
                guard case .noServer = error else { throw try #require(error) }
                let server = try await RecordingNotificationServer(on: bus)
                #expect(try await notifier.show(popup) == 1)
                #expect(server.notifications.count == 1)
            }
        }
    }

    @Test
    func `A notification server that exits at once is not started again before the backoff has elapsed`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let countStarts = try bus.installExitingServer()
                let start = ContinuousClock.now
                #expect(await notifier.fetchServer() == nil)
                #expect(try countStarts() == 1)
                #expect(notifier.startFailure?.contains("exited with status 3") == true)
                let error = await #expect(throws: NotifierError.self) { try await notifier.show(popup) }
                guard case .serverExited = error else { throw try #require(error) }
                let starts = try countStarts()
                // The backoff of one second may already have elapsed if the machine is busy.
                #expect(starts == 1 || ContinuousClock.now - start > .seconds(1))
                try await eventually("another start after the backoff") {
                    #expect(await notifier.fetchServer() == nil)
                    return try countStarts() > 1
                }
            }
        }
    }

    @Test func `Concurrent calls to the notifier complete while signals arrive`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                let id = try await notifier.show(popup)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            for _ in 0..<50 { _ = try await notifier.show(popup, replacing: id) }
                        }
                    }
                    // The signals and the calls use the same event loop, so the signals could block the
                    // calls.
                    group.addTask { for _ in 0..<20 { try await server.invoke("default", on: id) } }
                    try await group.waitForAll()
                }
                #expect(server.notifications.count == 401)
            }
        }
    }

    @Test
    func `If the notification server is killed, one error is reported, and the next server is used`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let log = EventLog(of: notifier)
                let first = try await RecordingNotificationServer(on: bus)
                let old = try await notifier.show(popup)
                try await first.killProcess()
                let error = await #expect(throws: NotifierError.self) {
                    try await notifier.show(popup, replacing: old)
                }
                guard case .noServer = error else { throw try #require(error) }
                await notifier.discardAllIDs()
                let second = try await RecordingNotificationServer(on: bus)
                let new = try await notifier.show(popup)
                try await second.close(new)
                try await #expect(log.first(1) == [.closed(id: new, reason: .dismissed)])
            }
        }
    }

    @Test func `Closing a notification fails if its server has exited`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let server = try await RecordingNotificationServer(on: bus)
                let id = try await notifier.show(popup)
                try await server.killProcess()
                let error = await #expect(throws: NotifierError.self) { try await notifier.close(id) }
                guard case .noServer = error else { throw try #require(error) }
            }
        }
    }

    @Test func `A restart of the notification server between two calls causes no error`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let first = try await RecordingNotificationServer(on: bus)
                _ = try await notifier.show(popup)
                try await first.killProcess()
                let second = try await RecordingNotificationServer(on: bus)
                _ = try await notifier.show(popup)
                #expect(second.notifications.count == 1)
            }
        }
    }

    @Test func `After a restart of the server, an old notification ID is not used to close a notification`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let first = try await RecordingNotificationServer(on: bus)
                let log = EventLog(of: notifier)
                let id = try await notifier.show(popup)
                try await first.close(id, reason: 1)
                _ = try await log.first(1)
                try await first.killProcess()
                // The second server may have assigned this ID to a notification of another program.
                let second = try await RecordingNotificationServer(on: bus)
                try await notifier.removeFromHistory(id)
                #expect(second.closeRequests.isEmpty)
                let new = try await notifier.show(popup)
                #expect(new == id)
                try await second.close(new, reason: 1)
                _ = try await log.first(2)
                try await notifier.removeFromHistory(new)
                #expect(second.closeRequests == [new])
            }
        }
    }

    @Test
    func `After another server has started, a notification of the old server cannot be replaced`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let first = try await RecordingNotificationServer(on: bus)
                let id = try await notifier.show(popup)
                #expect(try await notifier.show(popup, replacing: id) == id)
                try await first.killProcess()
                var other = RecordingNotificationServer.Appearance()
                other.name = "other"
                let second = try await RecordingNotificationServer(on: bus, as: other)
                await #expect(throws: NotifierError.serverChanged("other")) {
                    try await notifier.show(popup, replacing: id)
                }
                await notifier.discardAllIDs()
                _ = try await notifier.show(popup)
                #expect(second.notifications.map(\.replaces) == [0])
            }
        }
    }

    @Test(arguments: [(seconds: 600, requests: 0), (0, 5)])
    func `Replacing a notification queries the server only if the cached description has expired`(
        seconds: Int, requests: Int
    ) async {
        await #expect(processExitsWith: .success) { [seconds, requests] in
            try await withPrivateBus(descriptionLifetime: .seconds(seconds)) { bus, notifier in
                let server = try await RecordingNotificationServer(on: bus)
                let id = try await notifier.show(popup)
                // libnotify also queries the server once when it shows the first notification.
                let first = server.descriptionRequests
                for _ in 1...5 { #expect(try await notifier.show(popup, replacing: id) == id) }
                #expect(server.notifications.count == 6)
                #expect(server.descriptionRequests - first == requests)
            }
        }
    }

    @Test func `If the session bus is killed, the process continues and uses the next session bus`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let server = try await RecordingNotificationServer(on: bus)
                let id = try await notifier.show(popup)
                try await bus.killProcess()
                let error = await #expect(throws: NotifierError.self) {
                    try await notifier.show(popup, replacing: id)
                }
                guard case .noBus = error else { throw try #require(error) }
                withExtendedLifetime(server) {}
                let next = try await bus.makeSuccessor()
                let heir = try await RecordingNotificationServer(on: next)
                try await eventually("a notification on the new bus") {
                    (try? await notifier.show(popup)) != nil
                }
                #expect(heir.notifications.count == 1)
            }
        }
    }

    @Test func `Killing the session bus while the notifier is idle does not end the process`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let server = try await RecordingNotificationServer(on: bus)
                _ = try await notifier.show(popup)
                try await bus.killProcess()
                // The calls return after the loop's thread has handled the exit of the bus. By default, GDBus
                // would raise SIGTERM at that point.
                await notifier.discardAllIDs()
                await notifier.discardAllIDs()
                #expect(await notifier.fetchServer() == nil)
                withExtendedLifetime(server) {}
            }
        }
    }

    @Test func `After each of several restarts of the session bus, the next notification is shown`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { first, notifier in
                var bus = first
                for round in 1...5 {
                    let server = try await RecordingNotificationServer(on: bus)
                    try await eventually("a notification on bus \(round)") {
                        (try? await notifier.show(popup)) != nil
                    }
                    #expect(server.notifications.count == 1)
                    try await bus.killProcess()
                    // In every other round, a call detects the exit of the bus first. In the remaining
                    // rounds, the event loop detects the exit first.
                    if round.isMultiple(of: 2) { _ = try? await notifier.show(popup) }
                    withExtendedLifetime(server) {}
                    bus = try await bus.makeSuccessor()
                }
            }
        }
    }

    @Test func `The text of a notification is plain if the server does not list its capabilities`() async {
        await #expect(processExitsWith: .success) {
            var mute = RecordingNotificationServer.Appearance()
            mute.failing = ["GetCapabilities"]
            try await withRecorder(as: mute) { server, notifier, _ in
                let description = try #require(await notifier.fetchServer())
                #expect(description.problem?.contains("GetCapabilities") == true)
                #expect(description.isUsable && description.capabilities.isEmpty)
                _ = try await notifier.show(popup)
                #expect(server.notifications.map(\.body) == ["b"])
            }
        }
    }

    @Test func `A server that does not respond to GetServerInformation is reported as unusable`() async {
        await #expect(processExitsWith: .success) {
            var mute = RecordingNotificationServer.Appearance()
            mute.failing = ["GetServerInformation"]
            try await withRecorder(as: mute) { _, notifier, _ in
                let description = try #require(await notifier.fetchServer())
                #expect(description.problem?.contains("GetServerInformation") == true)
                #expect(!description.isUsable)
            }
        }
    }

    @Test func `A long error message from the notification server is truncated at a character boundary`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                try await server.refuse(with: String(repeating: "ä", count: 1000))
                await #expect(throws: NotifierError.refused(String(repeating: "ä", count: 127))) {
                    try await notifier.show(DesktopNotification(summary: "s", body: "b"))
                }
            }
        }
    }

    @Test func `The error for a refused notification contains the message from the server`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                try await server.refuse(with: "too many notifications")
                await #expect(throws: NotifierError.refused("too many notifications")) {
                    try await notifier.show(popup)
                }
                #expect(try await notifier.show(popup) == 1)
            }
        }
    }

    @Test func `A notification server with an invalid specification version is not used`() async {
        await #expect(processExitsWith: .success) {
            var odd = RecordingNotificationServer.Appearance()
            odd.specVersion = "new"
            try await withPrivateBus { bus, notifier in
                let server = try await RecordingNotificationServer(on: bus, as: odd)
                let error = await #expect(throws: NotifierError.self) { try await notifier.show(popup) }
                guard case .noServer = error else { throw try #require(error) }
                #expect(server.notifications.isEmpty)
                try await server.killProcess()
                let sound = try await RecordingNotificationServer(on: bus)
                var picture = popup
                picture.imagePath = "/bin/sh"
                _ = try await notifier.show(picture)
                // The hint name `image-path` depends on the specification version, so libnotify has queried
                // the new server.
                #expect(sound.notifications.first?.hints["image-path"] == "/bin/sh")
            }
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `A call times out and does not block other calls if the notification server hangs`() async {
        await #expect(processExitsWith: .success) {
            try await withRecorder { server, notifier, _ in
                _ = try await notifier.show(popup)
                try await server.suspend()
                let shows = Task { try await notifier.show(popup) }
                let cancelled = Task { try await notifier.show(popup) }
                cancelled.cancel()
                await #expect(throws: NotifierError.cancelled) { try await cancelled.value }
                await #expect(throws: NotifierError.timedOut) { try await shows.value }
                server.resume()
                try await eventually("a notification again") { (try? await notifier.show(popup)) != nil }
            }
        }
    }
}
