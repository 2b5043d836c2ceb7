import ControlAPI
import Testing

@testable import InboxModel

/// Tests what a screen reader announces for new messages, and the accessible name of a row.
struct AnnouncementTests {
    private static let view = Desk.view("a")

    private func announced(_ message: MessageView, in desk: Desk, at time: Int64? = nil) -> [String] {
        var desk = desk
        let details = LogDetails(message: message, conversation: Self.view)
        let entry = Watch.Reply(
            sequence: 1, type: .messageCreated, at: time ?? desk.now, account: "default", data: details)
        return desk.receive(.entry(entry)).compactMap {
            if case .announce(let text) = $0 { text } else { nil }
        }
    }

    private func desk(isFocused: Bool = true, hidesText: Bool = false) -> Desk {
        var desk = Desk.filled([Self.view], status: Desk.status(hidesText: hidesText))
        desk.receive(.window(isFocused: isFocused, showsThread: true))
        return desk
    }

    @Test func `A reply is announced with its sender and its beginning`() {
        #expect(announced(Desk.message("m", "Hello\nthere"), in: desk()) == ["Ada: Hello there"])
        let long = announced(Desk.message("m", String(repeating: "word ", count: 100)), in: desk())
        #expect(long.count == 1 && long[0].count <= 5 + 81)
    }

    @Test func `The text is not announced if notifications hide it`() {
        #expect(
            announced(Desk.message("m", "Secret"), in: desk(hidesText: true)) == ["New message from Ada"])
    }

    @Test
    func
        `The person's own words, system messages, old messages and those for another window are not announced`()
    {
        var own = Desk.message("m", by: "user")
        own.own = true
        #expect(announced(own, in: desk()).isEmpty)
        #expect(announced(Desk.message("m", by: "system"), in: desk()).isEmpty)
        #expect(announced(Desk.message("m"), in: desk(), at: Desk.morning - Desk.minute).isEmpty)
        #expect(announced(Desk.message("m"), in: desk(isFocused: false)).isEmpty)
    }

    @Test func `Typing does not change the accessible name of the conversation's row`() {
        var desk = desk()
        desk.receive(.choose(Self.view.key))
        desk.receive([], Self.view)
        let before = desk.state.row(Self.view.key)?.accessibleText
        desk.receive(.typed("H"), .typed("He"))
        #expect(desk.state.row(Self.view.key)?.draft == nil)
        #expect(desk.state.row(Self.view.key)?.accessibleText == before)
        desk.receive(.choose(nil))
        #expect(desk.state.row(Self.view.key)?.draft == "He")
        #expect(desk.state.row(Self.view.key)?.accessibleText.contains("Draft: He") == true)
    }
}
