import CutieAPI
import NotificationPolicy
import Testing

@_spi(Notifications) @testable import Store

struct PopupTests {
    private func popup(_ owner: PopupOwner, _ id: UInt32, _ session: String = "s") -> PopupRecord {
        PopupRecord(
            owner: owner, notification: id, session: session, count: 1, lastSequence: 2,
            shownAt: .at(Int64(id)))
    }

    @Test func `A notification replaces only the one of its owner`() throws {
        let fixture = try StoreFixture()
        let owners: [PopupOwner] = [
            .reply(fixture.account, "c1"), .reply(fixture.account, "c2"), .summary, .failure(["a", "b"]),
            .failure(["a"]), .question(1), .question(2), .outage,
        ]
        try fixture.store.write { transaction in
            for (place, owner) in owners.enumerated() {
                try transaction.popups.save(popup(owner, UInt32(place + 1)))
            }
            #expect(try transaction.popups.all().map(\.owner) == owners)
            for owner in owners { try transaction.popups.save(popup(owner, .max)) }
            #expect(try transaction.popups.all() == owners.map { popup($0, .max) })
            for place in owners.indices {
                try transaction.popups.remove(owners[place])
                #expect(try transaction.popups.all().map(\.owner) == Array(owners[(place + 1)...]))
            }
        }
    }

    @Test func `Notifications of another session, or all, are removed`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.popups.save(popup(.reply(fixture.account, "c1"), 1, "old"))
            try $0.popups.save(popup(.outage, 2, "new"))
            try $0.popups.removeAll(notOf: "new")
            #expect(try $0.popups.all().map(\.session) == ["new"])
            try $0.popups.removeAll()
            #expect(try $0.popups.all().isEmpty)
        }
    }

    @Test func `The newest notifications that ended are stored, each id once`() throws {
        let fixture = try StoreFixture()
        let all = (1...300 as ClosedRange<UInt32>).map { popup(.reply(fixture.account, .init("c\($0)")), $0) }
        try fixture.store.write { transaction in
            for popup in all { try transaction.popups.saveEnded(popup) }
            #expect(try transaction.popups.ended() == Array(all[44...]))
            let again = popup(.outage, 50, "later")
            try transaction.popups.saveEnded(again)
            #expect(
                try transaction.popups.ended() == Array(all[45...].filter { $0.notification != 50 }) + [again]
            )
            #expect(try transaction.popups.all().isEmpty)
            try transaction.popups.removeAll(notOf: "another")
            #expect(try !transaction.popups.ended().isEmpty)
            try transaction.popups.removeAll()
            #expect(try transaction.popups.ended().isEmpty)
        }
    }

    @Test func `Rows of an unknown version are ignored`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.popups.save(popup(.outage, 1))
            try $0.run("UPDATE popup SET kind = 'hologram'")
            #expect(try $0.popups.all().isEmpty)
        }
    }
}
