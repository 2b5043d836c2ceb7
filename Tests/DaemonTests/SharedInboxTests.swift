import Config
import ControlAPI
import CutieAPI
import FeedPolicy
@_spi(EventLog) import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// Two accounts with linked devices, which share an inbox.
@MainActor
private final class TwoAccounts {
    let fixture: IngestFixture
    let (a, b): (AccountID, AccountID)
    var group: [AccountID: String] = [:]
    var isConnected: [AccountID: Bool] = [:]

    init() throws {
        fixture = try IngestFixture()
        a = fixture.account
        b = try fixture.store.write { transaction in
            let record = try transaction.accounts.findOrCreate(
                name: "b", appID: "app", apiURL: "https://a.example"
            ) {
                "device_2"
            }
            try transaction.accounts.setFirstSyncTime(.base, of: record.id)
            try transaction.accounts.setUnreadCount(0, of: record.id)
            return record.id
        }
        try fixture.ingest.setOpenAccounts([a: .user, b: .user])
        fixture.collaborators.members = { [weak self] in self?.members() ?? [] }
    }

    private func members() -> [SharedInboxes.Member] {
        [(a, "a", "device_1"), (b, "b", "device_2")].map { account, name, device in
            SharedInboxes.Member(
                account: account, name: name, address: "https://a.example", device: device,
                group: group[account], isConnected: isConnected[account] ?? true)
        }
    }

    func link() throws {
        group = [a: "g", b: "g"]
        try fixture.ingest.updateSharedInboxes()
    }

    func accept(_ event: Event, from account: AccountID) throws {
        try fixture.ingest.apply([event], to: account, receivedOver: .stream)
    }

    /// Returns the detail of the last ledger entry of `message` in `account`.
    func last(_ account: AccountID, of message: Message.ID = "m1") throws -> String? {
        try fixture.store.read {
            try $0.ledger.fetchSteps(of: message, in: "c", account: account).last?.detail
        }
    }
}

@MainActor
struct SharedInboxTests {
    private let two: TwoAccounts
    private let reply = Event.reply(.sample("m1", at: 1), unread: 1, event: "e1")

    init() throws { two = try TwoAccounts() }

    @Test(arguments: [true, false])
    func `A reply in a shared inbox is announced and counted once for both accounts`(_ secondFirst: Bool)
        throws
    {
        try two.link()
        for account in secondFirst ? [two.b, two.a] : [two.a, two.b] { try two.accept(reply, from: account) }
        #expect(try two.fixture.pending() == ["m1"])
        #expect(two.fixture.ingest.badge == Badge(total: 1, unread: 1))
        let logged = try two.fixture.logged(.messageCreated)
        #expect(logged.map(\.account) == [two.a])
        #expect(try two.fixture.logged(.messageCreated).last?.badgeTotal == 1)
        #expect(try two.last(two.b)?.contains("announced by account a") == true)
    }

    @Test func `Two accounts that are not linked have separate inboxes`() throws {
        for account in [two.a, two.b] { try two.accept(reply, from: account) }
        #expect(try two.fixture.pending() == ["m1", "m1"])
        #expect(two.fixture.ingest.badge == Badge(total: 2, unread: 2))
    }

    @Test func `A reply that was announced before two accounts were linked is not announced again`() throws {
        try two.accept(reply, from: two.b)
        #expect(try two.fixture.pending() == ["m1"])
        try two.link()
        try two.accept(reply, from: two.a)
        #expect(try two.fixture.pending() == ["m1"])
        #expect(two.fixture.ingest.badge.total == 1)
        #expect(try two.fixture.logged(.messageCreated).count == 1)
    }

    @Test func `If the account that announces replies is disconnected, its linked account announces them`()
        throws
    {
        try two.link()
        try two.accept(reply, from: two.b)
        #expect(try two.fixture.pending().isEmpty, "a announces the reply")
        two.isConnected[two.a] = false
        try two.fixture.ingest.updateSharedInboxes()
        #expect(try two.fixture.pending() == ["m1"])
        #expect(two.fixture.ingest.badge.total == 1)
        #expect(try two.fixture.logged(.messageCreated).map(\.account) == [two.b])
        two.isConnected[two.a] = true
        try two.fixture.ingest.updateSharedInboxes()
        try two.accept(reply, from: two.a)
        #expect(try two.fixture.pending() == ["m1"], "b has announced the reply")
        #expect(two.fixture.ingest.badge.total == 1)
    }

    @Test func `An account that leaves a shared inbox has a separate unread count again`() throws {
        try two.link()
        for account in [two.a, two.b] { try two.accept(reply, from: account) }
        two.group[two.b] = nil
        try two.fixture.ingest.updateSharedInboxes()
        #expect(two.fixture.ingest.badge.total == 2)
        #expect(try two.fixture.pending() == ["m1"], "the reply is announced once")
        try two.accept(.reply(.sample("m2", at: 2), unread: 2, event: "e2"), from: two.b)
        #expect(try two.fixture.pending() == ["m1", "m2"])
    }

    @Test func `Accounts with the same device share an inbox only if they use the same API`() {
        func member(_ id: Int64, _ address: String, _ device: DeviceID, _ group: String?)
            -> SharedInboxes.Member
        {
            SharedInboxes.Member(
                account: AccountID(rawValue: id), name: "\(id)", address: address, device: device,
                group: group, isConnected: true)
        }
        let shared = SharedInboxes([
            member(1, "x", "d1", nil), member(2, "y", "d1", "g"), member(3, "x", "d3", "g"),
            member(4, "x", "d1", "g"),
        ])
        #expect(shared.siblings(of: AccountID(rawValue: 1)).count == 2)
        #expect(shared.countingAccount(for: AccountID(rawValue: 3)) == AccountID(rawValue: 1))
        #expect(shared.siblings(of: AccountID(rawValue: 2)).isEmpty)
        #expect(!shared.sharesAPI(AccountID(rawValue: 2)))
    }

    @Test func `Reading a message in one account marks it read in the linked account`() throws {
        try two.link()
        for account in [two.a, two.b] { try two.accept(reply, from: account) }
        try two.fixture.ingest.markReadInSiblingAccounts("c", of: two.a)
        #expect(try two.fixture.ingest.findConversation("c", of: two.b)?.unread == 0)
    }
}
