import CutieAPI
import Testing

@_spi(Access) @testable import Store

/// Tests of storing services, tokens and grants.
struct GroupStoreTests {
    private let fixture: StoreFixture
    private var store: MessageStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    private func token(
        _ id: String, _ kind: TokenRecord.Kind, below parent: String? = nil, subject: String = "kim"
    ) -> TokenRecord {
        TokenRecord(
            id: id, account: fixture.account, subject: subject, target: "https://s.example/token",
            kind: kind, encryptedToken: [1, 0, 2], expiresAt: .at(10), scope: "a b", parent: parent,
            createdAt: .at(1)
        )
    }

    private func service(_ link: String, name: String, account: AccountID? = nil) -> UserServiceRecord {
        UserServiceRecord(
            account: account ?? fixture.account, link: link, name: name, document: [123, 0, 125],
            tokenTarget: "https://s.example/token", source: nil, etag: nil, fetchedAt: .at(1), freshness: 60)
    }

    @Test func `Removing a token also removes all tokens derived from it`() throws {
        try store.write {
            try $0.tokens.save(token("service", .service))
            try $0.tokens.save(token("app", .app, below: "service", subject: "notes"))
            try $0.tokens.save(token("renewal", .refresh, below: "app", subject: "notes"))
            try $0.tokens.save(token("other", .service, subject: "lee"))
            try $0.tokens.remove("service")
            #expect(try $0.tokens.fetchActive().map(\.id) == ["other"])
        }
    }

    @Test
    func `A token that is being revoked cannot be used, and refresh tokens are revoked before access tokens`()
        throws
    {
        try store.write {
            try $0.tokens.save(token("service", .service))
            try $0.tokens.save(token("renewal", .refresh, below: "service"))
            try $0.tokens.save(token("app", .app, below: "service", subject: "notes"))
            try $0.tokens.markForRevocation("service", at: .at(5))
            #expect(try $0.tokens.fetchActive().isEmpty)
            #expect(
                try $0.tokens.find(
                    .app, ofSubject: "notes", issuedBy: "https://s.example/token", account: fixture.account)
                    == nil)
            let revoking = try $0.tokens.fetchTokensToRevoke()
            #expect(revoking.first?.id == "renewal" && revoking.count == 3)
            #expect(revoking.allSatisfy { $0.markedForRevocationAt == .at(5) })
        }
    }

    @Test func `Refreshing a token does not delete the tokens derived from it`() throws {
        try store.write {
            try $0.tokens.save(token("service", .service))
            try $0.tokens.save(token("app", .app, below: "service", subject: "notes"))
            var renewed = token("service", .service)
            renewed.encryptedToken = [9]
            try $0.tokens.save(renewed)
            #expect(try $0.tokens.fetchChildren(of: "service").map(\.id) == ["app"])
            #expect(try $0.tokens.fetchActive().first { $0.id == "service" }?.encryptedToken == [9])
        }
    }

    @Test
    func `The protocols of a service are stored, and the service counts as authorized while it has a token`()
        throws
    {
        try store.write {
            try $0.services.save(service("https://s.example", name: "Library"), protocols: ["a", "b", "a"])
            let names = try $0.fetchAll("SELECT protocol_id FROM protocols ORDER BY protocol_id") { row in
                row.readText()
            }
            #expect(names == ["a", "b"])
            #expect(try $0.services.fetchAll().map(\.isAuthorized) == [false])
            try $0.tokens.save(token("service", .service))
            #expect(try $0.services.fetchAll().map(\.isAuthorized) == [true])
            try $0.tokens.markForRevocation("service", at: .at(2))
            #expect(try $0.services.fetchAll().map(\.isAuthorized) == [false])
        }
    }

    @Test func `Services are sorted by last use, and their descriptions are preserved byte for byte`() throws
    {
        try store.write {
            try $0.services.save(service("https://a.example", name: "Archive"), protocols: [])
            try $0.services.save(service("https://z.example", name: "Zoo"), protocols: [])
            try $0.services.recordUse(of: "https://z.example", account: fixture.account, at: .at(3))
            try $0.services.save(service("https://z.example", name: "Zoo"), protocols: [])
            let all = try $0.services.fetchAll(of: fixture.account)
            #expect(all.map(\.name) == ["Zoo", "Archive"] && all[0].document == [123, 0, 125])
            try $0.services.remove("https://z.example", of: fixture.account)
            #expect(try $0.services.fetchAll().map(\.name) == ["Archive"])
        }
    }

    @Test func `A grant is stored with its request and the user's decision`() throws {
        try store.write {
            let app = GrantRecord.App(id: "a", clientID: "c", name: "Notes", identity: "i", isVerified: true)
            let id = try $0.grants.insertRequest(from: app, protocols: ["p", "q"], at: .at(1))
            var grant = try #require(try $0.grants.find(id))
            #expect(grant.state == .asked && grant.app == app && grant.protocols == ["p", "q"])
            grant.services = [
                .init(account: fixture.account, link: "https://s.example", name: "S", person: "kim")
            ]
            (grant.state, grant.decidedAt, grant.expiresAt) = (.granted, .at(2), .at(3))
            try $0.grants.update(grant)
            #expect(try $0.grants.fetchAll(in: .granted, ofApp: "i", client: "c") == [grant])
            #expect(try $0.grants.fetchAll(in: .granted, ofApp: "i", client: "d").isEmpty)
            #expect(try $0.grants.fetchAll(in: .refused).isEmpty)
            try $0.grants.prune(before: .at(100))
            #expect(try $0.grants.fetchAll() == [grant], "what holds is kept")
        }
    }

    @Test func `A grant remains in the list even after more requests than the list may contain`() throws {
        try store.write {
            let app = GrantRecord.App(id: "a", clientID: "c", name: "N", identity: "i", isVerified: false)
            var grant = try #require(
                try $0.grants.find(try $0.grants.insertRequest(from: app, protocols: ["p"], at: .at(1))))
            grant.state = .granted
            try $0.grants.update(grant)
            for _ in 1...1100 { _ = try $0.grants.insertRequest(from: app, protocols: ["q"], at: .at(2)) }
            #expect(try $0.grants.fetchAll(in: .granted, ofApp: "i") == [grant])
            let all = try $0.grants.fetchAll()
            #expect(all.count == 1001 && all.last == grant)
        }
    }

    @Test func `A stored grant that this version cannot decode counts as revoked`() throws {
        try store.write {
            let app = GrantRecord.App(id: "a", clientID: "c", name: "N", identity: "i", isVerified: false)
            _ = try $0.grants.insertRequest(from: app, protocols: [], at: .at(1))
        }
        try fixture.openForeignConnection().execute(
            "UPDATE grants SET state = 'perhaps', services = '{broken'")
        let grant = try #require(try store.read { try $0.grants.fetchAll() }.first)
        #expect(grant.state == .revoked && grant.services.isEmpty)
    }
}
