import Config
import ControlAPI
import Domain
import Foundation
import OAuth
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog

/// Tests of signing in to servers that respond like those of real vendors.
@MainActor
struct VendorSignInTests {
    private func unit(_ fixture: IngestFixture, _ server: ScriptedVendor) throws -> AccountUnit {
        try fixture.staff(at: server.url) { $0.signIn.issuer = server.issuer }
    }

    private func signIn(_ unit: AccountUnit, by method: SignInMethod = .device) async throws {
        try await unit.requireSignIn().signIn(by: method, loginHint: nil, isNewAccount: false) { _ in }
    }

    @Test(arguments: VendorResponses.all)
    func `The device flow succeeds with the responses from each vendor, including two refreshes`(
        vendor: VendorResponses
    ) async throws {
        let fixture = try IngestFixture(.atOnce)
        let server = try ScriptedVendor(vendor, polls: vendor.pending.map(\.answer))
        let unit = try unit(fixture, server)
        guard vendor.knowsPerson else {
            await #expect(throws: SignInFailure.unknownUser) { try await signIn(unit) }
            #expect(server.forms.count == vendor.pending.count + 1, "the answers themselves are understood")
            return
        }
        try await signIn(unit)
        #expect(unit.authentication == .authenticated)
        #expect(try unit.session.claims?.subject == "kim" && unit.session.scope.names == vendor.scope)
        let waits = fixture.time.waits.prefix(vendor.pending.count + 1).map { Int($0.components.seconds) }
        #expect(waits == [vendor.interval] + vendor.pending.map(\.wait))
        for _ in 1...2 {
            fixture.time.pass(.seconds(vendor.lifetime ?? 0))
            try await unit.list()
        }
        let second = vendor.keepsRefreshToken ? "refresh-1" : "refresh-2"
        #expect(server.refreshes.map { $0["refresh_token"] } == ["refresh-1", second])
        #expect(unit.authentication == .authenticated)
    }

    @Test(arguments: VendorResponses.all)
    func `The device flow ends without another poll if the user denies the request on the vendor's page`(
        vendor: VendorResponses
    ) async throws {
        let server = try ScriptedVendor(vendor, polls: [vendor.denied])
        let fixture = try IngestFixture(.atOnce)
        let unit = try unit(fixture, server)
        await #expect(throws: SignInFailure.denied) { try await signIn(unit) }
        #expect(server.forms.count == 1)
    }

    @Test(arguments: VendorResponses.all)
    func `The browser flow succeeds with the responses from each vendor`(
        vendor: VendorResponses
    )
        async throws
    {
        let server = try ScriptedVendor(vendor)
        let fixture = try IngestFixture()
        let unit = try unit(fixture, server)
        let page = Mutex<String?>(nil)
        try await running(
            {
                try? await unit.requireSignIn().signIn(by: .browser, loginHint: nil, isNewAccount: false) {
                    step in
                    if case .page(let text) = step { page.withLock { $0 = text } }
                }
            },
            while: {
                try await eventually("the page") { page.withLock { $0 } != nil }
                let items = URLComponents(string: page.withLock { $0 } ?? "")?.queryItems ?? []
                let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
                server.setNonce(query["nonce"])
                let more = vendor.redirectParameters.replacing("ORIGIN", with: server.url)
                let redirect = try Redirect(
                    "io.cutied.cutied:/signin?code=code-secret&state=\(query["state"] ?? "")\(more)")
                if vendor.knowsPerson {
                    try await unit.requireSignIn().completeSignIn(with: redirect)
                    #expect(unit.authentication == .authenticated)
                } else {
                    await #expect(throws: SignInFailure.unknownUser) {
                        try await unit.requireSignIn().completeSignIn(with: redirect)
                    }
                }
                #expect(server.forms.count == 1 && server.forms.first?["code"] == "code-secret")
            })
    }
}
