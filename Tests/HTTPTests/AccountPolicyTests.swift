import Config
import CutieAPI
import HTTP
import Testing

struct AccountPolicyTests {
    @Test func `The policy of an account has its version, its CAs and its pins`() throws {
        var account = AccountConfiguration(appID: "app_1")
        #expect(TLSPolicy(of: account).pins == Set(HostedService.pins.map(\.description)))
        #expect(TLSPolicy(of: account).minimumVersion == .v1_3)
        account.apiURL = try APIAddress("https://api.example.com")
        account.tls.minimumVersion = .v1_2
        account.tls.caFile = "/ca.pem"
        #expect(TLSPolicy(of: account) == TLSPolicy(minimumVersion: .v1_2, caFile: "/ca.pem"))
    }
}
