import Foundation
import TestSupport
import Testing

@testable import Platform

struct HookTests {
    private let directory: TemporaryDirectory
    private let launcher: Launcher

    init() throws {
        directory = try TemporaryDirectory()
        launcher = Launcher(environment: [
            "PATH": "/usr/bin:/bin", "HERE": directory.path, "NOTIFY_SOCKET": "/run/x", "LISTEN_FDS": "1",
            "JOURNAL_STREAM": "8:1",
        ])
    }

    private func hook(
        _ script: String, input: String = "", adding: [String: String] = [:],
        within limit: Duration = defaultTimeLimit
    ) async throws -> Launcher.Report {
        try await launcher.runHook(
            ["/bin/sh", "-c", script], input: Array(input.utf8), addingVariables: adding, within: limit)
    }

    @Test func `A hook receives its input, and its output and exit code are returned`() async throws {
        let report = try await hook("cat; echo trouble >&2; exit 3", input: "{\"a\": 1}\n")
        #expect(report.outcome == .exited(code: 3))
        #expect(report.output == "{\"a\": 1}\ntrouble\n")
        #expect(!report.isLate && !report.isTruncated)
    }

    @Test func `A hook that does not read its input is not blocked, even if the input exceeds a pipe buffer`()
        async throws
    {
        let large = String(repeating: "x", count: 1 << 20)
        #expect(try await hook("exit 0", input: large).outcome == .exited(code: 0))
        #expect(try await hook("wc -c", input: large).output == "1048576\n")
    }

    @Test func `Only the beginning of the output is returned, and a hook with more output is not blocked`()
        async throws
    {
        let report = try await hook("head -c 3000000 /dev/zero | tr '\\0' x; echo done >\"$HERE/done\"")
        #expect(report.outcome == .exited(code: 0))
        #expect(report.isTruncated)
        #expect(report.output.utf8.count == 16 << 10)
        #expect(FileManager.default.fileExists(atPath: directory.file("done")))
    }

    @Test func `A hook that exceeds its time limit is killed along with its child processes`() async throws {
        let report = try await hook(
            "sleep 600 & echo $! >\"$HERE/pid\"; wait", within: .seconds(10))
        #expect(report.isLate)
        #expect(report.outcome == .killed(signal: SIGTERM))
        let text = try String(contentsOfFile: directory.file("pid"), encoding: .utf8)
        let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        try await eventually("the hook's child has ended") {
            let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ") Z"
            return state.split(separator: ")").last?.hasPrefix(" Z") == true
        }
    }

    @Test func `A child process that keeps the output of a hook open does not block the daemon`()
        async throws
    {
        let report = try await hook("sleep 600 & echo $!")
        #expect(report.outcome == .exited(code: 0) && !report.isLate)
        let pid = try #require(pid_t(report.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(pid, SIGKILL) == 0)
    }

    @Test func `A hook whose run is cancelled gets a grace period before it is killed`() async throws {
        let task = Task {
            try await hook(
                "echo >\"$HERE/began\"; until [ -e \"$HERE/cancelled\" ]; do :; done; echo finished")
        }
        try await eventually("the first run begins") {
            FileManager.default.fileExists(atPath: directory.file("began"))
        }
        task.cancel()
        try "".write(toFile: directory.file("cancelled"), atomically: false, encoding: .utf8)
        let report = try await task.value
        #expect(report.outcome == .exited(code: 0) && report.output == "finished\n")
        let stubborn = Task { try await hook("trap '' TERM; echo >\"$HERE/again\"; sleep 600") }
        try await eventually("the second run begins") {
            FileManager.default.fileExists(atPath: directory.file("again"))
        }
        stubborn.cancel()
        #expect(try await stubborn.value.outcome == .killed(signal: SIGKILL))
    }

    @Test func `A hook inherits additional variables, but not the variables that systemd set for the daemon`()
        async throws
    {
        let report = try await hook("env | sort", adding: ["CUTIED_SOCKET": "/run/s"])
        #expect(report.output.contains("CUTIED_SOCKET=/run/s\nHERE="))
        for name in ["NOTIFY_SOCKET", "LISTEN_FDS", "JOURNAL_STREAM"] {
            #expect(!report.output.contains(name))
        }
    }

    @Test func `Running a hook that does not exist causes an error`() async throws {
        await #expect(throws: SystemFailure.self) {
            _ = try await launcher.runHook(["cutied-no-such-hook"], input: [], within: .seconds(1))
        }
    }

    @Test func `The user manager enforces the time limit of a hook that it runs`() throws {
        let manager = try #require(UserServiceManager(environment: ["XDG_RUNTIME_DIR": directory.path]))
        #expect(
            manager.makeRunCommand(for: ["notify", "a b"], addingVariables: [:], within: .seconds(30)) == [
                "systemd-run", "--user", "--quiet", "--collect", "--wait", "--pipe",
                "--property=RuntimeMaxSec=30", "--property=TimeoutStopSec=5",
                "--description=cutied starts notify", "--", "notify", "a b",
            ])
    }
}
