import Desktop
import Foundation
import NotificationPolicy
import TestSupport
import Testing

@Suite struct `The notifier with dunst` {
    static let popup = {
        var popup = DesktopNotification(
            summary: "Ada · Export to CSV <fails>",
            body: "Thanks for the report! It is fixed in 2.4.1 & later.\nDoes \"1 < 2\" export now?")
        popup.stackTag = "conv_7"
        popup.actions = [
            .init(id: "default", label: "Open"), .init(id: "reply", label: "Reply"),
            .init(id: "mark-read", label: "Mark as read"),
        ]
        return popup
    }()

    @Test func `A click on a visible notification of dunst is reported`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let desktop = try await VirtualDesktop(on: bus), log = EventLog(of: notifier)
                #expect(await notifier.fetchServer()?.name == "dunst")
                let id = try await notifier.show(`The notifier with dunst`.popup)
                try await eventually("a notification on the screen") { try await desktop.showsNotification() }
                if let picture = ProcessInfo.processInfo.environment["POPUP_PICTURE"] {
                    try await desktop.screenshot(to: picture)
                }
                try await desktop.clickNotification()
                try await #expect(
                    log.first(2) == [
                        .action(id: id, name: "default", activationToken: nil),
                        .closed(id: id, reason: .dismissed),
                    ])
                try await eventually("no notification is visible") { try await !desktop.showsNotification() }
            }
        }
    }

    @Test func `After dunst has crashed and restarted, the next notification is shown`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let desktop = try await VirtualDesktop(on: bus), log = EventLog(of: notifier)
                let popup = `The notifier with dunst`.popup
                let old = try await notifier.show(popup)
                try await desktop.killServer()
                await #expect(throws: NotifierError.self) { try await notifier.show(popup, replacing: old) }
                await notifier.discardAllIDs()
                try await desktop.restartServer()
                let new = try await notifier.show(popup, replacing: old)
                try await desktop.clickNotification()
                try await #expect(log.first(1) == [.action(id: new, name: "default", activationToken: nil)])
            }
        }
    }

    @Test func `A notification is replaced in place and can be closed`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let desktop = try await VirtualDesktop(on: bus), log = EventLog(of: notifier)
                var popup = `The notifier with dunst`.popup
                let id = try await notifier.show(popup)
                popup.summary = "Ada, Bob"
                popup.isUpdate = true
                #expect(try await notifier.show(popup, replacing: id) == id)
                try await notifier.close(id)
                try await eventually("no notification is visible") { try await !desktop.showsNotification() }
                let next = try await notifier.show(popup)
                try await notifier.close(next)
                try await #expect(
                    log.first(2) == [.closed(id: id, reason: .byCall), .closed(id: next, reason: .byCall)])
            }
        }
    }

    /// Documents a limitation of dunst: it removes the actions of a closed notification, so it reports no
    /// click on a notification in its history (dunst(5), HISTORY). If this test fails, dunst reports such
    /// clicks, and the man page cutied(1) must be corrected. NotifierTests.swift covers servers that report
    /// such clicks.
    @Test func `Clicks on open notifications of dunst are reported, but clicks in its history are not`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, notifier in
                let desktop = try await VirtualDesktop(on: bus), log = EventLog(of: notifier)
                let id = try await notifier.show(`The notifier with dunst`.popup)
                try await notifier.close(id)
                try await eventually("no notification is visible") { try await !desktop.showsNotification() }
                try await desktop.showLastFromHistory()
                try await eventually("the notification is visible again") {
                    try await desktop.showsNotification()
                }
                try await desktop.invokeDefaultAction()
                try await desktop.clickNotification()
                try await eventually("no notification is visible") { try await !desktop.showsNotification() }
                let next = try await notifier.show(`The notifier with dunst`.popup)
                try await desktop.clickNotification()
                try await #expect(
                    log.first(3) == [
                        .closed(id: id, reason: .byCall),
                        .action(id: next, name: "default", activationToken: nil),
                        .closed(id: next, reason: .dismissed),
                    ])
            }
        }
    }
}
