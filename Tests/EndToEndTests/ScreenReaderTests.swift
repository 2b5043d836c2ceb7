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
        try await inFrontOfKimsWindow { fixture, person, _, _ in
            _ = try await fixture.daemon.startConversation("It crashes", "Each time", account: "shop")
            try await person.waitFor(.row("It crashes"))
            try await person.waitFor(window: Self.main)
            try await person.startListening()
            try await person.press("space", in: .button("Filter Filter"))
            try await person.waitToHear("All")
            try await person.pressKeys("Down", in: Self.main)
            try await person.waitToHear("Mine (0)")
            try await person.pressKeys("Tab", in: Self.main)
            try await person.waitToHear("Unread Only")
            try await fixture.keepPicture(of: person, "filter-menu")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A screen reader speaks the selected search result, and Return opens that conversation`()
        async throws
    {
        try await inFrontOfTheWindow { fixture, person, _ in
            _ = try await fixture.daemon.startConversation("Printing fails", "The first")
            let second = try await fixture.daemon.startConversation("Blue printer", "The second")
            #expect(try await fixture.showWindow(second, person).exit() == 0)
            try await person.waitFor(.row("The second"))
            try await person.waitFor(window: Self.main)
            try await person.startListening()
            // Down moves the focus from a search of messages to its results.
            try await person.pressKeys("ctrl+f", in: Self.main)
            try await person.waitToHear("Search in conversations")
            try await person.typeText("second", in: Self.main)
            try await person.waitToHear("1 result")
            try await person.pressKeys("Down", in: Self.main)
            try await person.waitToHear("Blue printer")
            // In Ctrl+K, the field keeps the focus and Down selects a result.
            try await person.pressKeys("ctrl+k", in: Self.main)
            try await person.waitToHear("Go to Conversation")
            try await person.typeText("print", in: Self.main)
            try await person.waitToHear("Blue printer, Conversation, The second")
            try await person.pressKeys("Down", in: Self.main)
            try await person.waitToHear("2 of 2")
            try await fixture.keepPicture(of: person, "go-to-second")
            // Down stops at the last result.
            try await person.pressKeys("Down", "Return", in: Self.main)
            try await person.waitFor(.row("The first"))
            try await person.waitToHear("Your reply")
            try await person.pressKeys("ctrl+k", in: Self.main)
            try await person.typeText("none", in: Self.main)
            try await person.waitToHear("No Results Found")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A screen reader speaks the selected canned response while the text field has the focus`()
        async throws
    {
        try await inFrontOfKimsWindow { fixture, person, _, _ in
            for (title, text) in [("Greeting", "Dear {{name}}"), ("Goodbye", "See you")] {
                let added = try await fixture.daemon.ctl(
                    "canned", "add", "--title", title, text, "--account", "work")
                #expect(added.code == 0, "\(added)")
            }
            let thread = try await fixture.daemon.startConversation("First", "Each time", account: "shop")
            let link = "cutie://conversation/\(thread)?account=work"
            #expect(try await fixture.showWindow(link, person).exit() == 0)
            try await person.waitFor(.row("Each time"))
            try await person.waitFor(window: Self.main)
            try await person.startListening()
            try await person.pressKeys("ctrl+r", in: Self.main)
            try await person.waitToHear("Your reply")
            try await person.typeText("/", in: Self.main)
            try await person.waitToHear("1 of 2")
            try await person.pressKeys("Down", in: Self.main)
            try await person.waitToHear("2 of 2")
            try await person.typeText("gree", in: Self.main)
            try await person.waitToHear("Greeting, Dear Ada, 1 of 1")
        }
    }
}
