import Foundation
import TestSupport
import Testing

@Suite struct `An idle window` {
    /// Measures up to eight periods, because startup work, animations and the blinking cursor stop only after
    /// a while.
    @Test(.timeLimit(.minutes(10))) func `An idle window causes almost no wakeups`() async throws {
        try await withInboxWindow { fixture, user, window in
            let conversation = try await fixture.daemon.startConversation("Other", "Other")
            #expect(try await fixture.showWindow(conversation, user).waitForExit() == 0)
            try await user.waitFor(.anything("Other"))
            var switches: [Int] = []
            while switches.count < 8, switches.last ?? .max > 2 {
                let before = try Self.contextSwitches(of: window.pid)
                try await Task.sleep(for: .seconds(10))
                switches.append(try Self.contextSwitches(of: window.pid) - before)
            }
            #expect(switches.last ?? .max <= 2, "\(switches)")
        }
    }

    /// Returns the number of voluntary and involuntary context switches of all threads.
    private static func contextSwitches(of pid: Int32) throws -> Int {
        let directory = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: directory).reduce(0) { sum, thread in
            let text = try String(contentsOfFile: "\(directory)/\(thread)/status", encoding: .utf8)
            return sum + text.matches(of: /ctxt_switches:\s+(\d+)/).reduce(0) { $0 + (Int($1.1) ?? 0) }
        }
    }
}
