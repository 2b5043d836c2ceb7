import Config
import ControlAPI
import CutieAPI
import Domain
import HTTP
import OAuth
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Services
@testable import Store

/// Tests that cancelling the caller neither aborts nor repeats a request that the server may already be
/// processing.
@MainActor
struct UninterruptedWorkTests {
    private let fixture: IngestFixture
    private let gate = Gate()

    init() throws { fixture = try IngestFixture() }

    /// Cancels `call` while the server processes its request, calls `again`, and then makes the server
    /// respond.
    private func interrupt(
        _ call: @escaping @MainActor () async throws -> Void, once isAsked: @MainActor () -> Bool,
        again: @escaping @MainActor () async throws -> Void
    ) async throws {
        let first = Task { try await call() }
        try await eventually("the server has the request") { isAsked() }
        first.cancel()
        let result = await first.result
        #expect(throws: (any Error).self, "the call no longer waits") { try result.get() }
        let second = Task { try await again() }
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        try await second.value
    }

    /// Returns an issuer that delays responses to requests with this grant type until the gate opens.
    private func issuer(slow grant: String) throws -> ScriptedIssuer {
        try ScriptedIssuer(token: { [gate] _, form, _ in
            if form["grant_type"]?.hasSuffix(grant) == true { gate.pass() }
            return false
        })
    }

    @Test func `Cancelling the caller does not interrupt a token refresh`() async throws {
        let issuer = try issuer(slow: "refresh_token")
        let unit = try await fixture.signedIn(at: issuer)
        fixture.time.pass(.seconds(4000))
        try await interrupt({ try await unit.list() }, once: { issuer.refreshes == 1 }) {
            try await unit.list()
        }
        #expect(issuer.refreshes == 1)
        #expect(unit.authentication == .authenticated)
    }

    @Test func `A reconnect does not interrupt a token refresh`() async throws {
        let issuer = try issuer(slow: "refresh_token")
        let unit = try await fixture.signedIn(at: issuer)
        fixture.time.pass(.seconds(4000))
        try await running(unit.feed.run) {
            for _ in 0..<3 {
                try await eventually("the issuer has the request") { issuer.refreshes >= 1 }
                unit.feed.reconnect(because: .user)
                for _ in 0..<100 { await Task.yield() }
            }
            gate.open()
            try await eventually("the feed is connected") { unit.feed.status.state == .connected }
        }
        #expect(issuer.refreshes == 1)
    }

    @Test func `A reload does not interrupt a token refresh`() async throws {
        let issuer = try issuer(slow: "refresh_token")
        let accounts = AccountRegistry(log: fixture.log)
        let supervisor = try fixture.supervisor(of: accounts)
        var configuration = AccountConfiguration(name: "desk", kind: .staff)
        (configuration.apiURL, configuration.transport) = (try APIAddress(issuer.url), .poll)
        try supervisor.applyConfigurations([configuration])
        let former = try #require(accounts.units.first)
        try await former.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        fixture.time.pass(.seconds(4000))
        try await interrupt({ try await former.list() }, once: { issuer.refreshes == 1 }) { [configuration] in
            var changed = configuration
            changed.pollInterval = .seconds(77)
            try supervisor.applyConfigurations([changed])
            let unit = try #require(accounts.units.first)
            #expect(unit !== former)
            try await unit.list()
        }
        #expect(issuer.refreshes == 1)
    }

