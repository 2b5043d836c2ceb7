import CutieAPI
import Foundation
import GRDB
import Testing

@testable import Store

struct AccountTests {
    @Test func `An account is found again by name, app and address, and made once`() throws {
        let fixture = try StoreFixture()
        let again = try fixture.store.write {
            try $0.account(name: "default", appID: "app_x", apiURL: "https://api.example") {
                Issue.record("asked for a device id")
                return "device_other"
            }
        }
        #expect(again.id == fixture.account)
        #expect(again.deviceID == "device_default")
        let other = try fixture.store.write {
            try $0.account(name: "default", appID: "app_y", apiURL: "https://api.example") { "device_2" }
        }
        #expect(other.id != fixture.account)
        #expect(try fixture.store.read { try $0.accounts() } == [again, other])
    }

    @Test func `What is set of an account is read, and of no other`() throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            try $0.setCursor("evt_9", of: account)
            try $0.setSynced(at: .at(5), of: account)
            try $0.setUnread(3, of: account)
            try $0.setProgress(to: nil, at: .at(6), of: account)
            try $0.setUnread(7, of: other)
        }
        let records = try fixture.store.read { try $0.accounts() }
        #expect(records.map(\.cursor) == ["evt_9", nil])
        #expect(records.map(\.syncedAt) == [.at(5), nil])
        #expect(records.map(\.unread) == [3, 7])
        #expect(records.map(\.lastEventAt) == [.at(6), nil])
    }

    @Test func `A token of a former version is found, and gone from the files once it is forgotten`() throws {
        let fixture = try StoreFixture()
        let former = "a-token-of-a-former-version"
        try fixture.stranger().write {
            try $0.execute(sql: "UPDATE account SET device_token = ?", arguments: [former])
        }
        let files = ["", "-wal"].map { fixture.store.path + $0 }
        func isWritten() throws -> Bool {
            try files.contains { try Data(contentsOf: URL(filePath: $0)).contains(Array(former.utf8)) }
        }
        #expect(try fixture.store.read { try $0.account(fixture.account)?.formerToken } == former)
        #expect(try isWritten())
        try fixture.store.write { try $0.forgetFormerToken(of: fixture.account) }
        try fixture.store.wipe()
        #expect(try fixture.store.read { try $0.account(fixture.account)?.formerToken } == nil)
        #expect(try !isWritten())
    }

    @Test func `An event is new once for each account`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            #expect(try $0.noteEvent("e1", account: fixture.account, at: .at(1)))
            #expect(try !$0.noteEvent("e1", account: fixture.account, at: .at(2)))
            #expect(try $0.noteEvent("e1", account: other, at: .at(2)))
        }
    }

    @Test func `Ids that differ after a NUL stay two`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction throws in
            #expect(try transaction.noteEvent("e\0a", account: fixture.account, at: .at(1)))
            #expect(try transaction.noteEvent("e\0b", account: fixture.account, at: .at(1)))
            #expect(try !transaction.noteEvent("e\0a", account: fixture.account, at: .at(1)))
        }
    }

    @Test func `A setting is replaced and taken away`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.setSetting("pause", to: "1")
            try $0.setSetting("pause", to: "2")
            #expect(try $0.setting("pause") == "2")
            try $0.setSetting("pause", to: nil)
            #expect(try $0.setting("pause") == nil)
        }
    }
}
