import AccessAPI
import Domain
import Testing

@testable import AccessServer

struct PeerRateLimitsTests {
    @Test func `An app cannot reset its rate limit by restarting with a new process ID`() throws {
        var limits = PeerRateLimits(AccessLimits())
        for run in 0..<60 { try limits.charge(bytes: 1, to: AppIdentity(nil, run: "\(run)@1"), now: .zero) }
        #expect(throws: TooManyRequests.self) {
            try limits.charge(bytes: 1, to: AppIdentity(nil, run: "61@1"), now: .zero)
        }
    }
}