    @Test func `Cancelling the caller does not interrupt a poll for tokens in the device flow`() async throws
    {
        let issuer = try issuer(slow: "device_code")
        let unit = try fixture.staff(at: issuer.url)
        try await interrupt(
            {
                try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in
                }
            },
            once: { issuer.forms.count == 1 },
            again: { try await eventually("the user is signed in") { unit.authentication == .authenticated } }
        )
        #expect(issuer.forms.count == 1)
    }

    @Test func `Cancelling the caller does not interrupt the redemption of an authorization code`()
        async throws
    {
        let issuer = try issuer(slow: "authorization_code")
        let unit = try fixture.staff(at: issuer.url)
        let service = try unit.requireSignIn()
        let browser = Task {
            try await service.signIn(by: .browser, loginHint: nil, isNewAccount: false) { _ in }
        }
        try await eventually("the page is open") { service.pending != nil }
        let pending = try #require(service.pending)
        issuer.state.withLock { $0.nonce = pending.nonce }
        let redirect = try Redirect("\(pending.redirect)?code=c&state=\(pending.state)&iss=\(issuer.url)")
        try await interrupt(
            { try await service.completeSignIn(with: redirect) }, once: { issuer.forms.count == 1 }
        ) {
            await #expect(throws: Redirect.Refusal.expired) {
                try await service.completeSignIn(with: redirect)
            }
        }
        try await browser.value
        #expect(unit.authentication == .authenticated)
        #expect(issuer.forms.count == 1)
    }

    @Test func `Cancelling the caller does not interrupt a registration`() async throws {
        let api = try ScriptedAPI([
            ScriptedAPI.register: { [gate] _, _, _ in
                gate.pass()
                return false
            }
        ])
        let unit = try fixture.unit(at: api.url)
        try await interrupt(
            { try await unit.list() }, once: { api.requestCount(of: ScriptedAPI.register) == 1 }
        ) {
            try await unit.list()
        }
        #expect(api.requestCount(of: ScriptedAPI.register) == 1)
        #expect(unit.authentication == .authenticated)
    }

    @Test func `Cancelling the caller does not interrupt the attestation of a key`() async throws {
        let attest = "POST /v1/device/attest"
        let api = try ScriptedAPI([
            attest + "/challenge": { connection, _, _ in connection.answer(body: #"{"challenge":"words"}"#) },
            attest: { [gate] connection, _, _ in
                gate.pass()
                return connection.answer(body: #"{"attested":true}"#)
            },
        ])
        var configuration = try AccountConfiguration.sample(at: api.url)
        configuration.attestation = .software
        let accounts = AccountRegistry(log: fixture.log)
        try fixture.supervisor(of: accounts).applyConfigurations([configuration])
        let unit = try #require(accounts.units.first)
        let attestor = try unit.attestor
        try await interrupt(
            { try await attestor.attest(using: unit.feed.client) },
            once: { api.requestCount(of: attest) == 1 }
        ) {
            try await eventually("the device is attested") { attestor.record.keyID != nil }
        }
        #expect(api.requestCount(of: attest) == 1)
    }

    @Test func `Cancelling the caller interrupts neither a revocation nor the preceding sign-out`()
        async throws
    {
        let issuer = try ScriptedIssuer([
            ScriptedIssuer.revoke: { [gate] _, _, _ in
                gate.pass()
                return false
            }
        ])
        let unit = try await fixture.signedIn(at: issuer)
        let asked = { issuer.api.requestCount(of: ScriptedIssuer.revoke) }
        let signOut = Task { try await unit.requireSignIn().signOut(within: .seconds(600)) }
        try await interrupt(
            { try await unit.feed.authorizer.runPeriodicWork(using: unit.feed.client) },
            once: { asked() == 1 }
        ) {
            signOut.cancel()
            _ = await signOut.result
            #expect(unit.authentication == .unauthenticated)
            try await eventually("the revocation is sent") {
                try fixture.store.read { try $0.outbox.fetchItems() }.isEmpty
            }
        }
        #expect(asked() == 1)
        #expect(issuer.state.withLock { $0.revoked }.map { $0["token"] } == ["refresh-secret-1"])
    }

    /// Returns an API in which one call responds only after the gate opens.
    private func api(slow call: String, answering body: String) throws -> ScriptedAPI {
        try ScriptedAPI([
            call: { [gate] connection, _, _ in
                gate.pass()
                return connection.answer(body: body)
            }
        ])
    }

    private func handOver(_ accounts: AccountRegistry) -> (HandOver, AddedAccounts) {
        let added = AddedAccounts(store: fixture.store, logger: .silent)
        let handOver = HandOver(
            accounts: accounts, added: added, httpClient: HTTPClient(), runtime: fixture.runtime,
            apply: { _ in })
        return (handOver, added)
    }

    @Test
    func `Cancelling the caller does not interrupt the redemption of a feedback token that adds an account`()
        async throws
    {
        let redeem = "POST /v1/feedback-app/redeem"
        let api = try api(slow: redeem, answering: #"{"app_id":"app_2","device_id":"device_2"}"#)
        let (handOver, added) = handOver(AccountRegistry(log: fixture.log))
        let address = try APIAddress(api.url)
        try await interrupt(
            { _ = try await handOver.redeem("cutie_ft_1", account: nil, api: address) },
            once: { api.requestCount(of: redeem) == 1 }
        ) {
            try await eventually("the account is added") {
                try added.appendingAddedAccounts(to: []).map(\.apiURL) == [address]
            }
        }
        let request = try #require(api.requests(of: redeem).first)
        #expect(request.values(of: "X-App-ID").isEmpty && request.values(of: "X-Device-ID").count == 1)
    }

    @Test func `Cancelling the caller does not interrupt the redemption of a feedback token of another app`()
        async throws
    {
        let redeem = "POST /v1/feedback-app/redeem"
        let api = try api(slow: redeem, answering: #"{"app_id":"app_2","device_id":"device_2"}"#)
        let (handOver, added) = handOver(try fixture.accounts(at: api.url))
        try await interrupt(
            { _ = try await handOver.redeem("cutie_ft_1", account: nil) },
            once: { api.requestCount(of: redeem) == 1 }
        ) {
            try await eventually("the account is added") {
                try added.appendingAddedAccounts(to: []).map(\.appID) == ["app_2"]
            }
        }
        #expect(api.requestCount(of: redeem) == 1)
    }

    /// If the creation were interrupted, the daemon would not remember the token and could later redeem its
    /// own token.
    @Test func `Cancelling the caller does not interrupt the creation of a feedback token for another app`()
        async throws
    {
        let generate = "POST /v1/feedback-app/generate-token"
        let api = try api(slow: generate, answering: #"{"token":"cutie_ft_1"}"#)
        let (handOver, _) = handOver(try fixture.accounts(at: api.url))
        try await interrupt(
            { _ = try await handOver.createOffer(account: nil) },
            once: { api.requestCount(of: generate) == 1 }
        ) {
            try await eventually("the token is remembered") {
                (try? handOver.checkedRedemptionAddress(of: "cutie_ft_1", account: nil)) == nil
            }
        }
        #expect(api.requestCount(of: generate) == 1)
    }

    @Test func `Cancelling the caller does not interrupt the confirmation of a link`() async throws {
        let confirm = "POST /v1/sdk/link/confirm"
        let api = try api(slow: confirm, answering: #"{"success":true,"group_id":"group_1"}"#)
        let accounts = try fixture.accounts(at: api.url)
        let unit = try #require(accounts.units.first)
        let methods = LinkingMethods(
            service: LinkingService(
                ingest: fixture.ingest, accounts: accounts, runtime: fixture.runtime))
        try await interrupt(
            { _ = try await methods.confirmLink(ConfirmLink(linkToken: "cutie_lt_1", name: "here")) },
            once: { api.requestCount(of: confirm) == 1 }
        ) {
            try await eventually("the account is in the group") {
                try fixture.store.read { try AccountTransaction.readInboxID(of: unit.account.id, in: $0) }
                    == "group_1"
            }
        }
        #expect(api.requestCount(of: confirm) == 1)
    }

    @Test func `Cancelling the caller does not interrupt unlinking this device`()
        async throws
    {
        let accounts = AccountRegistry(log: fixture.log)
        let removed = Mutex("")
        let api = try ScriptedAPI([
            "DELETE /v1/sdk/link/devices/": { [gate] connection, request, _ in
                removed.withLock { $0 = request.call }
                gate.pass()
                return connection.answer(body: #"{"success":true}"#)
            }
        ])
        try fixture.supervisor(of: accounts).applyConfigurations([.sample(at: api.url)])
        let unit = try #require(accounts.units.first)
        try fixture.ingest.performChange(on: unit.account.id) { try $0.recordInboxID("group_1") }
        let device = try #require(unit.account.device?.id)
        let methods = LinkingMethods(
            service: LinkingService(
                ingest: fixture.ingest, accounts: accounts, runtime: fixture.runtime))
        try await interrupt(
            { _ = try await methods.removeDevice(RemoveDevice(device: device.rawValue)) },
            once: { removed.withLock { !$0.isEmpty } }
        ) {
            try await eventually("the account has left the group") {
                try fixture.store.read { try AccountTransaction.readInboxID(of: unit.account.id, in: $0) }
                    == nil
            }
        }
    }

    @Test func `Cancelling the caller does not interrupt the removal of an attestation`() async throws {
        let attest = "POST /v1/device/attest"
        let remove = "DELETE /v1/device/attest"
        let api = try ScriptedAPI([
            attest + "/challenge": { connection, _, _ in connection.answer(body: #"{"challenge":"words"}"#) },
            attest: { connection, _, _ in connection.answer(body: #"{"attested":true}"#) },
            remove: { [gate] connection, _, _ in
                gate.pass()
                return connection.answer(body: #"{"success":true}"#)
            },
        ])
        var configuration = try AccountConfiguration.sample(at: api.url)
        configuration.attestation = .software
        let accounts = AccountRegistry(log: fixture.log)
        try fixture.supervisor(of: accounts).applyConfigurations([configuration])
        let unit = try #require(accounts.units.first)
        let attestor = try unit.requireDevice().attestor
        try await attestor.attest(using: unit.feed.client)
        #expect(attestor.record.keyID != nil)
        try await interrupt(
            { try await attestor.reset(using: unit.feed.client) }, once: { api.requestCount(of: remove) == 1 }
        ) {
            try await eventually("the key is gone") { attestor.record.keyID == nil }
        }
        #expect(api.requestCount(of: remove) == 1)
    }

    @Test func `An account stops only after its requests in flight are completed`() async throws {
        let issuer = try issuer(slow: "refresh_token")
        let fixture = try IngestFixture(.never)
        let unit = try await { () async throws -> AccountUnit in
            let unit = try fixture.staff(at: issuer.url)
            let signIn = Task {
                try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in
                }
            }
            try await fixture.time.advance(until: "the user is signed in") {
                unit.authentication == .authenticated
            }
            try await signIn.value
            return unit
        }()
        fixture.time.pass(.seconds(4000))
        let life = Task { try await unit.runUntilStopped(by: ChangeSignal()) }
        try await eventually("the issuer has the request") { issuer.refreshes == 1 }
        life.cancel()
        let hasEnded = Mutex(false)
        Task {
            _ = await life.result
            hasEnded.withLock { $0 = true }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(!hasEnded.withLock { $0 })
        gate.open()
        _ = await life.result
        #expect(try unit.session.state.tokens?.refresh == "refresh-secret-2", "the new token is kept")
    }
}
