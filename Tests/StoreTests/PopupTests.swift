import CutieAPI
import Testing

@testable import Store

struct PopupTests {
    private func popup(
        _ account: AccountID?, _ conversation: Conversation.ID?, _ id: UInt32, _ session: String = "s"
    ) -> PopupRecord {
        PopupRecord(
            account: account, conversation: conversation, notification: id, session: session, count: 1,
            firstSequence: 1, lastSequence: 2, shownAt: .at(Int64(id)))
    }

    @Test func `A pop-up takes the place of the one with its key, the summary's too`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.save(popup(fixture.account, "c1", 1))
            try $0.save(popup(fixture.account, "c2", 2))
            try $0.save(popup(nil, nil, 3))
            try $0.save(popup(nil, nil, .max))
            try $0.save(popup(fixture.account, "c1", 5))
            #expect(
                try $0.popups() == [
                    popup(fixture.account, "c2", 2), popup(fixture.account, "c1", 5), popup(nil, nil, .max),
                ])
            try $0.deletePopup(account: nil, conversation: nil)
            try $0.deletePopup(account: fixture.account, conversation: "c2")
            #expect(try $0.popups() == [popup(fixture.account, "c1", 5)])
        }
    }

    @Test func `The pop-ups of another session are forgotten, or all`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.save(popup(fixture.account, "c1", 1, "old"))
            try $0.save(popup(fixture.account, "c2", 2, "new"))
            try $0.deletePopups(notOf: "new")
            #expect(try $0.popups().map(\.session) == ["new"])
            try $0.deletePopups()
            #expect(try $0.popups().isEmpty)
        }
    }
}
