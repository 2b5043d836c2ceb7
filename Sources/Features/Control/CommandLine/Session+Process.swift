import ControlClient
import FoundationEssentials
import Glibc
import Platform

extension Session {
    /// Returns the session of this process: its standard output, terminal, clock and environment.
    static func makeForThisProcess(options: CommonOptions) throws -> Session {
        try makeForThisProcess(json: options.json, noWait: options.noWait)
    }

    static func makeForThisProcess(json: Bool, noWait: Bool) throws -> Session {
        // Ignore SIGPIPE: otherwise, a reader that exits early, such as `head`, would kill the process, and
        // the shell would report the signal.
        signal(SIGPIPE, SIG_IGN)
        let width = TextFormat.terminalWidthOrDefault()
        let environment = ProcessInfo.processInfo.environment
        return Session(
            daemon: DaemonClient(
                path: try controlSocketPath(in: environment), timeout: noWait ? .zero : .seconds(2)),
            output: .standard, json: json, format: { .makeForThisProcess(width: width) },
            standardInput: readStandardInput,
            progress: isatty(STDERR_FILENO) == 1 ? .error : nil, prompt: .makeForThisProcess(),
            desktop: DesktopEnvironment(
                environment: environment, program: Installation.current?.command ?? Product.name))
    }

    private static func controlSocketPath(in environment: [String: String]) throws -> String {
        do { return try Paths(environment: environment).controlSocketPath() } catch {
            throw CommandError(.unreachable, error.description)
        }
    }

    @Sendable private static func readStandardInput(byteLimit limit: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while result.count < limit {
            let count = Glibc.read(STDIN_FILENO, &chunk, min(chunk.count, limit - result.count))
            if count > 0 { result += chunk[..<count] }
            if count == 0 { break }
            if count < 0, errno != EINTR {
                throw CommandError(
                    .badData, "cannot read standard input: \(String(cString: strerror(errno)))")
            }
        }
        return result
    }
}

extension TextFormat {
    fileprivate static func makeForThisProcess(width: Int) -> TextFormat {
        let wantsNone = environmentValue(named: "NO_COLOR").map { !$0.isEmpty } ?? false
        return TextFormat(
            now: SystemClock.milliseconds, clock: WallClock(offset: localUTCOffsetInSeconds),
            usesColor: isatty(STDOUT_FILENO) == 1 && !wantsNone && environmentValue(named: "TERM") != "dumb",
            width: width)
    }

    /// Returns the width from `COLUMNS`, or the width of the terminal. The width of the terminal also applies
    /// to a pipe, so that `less` shows the same lines.
    fileprivate static func terminalWidthOrDefault() -> Int {
        environmentValue(named: "COLUMNS").flatMap { Int($0) } ?? readTerminalWidth() ?? 100
    }

    /// Returns the width of the terminal; `nil` if there is no terminal.
    private static func readTerminalWidth() -> Int? {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var size = winsize()
        guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    @Sendable private static func localUTCOffsetInSeconds(at unixSeconds: Int64) -> Int {
        var time = time_t(unixSeconds)
        var parts = tm()
        // Call `tzset`, because `watch` runs for days and `localtime_r` alone keeps the time zone of its
        // first call.
        tzset()
        return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
    }
}

private func environmentValue(named name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}
