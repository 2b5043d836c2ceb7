import Foundation
import TestSupport
import Testing

/// Tests of the events that the window sends to a screen reader. Without such an event, a screen reader is
/// silent, even if all widgets have accessible names.
@Suite struct `A screen reader` {
    private static let main = "Cuti-E"

    @Test(.timeLimit(.minutes(10)))
    func `A screen reader speaks the choices of the filter menu when the menu opens for the first time`()
        async throws
    {
        try await withStaffWindow { fixture, user, _, _ in
            _ = try await fixture.daemon.startConversation("It crashes", "Each time", account: "shop")
            try await user.waitFor(.row("It crashes"))
            try await user.waitFor(window: Self.main)
            try await user.startListening()
            try await user.press("space", in: .button("Filter Filter"))
            try await user.waitToHear("All")
            try await user.pressKeys("Down", in: Self.main)
            try await user.waitToHear("Mine (0)")
            try await user.pressKeys("Tab", in: Self.main)
            try await user.waitToHear("Unread Only")
            try await fixture.saveScreenshot(of: user, "filter-menu")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A screen reader speaks the selected search result, and Return opens that conversation`()
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            _ = try await fixture.daemon.startConversation("Printing fails", "The first")
            let second = try await fixture.daemon.startConversation("Blue printer", "The second")
            #expect(try await fixture.showWindow(second, user).waitForExit() == 0)
            try await user.waitFor(.row("The second"))
            try await user.waitFor(window: Self.main)
            try await user.startListening()
            // Down moves the focus from a search of messages to its results.
            try await user.pressKeys("ctrl+f", in: Self.main)
            try await user.waitToHear("Search in conversations")
            try await user.typeText("second", in: Self.main)
            try await user.waitToHear("1 result")
            try await user.pressKeys("Down", in: Self.main)
            try await user.waitToHear("Blue printer")
            // After Ctrl+K, the field keeps the focus and Down selects a result.
            try await user.pressKeys("ctrl+k", in: Self.main)
            try await user.waitToHear("Go to Conversation")
            try await user.typeText("print", in: Self.main)
            try await user.waitToHear("Blue printer, Conversation, The second")
            try await user.pressKeys("Down", in: Self.main)
            try await user.waitToHear("2 of 2")
            try await fixture.saveScreenshot(of: user, "go-to-second")
            // Down stops at the last result.
            try await user.pressKeys("Down", "Return", in: Self.main)
            try await user.waitFor(.row("The first"))
            try await user.waitToHear("Your reply")
            try await user.pressKeys("ctrl+k", in: Self.main)
            try await user.typeText("none", in: Self.main)
            try await user.waitToHear("No Results Found")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A screen reader speaks the selected canned response while the text field has the focus`()
        async throws
    {
        try await withStaffWindow { fixture, user, _, _ in
            for (title, text) in [("Greeting", "Dear {{name}}"), ("Goodbye", "See you")] {
                let added = try await fixture.daemon.ctl(
                    "canned", "add", "--title", title, text, "--account", "work")
                #expect(added.code == 0, "\(added)")
            }
            let thread = try await fixture.daemon.startConversation("First", "Each time", account: "shop")
            let link = "cutie://conversation/\(thread)?account=work"
            #expect(try await fixture.showWindow(link, user).waitForExit() == 0)
            try await user.waitFor(.row("Ada, Each time"))
            try await user.waitFor(window: Self.main)
            try await user.startListening()
            try await user.pressKeys("ctrl+r", in: Self.main)
            try await user.waitToHear("Your reply")
            try await user.typeText("/", in: Self.main)
            try await user.waitToHear("1 of 2")
            try await user.pressKeys("Down", in: Self.main)
            try await user.waitToHear("2 of 2")
            try await user.typeText("gree", in: Self.main)
            try await user.waitToHear("Greeting, Dear Ada, 1 of 1")
        }
    }
}
