import Foundation
import TestSupport
import Testing

/// Tests of the status that the daemon reports to systemd.
struct StatusReportTests {
    @Test
    func `The status is reported at most once per second, and the last change is always reported`()
        async throws
    {
        let manager = try UnixSocket(SOCK_DGRAM)
        var statuses: [String] = []
        func receive() {
            while let message = try? manager.next() {
                statuses += message.split(separator: "\n").filter { $0.hasPrefix("STATUS=") }.map(String.init)
            }
        }
        try await EndToEndFixture.with({ $0.environment = ["NOTIFY_SOCKET": manager.path] }) { fixture in
            try await eventually("the connection is reported") {
                receive()
                return statuses.last == "STATUS=connected, badge 0"
            }
            statuses = []
            let start = ContinuousClock.now
            var replies = try await ConversationActions(of: 1, in: fixture)
            for _ in 1...20 {
                try await replies.send(1)
                try await replies.announced()
            }
            try await eventually("the last change is reported") {
                receive()
                return statuses.last == "STATUS=connected, badge 20"
            }
            let seconds = Int((ContinuousClock.now - start).components.seconds)
            #expect(statuses.count <= seconds + 2, "\(statuses)")
        }
    }
}
