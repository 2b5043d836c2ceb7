import CutieAPI
import Foundation
import Testing

@_spi(EventLog) @testable import Store

struct AccountTests {
    @Test func `An account is identified by its name, app and address, and is created only once`() throws {
        let fixture = try StoreFixture()
        let again = try fixture.store.write {
            try $0.accounts.findOrCreate(name: "default", appID: "app_x", apiURL: "https://api.example") {
                Issue.record("asked for a device id")
                return "device_other"
            }
        }
        #expect(again.id == fixture.account)
        #expect(again.deviceID == "device_default")
        let other = try fixture.store.write {
            try $0.accounts.findOrCreate(name: "default", appID: "app_y", apiURL: "https://api.example") {
                "device_2"
            }
        }
        #expect(other.id != fixture.account)
        #expect(try fixture.store.read { try $0.accounts.fetchAll() } == [again, other])
    }

    @Test func `Only an account of the kind "device" has a device ID`() throws {
        let fixture = try StoreFixture()
        let kinds: [AccountRecord.Kind] = [.staff, .identity]
        for kind in kinds {
            let record = try fixture.store.write {
                try $0.accounts.findOrCreate(
                    name: kind.rawValue, appID: "", apiURL: "https://api.example", kind: kind
                ) {
                    Issue.record("asked for a device id")
                    return "device_other"
                }
            }
            #expect(record.kind == kind && record.deviceID == nil)
            #expect(try fixture.store.read { try $0.accounts.find(record.id) } == record)
        }
        #expect(try fixture.store.read { try $0.accounts.fetchAll() }.map(\.kind) == [.device] + kinds)
    }

    @Test func `A staff account can become an identity account, but a device account stays a device account`()
        throws
    {
        let fixture = try StoreFixture()
        func kind(_ name: String, _ appID: String, _ kind: AccountRecord.Kind) throws -> AccountRecord.Kind {
            try fixture.store.write {
                let record = try $0.accounts.findOrCreate(
                    name: name, appID: appID, apiURL: "https://api.example", kind: kind, makeDeviceID: { nil }
                )
                return try $0.accounts.find(record.id)?.kind ?? .device
            }
        }
        #expect(try kind("desk", "", .staff) == .staff)
        #expect(try kind("desk", "", .identity) == .identity)
        #expect(try kind("default", "app_x", .staff) == .device)
    }

    @Test func `Settings of an account do not apply to another account`() throws {
        let fixture = try StoreFixture()
        let account = fixture.account
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            try $0.accounts.setCursor("evt_9", of: account)
            try $0.accounts.setFirstSyncTime(.at(5), of: account)
            try $0.accounts.setProgress(.init(cursor: nil, at: .at(6)), unreadCount: 3, of: account)
            try $0.accounts.setUnreadCount(7, of: other)
        }
        let records = try fixture.store.read { try $0.accounts.fetchAll() }
        #expect(records.map(\.cursor) == ["evt_9", nil])
        #expect(records.map(\.syncedAt) == [.at(5), nil])
        #expect(records.map(\.unread) == [3, 7])
        #expect(records.map(\.lastEventAt) == [.at(6), nil])
    }

    @Test
    func `A token that an earlier version stored is loaded, and can be removed from all database files`()
        throws
    {
        let fixture = try StoreFixture()
        let former = "a-token-of-a-former-version"
        try fixture.openForeignConnection().execute("UPDATE account SET device_token = ?", [former])
        let files = ["", "-wal"].map { fixture.store.path + $0 }
        func isWritten() throws -> Bool {
            try files.contains { try Data(contentsOf: URL(filePath: $0)).contains(Array(former.utf8)) }
        }
        #expect(try fixture.store.read { try $0.accounts.find(fixture.account)?.legacyToken } == former)
        #expect(try isWritten())
        try fixture.store.write { try $0.accounts.deleteLegacyToken(of: fixture.account) }
        try fixture.store.wipeFreedPages()
        #expect(try fixture.store.read { try $0.accounts.find(fixture.account)?.legacyToken } == nil)
        #expect(try !isWritten())
    }

    @Test func `An event ID counts as new only once per account`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            let other = try $0.makeAccount("other")
            #expect(try !$0.events.contains("e1", account: fixture.account))
            for time in [1, 2] {
                try $0.events.insert("e1", account: fixture.account, at: .at(Int64(time)))
            }
            #expect(try $0.events.contains("e1", account: fixture.account))
            #expect(try !$0.events.contains("e1", account: other))
        }
    }

    @Test func `IDs that differ only after a NUL character are different`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write { transaction throws in
            try transaction.events.insert("e\0a", account: fixture.account, at: .at(1))
            #expect(try transaction.events.contains("e\0a", account: fixture.account))
            #expect(try !transaction.events.contains("e\0b", account: fixture.account))
        }
    }

    @Test func `An account setting can be replaced and removed`() throws {
        let fixture = try StoreFixture()
        try fixture.store.write {
            try $0.settings.setText(ofSetting: "pause", to: "1")
            try $0.settings.setText(ofSetting: "pause", to: "2")
            #expect(try $0.settings.fetchText(ofSetting: "pause") == "2")
            try $0.settings.setText(ofSetting: "pause", to: nil)
            #expect(try $0.settings.fetchText(ofSetting: "pause") == nil)
        }
    }
}
