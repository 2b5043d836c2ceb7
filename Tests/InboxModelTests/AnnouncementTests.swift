import ControlAPI
import Testing

@testable import InboxModel

/// Tests of the screen reader announcements for new messages, and of the accessible name of a row.
struct AnnouncementTests {
    private static let view = InboxFixture.view("a")

    private func announced(_ message: MessageView, in fixture: InboxFixture, at time: Int64? = nil)
        -> [String]
    {
        var fixture = fixture
        let details = LogDetails(message: message, conversation: Self.view)
        let entry = Watch.Reply(
            sequence: 1, type: .messageCreated, at: time ?? fixture.now, account: "default", data: details)
        return fixture.receive(.entry(entry)).compactMap {
            if case .announceToScreenReader(let text) = $0 { text } else { nil }
        }
    }

    private func fixture(isFocused: Bool = true, hidesText: Bool = false) -> InboxFixture {
        var fixture = InboxFixture.filled([Self.view], status: InboxFixture.status(hidesText: hidesText))
        fixture.receive(.window(isFocused: isFocused, showsThread: true))
        return fixture
    }

    @Test func `A screen reader announces a reply with its sender and the beginning of its text`() {
        #expect(announced(InboxFixture.message("m", "Hello\nthere"), in: fixture()) == ["Ada: Hello there"])
        let long = announced(InboxFixture.message("m", String(repeating: "word ", count: 100)), in: fixture())
        #expect(long.count == 1 && long[0].count <= 5 + 81)
    }

    @Test func `A screen reader announcement omits the text of a reply if notifications omit it`() {
        #expect(
            announced(InboxFixture.message("m", "Secret"), in: fixture(hidesText: true)) == [
                "New message from Ada"
            ])
    }

    @Test
    func `New replies are announced to the screen reader only while the window has focus`() {
        var own = InboxFixture.message("m", by: "user")
        own.own = true
        #expect(announced(own, in: fixture()).isEmpty)
        #expect(announced(InboxFixture.message("m", by: "system"), in: fixture()).isEmpty)
        #expect(
            announced(
                InboxFixture.message("m"), in: fixture(), at: InboxFixture.morning - InboxFixture.minute
            ).isEmpty)
        #expect(announced(InboxFixture.message("m"), in: fixture(isFocused: false)).isEmpty)
    }

    @Test func `Typing a draft does not change the accessible name of the conversation's row`() {
        var fixture = fixture()
        fixture.receive(.choose(Self.view.key))
        fixture.receive([], Self.view)
        let before = fixture.state.row(for: Self.view.key)?.accessibleText
        fixture.receive(.editDraft("H"), .editDraft("He"))
        #expect(fixture.state.row(for: Self.view.key)?.draft == nil)
        #expect(fixture.state.row(for: Self.view.key)?.accessibleText == before)
        fixture.receive(.choose(nil))
        #expect(fixture.state.row(for: Self.view.key)?.draft == "He")
        #expect(fixture.state.row(for: Self.view.key)?.accessibleText.contains("Draft: He") == true)
    }
}
