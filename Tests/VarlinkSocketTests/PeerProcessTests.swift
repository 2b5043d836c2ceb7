import CLinux
import Glibc
import Runtime
import TestSupport
import Testing

@testable import VarlinkSocket

/// Tests that identify the peer process, on kernels with and without SO_PEERPIDFD.
@Suite(.timeLimit(.minutes(2))) struct PeerProcessTests {
    /// A script that connects, sends nothing, and runs until it is killed. On SIGUSR1, the script executes
    /// the program `sleep` in the same process.
    private static let connecting = """
        import os, signal, socket, sys
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
        peer = socket.socket(socket.AF_UNIX); peer.connect(sys.argv[1]); peer.set_inheritable(True)
        print("connected", flush=True)
        signal.sigwait([signal.SIGUSR1])
        os.execv("/bin/sleep", ["sleep", "1000"])
        """

    private func connected(
        handle: Bool, _ body: (PeerProcess, ChildProcess) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let listener = try ListeningSocket(bindingTo: directory.file("s"))
        let child = try ChildProcess("/usr/bin/python3", ["-c", Self.connecting, directory.file("s")])
        _ = try await child.waitForLine(after: "connected")
        guard case .connection(let connection) = try listener.acceptConnection() else {
            Issue.record("nobody connected")
            return
        }
        var credentials = clinux_peer_credentials()
        #expect(clinux_read_peer_credentials(connection.number, &credentials) == 0)
        #expect(credentials.pid == child.pid)
        try await body(PeerProcess(of: connection, pid: credentials.pid, opensHandle: handle), child)
        withExtendedLifetime(directory) {}
    }

    @Test(arguments: [true, false])
    func `A peer process is identified by its executable and its systemd unit`(handle: Bool) async throws {
        try await connected(handle: handle) { process, child in
            let facts = try #require(process.facts)
            let executable = try #require(facts.executable)
            #expect(executable.path.contains("/python3"))
            var status = stat()
            #expect(stat("/usr/bin/python3", &status) == 0)
            #expect(executable.inode == status.st_ino)
            #expect(executable.device == status.st_dev)
            #expect(facts.sharesMounts == true)
            #expect(facts.cgroup?.contains(":/") == true)
            #expect(facts.flatpakInfo == .hidden)
            #expect(process.isRunning)
        }
    }

    @Test(arguments: [true, false])
    func `A peer process that has exited yields no facts`(handle: Bool) async throws {
        try await connected(handle: handle) { process, child in
            child.signal(SIGKILL)
            try await eventually("the process has ended") { !process.isRunning }
            #expect(process.facts == nil)
        }
    }

    @Test
    func `A peer is identified by its PID alone only if the kernel has no peer process descriptors`()
        throws
    {
        let connection = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        let number = clinux_open_peer_pidfd(connection.number)
        try #require(number < 0)
        let isOlder = errno == ENOPROTOOPT
        let process = PeerProcess(of: connection, pid: getpid())
        #expect(process.isRunning == isOlder && (process.facts != nil) == isOlder)
    }

    @Test func `The facts about a peer are unchanged if its process later executes another program`()
        async throws
    {
        try await connected(handle: true) { process, child in
            let before = process.facts
            child.signal(SIGUSR1)
            try await eventually("the process runs another program") {
                ProcessFacts(reading: child.pid).executable?.path.hasSuffix("/sleep") == true
            }
            #expect(before != nil)
            #expect(process.facts == before)
        }
    }

    @Test func `Two peer processes are distinguished even if the second process reuses the PID of the first`()
        async throws
    {
        try await connected(handle: true) { process, _ in
            let connection = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
            let other = PeerProcess(of: connection, pid: getpid())
            #expect(process != other)
            // The kernel reports the PID 0 for a process in another PID namespace.
            #expect(PeerProcess(of: connection, pid: 0).facts == nil)
        }
    }

    @Test(
        arguments: [
            ("1 (sh) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 9 9", 4711),
            // A process name may contain text that looks like the fields after the name.
            ("1 (a) S (b) R 0 1) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4712 9 9", 4712),
            ("1 (sh) S 0 1", nil), ("", nil), ("1 (sh", nil),
        ] as [(String, UInt64?)])
    func `The start time of a process is parsed from its stat file`(line: String, time: UInt64?) {
        #expect(PeerProcess.parseStartTime(fromStatLine: line) == time)
    }
}

@Suite(.timeLimit(.minutes(2))) struct ConnectionsOfAProcessTests {
    private let echo = "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"x\"}}\0"

    @Test func `If a process opens too many connections, only connections of that process are closed`()
        async throws
    {
        try await RunningServer.with(limits: ServerLimits(connections: 6, connectionsOfProcess: 3)) {
            server in
            let script = """
                import signal, socket, sys
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
                peer = socket.socket(socket.AF_UNIX); peer.connect(sys.argv[1])
                print("connected", flush=True)
                signal.sigwait([signal.SIGUSR1])
                peer.sendall(sys.argv[2].encode() + bytes(1)); print("got", peer.recv(100), flush=True)
                """
            let message = String(echo.dropLast())
            let other = try ChildProcess("/usr/bin/python3", ["-c", script, server.path, message])
            _ = try await other.waitForLine(after: "connected")
            let peers = try (0..<8).map { _ in try RawPeer(server.path) }
            for peer in peers.prefix(5) { try await peer.end() }
            for peer in peers.suffix(3) {
                try await peer.send(echo)
                #expect(try await peer.message() != nil)
            }
            other.signal(SIGUSR1)
            #expect(try await other.waitForLine(after: "got").contains("parameters"))
            #expect(server.service.now.notices.count == 5)
        }
    }
}
