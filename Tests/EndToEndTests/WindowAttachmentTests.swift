import Foundation
import TestSupport
import Testing

/// Tests that the window explains that a message cannot contain attachments.
@Suite struct `Images and files in the window` {
    private static let main = "Cuti-E"
    private static let sentence = DesktopUser.Target.anything("Images and files cannot be attached")

    private func offer(_ offer: DesktopPeer.Offer, _ fixture: EndToEndFixture, _ user: DesktopUser)
        async throws
        -> DesktopPeer
    {
        try await DesktopPeer(
            offer, environment: fixture.daemon.environment.merging(user.environment) { $1 })
    }

    @Test(.timeLimit(.minutes(10)), arguments: [DesktopPeer.Offer.image, .files])
    func `Pasting an image or a file shows an explanation and keeps the typed text`(kind: DesktopPeer.Offer)
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, user).waitForExit() == 0)
            try await user.waitFor(.row("The first"))
            try await user.pressKeys("ctrl+r", in: Self.main)
            try await user.typeText("Look: ", in: Self.main)
            let peer = try await offer(kind, fixture, user)
            try await eventually("the explanation") {
                try await user.pressKeys("ctrl+v", in: Self.main)
                return try await user.count(Self.sentence) > 0
            }
            try await fixture.saveScreenshot(of: user, "attachment-\(kind)")
            try await peer.end()
            // Pasting text must still work.
            let text = try await offer(.text, fixture, user)
            try await user.pressKeys("ctrl+v", in: Self.main)
            try await eventually("the pasted text") {
                try await user.readText(.field("Your reply")).contains("Look: pasted")
            }
            try await text.end()
            try await user.pressKeys("ctrl+Return", in: Self.main)
            try await eventually("the message") {
                try await fixture.sandbox.fetchTexts(in: thread) == ["The first", "Look: pasted"]
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Pasting an image into the form shows an explanation and keeps the form's text`() async throws {
        try await withInboxWindow { fixture, user, _ in
            try await user.click(.button("Write Feedback"))
            try await user.typeText("It crashes", in: "New Feedback")
            let peer = try await offer(.image, fixture, user)
            try await eventually("the explanation") {
                try await user.pressKeys("ctrl+v", in: "New Feedback")
                return try await user.count(
                    .anything("Images and files cannot be attached", in: "New Feedback")) > 0
            }
            try await peer.end()
            try await user.pressKeys("ctrl+Return", in: "New Feedback")
            try await eventually("the feedback") { try await fixture.sandbox.fetchThreads().count == 1 }
            let thread = try #require(try await fixture.sandbox.fetchThreads().first).conversation_id
            #expect(try await fixture.sandbox.fetchTexts(in: thread) == ["It crashes"])
        }
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: [(.drag, nil), (.link, "https://example.com/page")] as [(DesktopPeer.Offer, String?)])
    func `Dropping a file shows an explanation, and dropping a link inserts the link as text`(
        kind: DesktopPeer.Offer, text: String?
    )
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, user).waitForExit() == 0)
            try await user.waitFor(.row("The first"))
            try await user.pressKeys("ctrl+r", in: Self.main)
            try await user.typeText("Look: ", in: Self.main)
            try await user.resize(Self.main, to: (980, 600))
            let peer = try await offer(kind, fixture, user)
            try await user.drag(from: "Files", to: Self.main, at: (600, 570))
            if text == nil { try await user.waitFor(Self.sentence) }
            try await eventually("the text") {
                try await user.readText(.field("Your reply")).contains("Look: " + (text ?? ""))
            }
            try await fixture.saveScreenshot(of: user, "dropped-\(kind)")
            #expect(try await !user.readText(.field("Your reply")).contains("hostname"))
            try await peer.end()
        }
    }
}
