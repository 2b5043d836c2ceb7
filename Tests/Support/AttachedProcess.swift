import Foundation

/// A process with which a test communicates. It is terminated when the test process exits, even if the test
/// process is killed.
final class AttachedProcess: Sendable {
    /// The PID of the process. A process with a guard is a child of a shell.
    let pid: Int32
    private let shell: Int32
    private let input: FileHandle
    private let directory: TemporaryDirectory

    /// Starts a process.
    ///
    /// - Parameter listens: whether the process reads commands that `send` writes to its standard input, and
    ///   exits at end of file. Any other process gets a guard: a shell that kills it when the pipe to the
    ///   test process closes.
    init(_ command: [String], environment: [String: String], listens: Bool = false) async throws {
        let named = #"echo $$; exec "$@""#
        let guarded = "sh -c '\(named)' sh \"$@\" </dev/null & cat >/dev/null; kill -KILL $!; wait"
        directory = try TemporaryDirectory()
        // The output goes to a file. The readability handler of a pipe would miss end of file if the
        // descriptor number is soon reused.
        let file = directory.file("output")
        let output = try Spawn.open(file, O_WRONLY | O_CREAT | O_APPEND)
        let nothing = try Spawn.open("/dev/null", O_WRONLY)
        let pipe = try Spawn.pipe()
        input = pipe.writing
        shell = try Spawn.start(
            ["/bin/sh", "-c", listens ? named : guarded, "sh"] + command, environment: environment,
            input: pipe.reading.fileDescriptor, output: output.fileDescriptor, error: nothing.fileDescriptor)
        try await eventually("start of \(command.first ?? "")") { !Self.lines(of: file).isEmpty }
        pid = Int32(Self.lines(of: file)[0]) ?? 0
    }

    deinit {
        if pid > 0 { kill(pid, SIGKILL) }
        try? input.close()
        while Spawn.waitStatus(of: shell) == nil { usleep(1000) }
    }

    /// The lines of standard output that end in a line break.
    var lines: [String] { Array(Self.lines(of: directory.file("output")).dropFirst()) }

    /// Whether the process is running. A zombie, which has exited but has not been reaped, is not running.
    var isRunning: Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ") Z"
        return status.split(separator: ") ").last?.first != "Z"
    }

    func send(_ line: String) throws {
        try input.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Kills the process and waits until it has exited.
    func killProcess() async throws {
        kill(pid, SIGKILL)
        try await eventually("end of process \(pid)") { !isRunning }
    }

    /// The PIDs of the running child processes. Killing the process does not kill its children.
    var children: [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.flatMap { task in
            let list = try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)
            return (list ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// Runs `command` until it exits and returns its output.
    static func output(of command: [String], environment: [String: String]) async throws -> String {
        let marked = #""$@" </dev/null; echo; echo ended"#
        let process = try await AttachedProcess(
            ["sh", "-c", marked, "sh"] + command, environment: environment)
        try await eventually("end of \(command.first ?? "")") { process.lines.last == "ended" }
        return process.lines.dropLast().joined(separator: "\n")
    }

    private static func lines(of file: String) -> [String] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
