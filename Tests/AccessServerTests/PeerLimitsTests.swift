import AccessAPI
import Testing

@testable import AccessServer

struct PeerLimitsTests {
    @Test func `Restarting an app with a new process id does not reset its limits`() throws {
        var limits = PeerLimits(AccessLimits())
        for run in 0..<60 { try limits.take(bytes: 1, of: AppIdentity(nil, run: "\(run)@1"), now: .zero) }
        #expect(throws: TooManyRequests.self) {
            try limits.take(bytes: 1, of: AppIdentity(nil, run: "61@1"), now: .zero)
        }
    }
}
