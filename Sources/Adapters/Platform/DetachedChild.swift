import CLinux
import Glibc
import Runtime

/// A child process in a new session. The process is reaped when it exits, even if no task waits for it. There
/// is no SIGCHLD handler, because the handler would also reap the child processes of libraries.
final class DetachedChild: Sendable {
    private let ending: AsyncStream<Launcher.Outcome>
    /// The process ID; `nil` after the process was reaped, because the kernel may reuse the ID.
    private let pid: Locked<pid_t?>

    /// Starts `arguments[0]`, looked up in PATH. For `input` and `output`, see `DetachedSpawn.start`.
    ///
    /// - Throws: an error if the program cannot be started.
    init(
        _ arguments: [String], environment: [String: String], input: Int32 = -1, output: Int32 = -1
    ) throws(SystemFailure) {
        let pid = try Self.spawn(arguments, environment: environment, input: input, output: output)
        let process = try Descriptor(clinux_open_pidfd(pid), resultOf: "pidfd_open").release()
        let (stream, continuation) = AsyncStream.makeStream(of: Launcher.Outcome.self)
        ending = stream
        self.pid = Locked(pid)
        // The event loop retains this object until the process exits.
        EventLoop.shared.perform(whenReadable: process) {
            if let outcome = self.reapIfExited() { continuation.yield(outcome) }
            continuation.finish()
            close(process)
        }
    }

    /// Starts a program without input. `.discarded` redirects the output to /dev/null, even the output of
    /// `systemd-run`, because the journal stores each line together with the command line of the process
    /// that wrote it.
    convenience init(
        _ arguments: [String], environment: [String: String], output: Launcher.Output
    ) throws(SystemFailure) {
        switch output {
        case .inherited: try self.init(arguments, environment: environment)
        case .discarded:
            let nowhere = try Descriptor(open("/dev/null", O_WRONLY | O_CLOEXEC), resultOf: "open /dev/null")
            try self.init(arguments, environment: environment, output: nowhere.number)
        }
    }

    /// Waits for the process. Returns its outcome; `nil` if it is still running after `limit`.
    func waitForExit(within limit: Duration) async -> Launcher.Outcome? {
        await EventLoop.shared.withTimeout(limit) { [ending] in await ending.first { _ in true } } ?? nil
    }

    /// Waits for the process. If the process is still running after `limit`, sends SIGTERM to its session;
    /// if the process is still running after the grace period, sends SIGKILL. Returns the outcome, and
    /// whether the process exceeded `limit`.
    func waitForExit(terminatingAfter limit: Duration, gracePeriod: Duration) async -> (
        outcome: Launcher.Outcome, isLate: Bool
    ) {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                guard (try? await EventLoop.shared.sleep(for: limit)) != nil else { return false }
                self.signalSession(with: SIGTERM)
                if (try? await EventLoop.shared.sleep(for: gracePeriod)) != nil {
                    self.signalSession(with: SIGKILL)
                }
                return true
            }
            let outcome = await ending.first { _ in true } ?? .running
            group.cancelAll()
            return (outcome, await group.next() ?? false)
        }
    }

    func terminate() {
        pid.withLock { if let pid = $0 { kill(pid, SIGTERM) } }
    }

    func signalSession(with signal: Int32) {
        pid.withLock { if let pid = $0 { kill(-pid, signal) } }
    }

    private func reapIfExited() -> Launcher.Outcome? {
        let status = pid.withLock { pid -> Int32? in
            guard let child = pid.take() else { return nil }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0 && errno == EINTR {}
            return status
        }
        return status.map { status in
            let signal = status & 0x7F
            return signal == 0 ? .exited(code: status >> 8 & 0xFF) : .killed(signal: signal)
        }
    }

    private static func spawn(
        _ arguments: [String], environment: [String: String], input: Int32, output: Int32
    ) throws(SystemFailure) -> pid_t {
        guard !arguments.isEmpty else { throw SystemFailure("start nothing", code: EINVAL) }
        do throws(DetachedSpawn.SpawnFailure) {
            return try DetachedSpawn.start(arguments, environment: environment, input: input, output: output)
        } catch {
            throw SystemFailure("start " + (arguments.first ?? ""), code: error.code)
        }
    }
}

/// A capture of a program's output. All output is read, so that the program never blocks, but only the first
/// part is stored.
final class OutputCapture: Sendable {
    /// The write end of the pipe. The caller must close it after starting the program.
    let writingEnd: Int32
    private let readingEnd: Int32
    private let limit: Int
    private let state = Locked(State())

    private struct State {
        var bytes: [UInt8] = []
        var isTruncated = false
        var isFinished = false
    }

    init(keeping limit: Int) throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (readingEnd, writingEnd, self.limit) = (ends[0], ends[1], limit)
    }

    deinit { close(readingEnd) }

    /// Reads output until all writers have closed the pipe or the task is cancelled.
    func readToEnd() async {
        while drainPipe() {
            do { _ = try await EventLoop.shared.wait(for: .readable, on: readingEnd) } catch { return }
        }
    }

    /// Reads the remaining output. Returns the whole stored output, and whether it was truncated.
    func collectOutput() -> (bytes: [UInt8], isTruncated: Bool) {
        _ = drainPipe()
        return state.withLock { ($0.bytes, $0.isTruncated) }
    }

    /// Reads the available output. Returns `false` at end of file or after an error.
    private func drainPipe() -> Bool {
        state.withLock { state in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while !state.isFinished {
                let count = read(readingEnd, &chunk, chunk.count)
                if count > 0 {
                    let room = limit - state.bytes.count
                    state.bytes += chunk.prefix(min(count, room))
                    state.isTruncated = state.isTruncated || count > room
                } else if count == 0 {
                    state.isFinished = true
                } else if errno != EINTR {
                    return errno == EAGAIN
                }
            }
            return false
        }
    }
}
