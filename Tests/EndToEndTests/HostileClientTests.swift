import Foundation
import TestSupport
import Testing

@Suite struct `Hostile clients` {
    /// A script that opens 1000 connections and sends an incomplete call of 8 KiB on each.
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

    @Test func `A thousand incomplete messages use limited memory, and another client is still served`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let before = try fixture.daemon.anonymousKiB()
            let crowd = try fixture.client(Self.crowd)
            _ = try await crowd.waitForLine(after: "crowded")
            #expect(try await fixture.daemon.fetchStatus().state == "connected")
            #expect(try await fixture.daemon.ctl("status").code == 0)
            // The limit is 32 MiB: 8 MB for the messages, and the rest for buffers and connections.
            try fixture.daemon.expectKept(since: before, atMost: 32 << 10)
            crowd.signal(SIGKILL)
            try await crowd.waitForExit()
            #expect(try await fixture.daemon.fetchStatus().state == "connected")
        }
    }

    /// A script that watches the whole event log on 100 connections and never reads the replies.
    private static let deaf = """
        import socket, sys, time
        peers = []
        for number in range(100):
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(sys.argv[1])
            call = b'{"method":"io.cutied.Control.Watch","parameters":{"since":0},"more":true}'
            peer.sendall(call + bytes(1))
            peers.append(peer)
        print("watching", flush=True)
        time.sleep(600)
        """

    @Test func `Watchers that never read use limited memory, and another watcher misses no entry`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Loud")
            let before = try fixture.daemon.anonymousKiB()
            let deaf = try fixture.client(Self.deaf)
            _ = try await deaf.waitForLine(after: "watching")
            var ids: [String] = []
            for number in 0..<10 {
                let texts = (0..<50).map { "\(number), \($0)" + String(repeating: " and on", count: 500) }
                ids += try await fixture.sandbox.sendReplies(texts, in: conversation)
            }
            try await fixture.daemon.waitForBadge(500)
            #expect(try await fixture.daemon.fetchLoggedMessages().filter(ids.contains) == ids)
            // The limit of 32 MiB is enough for one page of the event log per connection, but not for the
            // whole log.
            try fixture.daemon.expectKept(since: before, atMost: 32 << 10)
            deaf.signal(SIGKILL)
            try await deaf.waitForExit()
        }
    }

    /// A script that requests the status. It prints the size of the reply, or the name of the error.
    fileprivate static let otherUser = """
        import socket, sys
        peer = socket.socket(socket.AF_UNIX)
        try:
            peer.connect(sys.argv[1])
            peer.sendall(b'{"method":"io.cutied.Control.GetStatus"}' + bytes(1))
            print("answer", len(peer.recv(4096)), flush=True)
        except OSError as error:
            print("answer", type(error).__name__, flush=True)
        """

    @Test(.enabled(if: geteuid() == 0, "only root can be somebody else"))
    func `Another user cannot connect to the socket, even if the directories are accessible`() async throws {
        try await EndToEndFixture.with { fixture in
            #expect(try await fixture.queryAsOtherUser() == "PermissionError")
            var path = fixture.daemon.socketFile
            while path.hasPrefix(fixture.daemon.directory.path) {
                try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
                path = (path as NSString).deletingLastPathComponent
            }
            let answer = try await fixture.queryAsOtherUser()
            #expect(["0", "BrokenPipeError", "ConnectionResetError"].contains(answer))
            #expect(try await fixture.daemon.ctl("status").code == 0)
        }
    }
}

extension EndToEndFixture {
    fileprivate func client(_ script: String, as user: [String] = []) throws -> ChildProcess {
        let command = user + ["/usr/bin/python3", "-c", script, daemon.socketFile]
        return try ChildProcess("/usr/bin/env", command)
    }

    fileprivate func queryAsOtherUser() async throws -> String {
        let user = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        let otherUser = try client(`Hostile clients`.otherUser, as: user)
        return try await otherUser.waitForLine(after: "answer ")
    }
}
