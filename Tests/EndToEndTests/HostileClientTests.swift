import Foundation
import TestSupport
import Testing

@Suite struct `Clients that mean no good` {
    /// Connects a thousand times and says half of a call each time, 8 KiB of it, until it is ended.
    private static let crowd = """
        import socket, sys, time
        peers = []
        for number in range(1000):
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(sys.argv[1])
            peer.sendall(b'{"method":"' + b'x' * 8192)
            peers.append(peer)
        print("crowded", flush=True)
        time.sleep(600)
        """

    @Test func `A thousand half messages cost a stated sum, and the right client is served`() async throws {
        try await Household.with { home in
            let daemon = try #require(home.daemon.current)
            let before = try residentKiB(daemon.pid)
            let crowd = try ChildProcess("/usr/bin/python3", ["-c", Self.crowd, home.daemon.socketFile])
            _ = try await crowd.line(after: "crowded")
            #expect(try await home.daemon.status().state == "connected")
            #expect(try await home.daemon.ctl("status").code == 0)
            // What they sent, and as much again for keeping it and the connections.
            #expect(try residentKiB(daemon.pid) - before < 32 << 10)
            crowd.signal(SIGKILL)
            try await crowd.exit()
            #expect(try await home.daemon.status().state == "connected")
        }
    }

    private func residentKiB(_ pid: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        return try #require(text.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) })
    }
}
