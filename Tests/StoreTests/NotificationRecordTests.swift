import CutieAPI
import NotificationPolicy
import Testing

@_spi(Notifications) @testable import Store

struct NotificationRecordTests {
    private func popup(_ owner: NotificationOwner, _ id: UInt32, _ session: String = "s")
        -> NotificationRecord
    {
        NotificationRecord(
            owner: owner, notification: id, session: session, count: 1, lastSequence: 2,
            shownAt: .at(Int64(id)))
    }

    @Test func `Storing a notification replaces only the previous notification of its owner`() throws {
        let fixture = try StoreFixture()
        let owners: [NotificationOwner] = [
            .reply(fixture.account, "c1"), .reply(fixture.account, "c2"), .summary, .failure(["a", "b"]),
            .failure(["a"]), .question(1), .question(2), .outage,
        ]
        try fixture.store.write { transaction in
            for (place, owner) in owners.enumerated() {
                try transaction.notifications.save(popup(owner, UInt32(place + 1)))
            }
            #expect(try transaction.notifications.fetchAll().map(\.owner) == owners)
            for owner in owners { try transaction.notifications.save(popup(owner, .max)) }
            #expect(try transaction.notifications.fetchAll() == owners.map { popup($0, .max) })
            for place in owners.indices {
                try transaction.notifications.removeNotification(of: owners[place])
                #expect(
                    try transaction.notifications.fetchAll().map(\.owner) == Array(owners[(place + 1)...]))
            }
        }
    }

    @Test func `Removing the notifications of other sessions keeps the notifications of this session`()
        throws
    {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.notifications.save(popup(.reply(fixture.account, "c1"), 1, "old"))
            try $0.notifications.save(popup(.outage, 2, "new"))
            try $0.notifications.removeAll(exceptThoseOf: "new")
            #expect(try $0.notifications.fetchAll().map(\.session) == ["new"])
            try $0.notifications.removeAll()
            #expect(try $0.notifications.fetchAll().isEmpty)
        }
    }

    @Test func `The store keeps the 256 newest closed notifications, and each ID only once`() throws {
        let fixture = try StoreFixture()
        let all = (1...300 as ClosedRange<UInt32>).map { popup(.reply(fixture.account, .init("c\($0)")), $0) }
        try fixture.store.write { transaction in
            for popup in all { try transaction.notifications.saveEnded(popup) }
            #expect(try transaction.notifications.fetchEnded() == Array(all[44...]))
            let again = popup(.outage, 50, "later")
            try transaction.notifications.saveEnded(again)
            #expect(
                try transaction.notifications.fetchEnded() == Array(
                    all[45...].filter { $0.notification != 50 })
                    + [again]
            )
            #expect(try transaction.notifications.fetchAll().isEmpty)
            try transaction.notifications.removeAll(exceptThoseOf: "another")
            #expect(try !transaction.notifications.fetchEnded().isEmpty)
            try transaction.notifications.removeAll()
            #expect(try transaction.notifications.fetchEnded().isEmpty)
        }
    }

    @Test func `A stored notification of an unknown kind is ignored`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.notifications.save(popup(.outage, 1))
            try $0.run("UPDATE popup SET kind = 'hologram'")
            #expect(try $0.notifications.fetchAll().isEmpty)
        }
    }
}
