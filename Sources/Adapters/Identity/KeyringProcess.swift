import FoundationEssentials
import Glibc
import Runtime

/// A running keyring helper, used for one request. Calls block the calling thread.
struct KeyringProcess: ~Copyable {
    /// The outcome of a request.
    enum Outcome {
        /// The output of the helper; empty if the helper exited without responding.
        case answered([UInt8])
        case timedOut
        case interrupted
    }

    private let socket: Descriptor
    private let pid: pid_t

    private init(socket: consuming Descriptor, pid: pid_t) {
        self.socket = socket
        self.pid = pid
    }

    /// Starts `program` as the keyring helper. Returns `nil` and sets `errno` if this fails.
    static func start(_ program: String) -> KeyringProcess? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        let ours = Descriptor(owning: ends[0])
        let theirs = Descriptor(owning: ends[1])
        do throws(DetachedSpawn.SpawnFailure) {
            let pid = try DetachedSpawn.start(
                [program, KeyringHelper.argument], environment: ProcessInfo.processInfo.environment,
                input: theirs.number, output: -1)
            return KeyringProcess(socket: ours, pid: pid)
        } catch {
            errno = error.code
            return nil
        }
    }

    /// Sends `request` and waits for the response.
    func sendAndReceive(
        _ request: [UInt8], within limit: Duration, interruption: borrowing Descriptor
    ) -> Outcome {
        send(request)
        let deadline = ContinuousClock.now + limit
        var answer: [UInt8] = []
        while true {
            var ends = [
                pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interruption.number, events: Int16(POLLIN), revents: 0),
            ]
            let rest = max(.zero, deadline - .now) / .milliseconds(1)
            let count = poll(&ends, nfds_t(ends.count), Int32(rest.rounded(.up)))
            if count < 0 && errno == EINTR { continue }
            if ends[1].revents != 0 { return .interrupted }
            guard count > 0 else { return .timedOut }
            guard receive(into: &answer) else { return .answered(answer) }
        }
    }

    /// Waits for the helper to exit after its response.
    consuming func reap() { Self.reap(pid) }

    /// Kills the helper and waits for it to exit.
    consuming func kill() {
        Glibc.kill(pid, SIGKILL)
        Self.reap(pid)
    }

    /// Leaves the helper running until the user answers the prompt or the lifetime of the helper expires. If
    /// the user unlocks the keyring, the next request succeeds.
    consuming func keepRunningForPrompt() {
        let pid = pid
        startThread(named: "keyring") { Self.reap(pid) }
    }

    private func send(_ request: [UInt8]) {
        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            // The helper exited. The caller will notice that the response is missing.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
        shutdown(socket.number, Int32(SHUT_WR))
    }

    /// Reads the next part of the response. Returns `false` at the end of the response, or if the response is
    /// too large.
    private func receive(into buffer: inout [UInt8]) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(socket.number, &chunk, chunk.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        buffer += chunk[..<count]
        return buffer.count <= KeyringRequest.sizeLimit
    }

    private static func reap(_ pid: pid_t) {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    }
}
