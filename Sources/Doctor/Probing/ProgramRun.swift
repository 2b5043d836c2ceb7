import Glibc

/// How a program ended and what it said.
struct ProgramRun: Hashable, Sendable {
    enum Ending: Hashable, Sendable {
        case exited(code: Int32)
        /// By a signal, ours when it took too long.
        case killed
        case notStarted
    }

    var ending: Ending
    /// Standard output and error together, at most 64 KiB.
    var output: String

    /// Runs `arguments`, the first looked up in PATH, for at most `limit`; without translation of its words,
    /// which are compared.
    init(_ arguments: String..., environment: [String: String], limit: Duration = .seconds(3)) async {
        let environment = environment.merging(["LC_ALL": "C", "SYSTEMD_COLORS": "0"]) { $1 }
        guard let child = RunningChild(arguments, environment) else {
            self.init(ending: .notStarted, output: "")
            return
        }
        let deadline = ContinuousClock.now + limit
        var status = child.poll()
        while status == nil, !Task.isCancelled, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(5))
            status = child.poll()
        }
        let isDone = status.map { $0 & 0x7F == 0 } ?? false
        self.init(
            ending: isDone ? .exited(code: (status ?? 0) >> 8 & 0xFF) : .killed, output: child.output)
    }

    init(ending: Ending, output: String) {
        (self.ending, self.output) = (ending, output)
    }

    /// Its first line.
    var line: String { String(output.prefix { !$0.isNewline }) }
}

/// A child and the socket it writes to; both end with the value.
private final class RunningChild {
    private let pid: pid_t
    private let reader: Int32
    private var bytes: [UInt8] = []
    private var status: Int32?
    private static let outputLimit = 64 << 10

    init?(_ arguments: [String], _ environment: [String: String]) {
        // Not a pipe: pipe2, which is close-on-exec from the start, is not there in Swift's Glibc.
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        defer { close(ends[1]) }
        guard let pid = Self.spawn(arguments, environment, writingTo: ends[1]) else {
            close(ends[0])
            return nil
        }
        (self.pid, reader) = (pid, ends[0])
    }

    deinit {
        if status == nil {
            kill(pid, SIGKILL)
            while waitpid(pid, nil, 0) < 0, errno == EINTR {}
        }
        close(reader)
    }

    /// Its wait status; nil while it runs.
    func poll() -> Int32? {
        var code: Int32 = 0
        let ended = waitpid(pid, &code, WNOHANG) == pid
        // After the end, so that nothing is missed.
        read()
        if ended { status = code }
        return status
    }

    var output: String { String(decoding: bytes, as: UTF8.self) }

    private func read() {
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(reader, &chunk, chunk.count, Int32(MSG_DONTWAIT)), count > 0 {
            bytes += chunk[..<min(count, Self.outputLimit - bytes.count)]
        }
    }

    private static func spawn(
        _ arguments: [String], _ environment: [String: String], writingTo socket: Int32
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, socket, STDERR_FILENO)
        var pid: pid_t = 0
        let words = (arguments.map { strdup($0) }, environment.map { strdup($0.key + "=" + $0.value) })
        defer { (words.0 + words.1).forEach { free($0) } }
        let program = arguments.first ?? ""
        return posix_spawnp(&pid, program, &actions, nil, words.0 + [nil], words.1 + [nil]) == 0 ? pid : nil
    }
}
