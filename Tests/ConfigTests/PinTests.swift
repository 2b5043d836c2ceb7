import CutieAPI
import Testing

@testable import Config

struct PinTests {
    private func account(at address: String, pins: [CertificatePin] = []) throws -> AccountConfiguration {
        var account = AccountConfiguration(appID: "app_1")
        account.apiURL = try APIAddress(address)
        account.tls.pins = pins
        return account
    }

    @Test(arguments: [
        "https://api.cuti-e.com", "https://EU.API.Cuti-E.com:8443/base", "https://invotekas.workers.dev",
        "https://cutie-worker-sandbox.invotekas.workers.dev", "https://a.b.invotekas.workers.dev",
    ])
    func `The hosted service and its subdomains use the built-in certificate pins`(address: String) throws {
        let pins = try account(at: address).pins
        #expect(pins == HostedService.pins)
        #expect(pins.allSatisfy { CertificatePin($0.description) == $0 })
        #expect(Set(pins).count == 5)
    }

    @Test(arguments: [
        "https://cuti-e.com", "https://xapi.cuti-e.com", "https://api.cuti-e.com.example.org",
        "https://workers.dev", "https://evilinvotekas.workers.dev", "http://127.0.0.1:8787",
    ])
    func `Hosts other than the hosted service have no built-in certificate pins`(address: String) throws {
        let account = try account(at: address)
        #expect(account.pins.isEmpty)
        #expect(account.pinExpiryWarning(at: Timestamp(milliseconds: .max)) == nil)
    }

    @Test func `Configured certificate pins replace the built-in pins and never expire`() throws {
        let own = try #require(CertificatePin("sha256//\(String(repeating: "A", count: 43))="))
        let account = try account(at: "https://api.cuti-e.com", pins: [own])
        #expect(account.pins == [own])
        #expect(account.pinExpiryWarning(at: Timestamp(milliseconds: .max)) == nil)
        #expect(try self.account(at: "https://api.example.com", pins: [own]).pins == [own])
    }

    @Test func `A warning about the built-in certificate pins appears in the year before the pins expire`()
        throws
    {
        let account = try account(at: "https://api.cuti-e.com")
        func warning(_ time: Int64) -> String? { account.pinExpiryWarning(at: Timestamp(milliseconds: time)) }
        #expect(warning(2_066_169_599_999) == nil)
        #expect(warning(2_066_169_600_000)?.contains("expire on 2036-06-22; ") == true)
        #expect(warning(2_097_705_599_999)?.contains("expire on") == true)
        #expect(warning(2_097_705_600_000)?.contains("expired on") == true)
    }
}
