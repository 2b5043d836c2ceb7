import Foundation
import TestSupport
import Testing

@testable import Platform

struct LauncherTests {
    private let directory: TemporaryDirectory
    private let launcher: Launcher

    init() throws {
        directory = try TemporaryDirectory()
        launcher = Launcher(environment: ["PATH": "/usr/bin:/bin", "HERE": directory.path])
    }

    private func shell(_ script: String, adding: [String: String] = [:]) async throws -> Launcher.Outcome {
        try await launcher.launch(
            ["/bin/sh", "-c", script], addingVariables: adding, within: defaultTimeLimit)
    }

    @Test func `A program that exits early is reported with its exit code or signal`() async throws {
        #expect(try await shell("exit 0") == .exited(code: 0))
        #expect(try await shell("exit 4") == .exited(code: 4))
        #expect(try await shell("kill -9 $$") == .killed(signal: 9))
    }

    @Test func `A program that is still running counts as started`() async throws {
        let outcome = try await launcher.launch(
            ["/bin/sh", "-c", "echo $$ >\"$HERE/pid\"; exec sleep 600"], within: .milliseconds(100))
        #expect(outcome == .running && outcome.isSuccess)
        let pid = try await number(in: "pid")
        #expect(kill(pid, SIGKILL) == 0)
        try await eventually("the child process is reaped") { kill(pid, 0) != 0 }
    }

    private func number(in name: String) async throws -> Int32 {
        var found: Int32?
        try await eventually("a number in \(name)") {
            found = (try? SmallFile.read(directory.file(name), sizeLimit: 64)).flatMap {
                Int32(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
            }
            return found != nil
        }
        return try #require(found)
    }

    @Test func `Launching a program that does not exist causes an error`() async throws {
        let error = await #expect(throws: SystemFailure.self) {
            _ = try await launcher.launch(["cutied-no-such-program"])
        }
        #expect(error?.code == ENOENT)
        await #expect(throws: SystemFailure.self) { _ = try await launcher.launch([]) }
    }

    @Test
    func `A launched program has no input, its own session, and none of the daemon's descriptors`()
        async throws
    {
        let open = Foundation.open("/dev/null", O_RDONLY)
        defer { close(open) }
        try #require(open >= 3)
        let script = """
            read line && exit 10
            set -- $(cat /proc/$$/stat); [ "$6" = $$ ] || exit 11
            [ -e /proc/$$/fd/\(open) ] && exit 12
            exit 0
            """
        #expect(try await shell(script) == .exited(code: 0))
    }

    @Test func `A launched program gets additional environment variables and its exact arguments`()
        async throws
    {
        let outcome = try await launcher.launch(
            [
                "/bin/sh", "-c", "[ \"$TOKEN$HERE$1$HOME\" = \"t k\(directory.path)$(echo) a;b\" ]", "sh",
                " a;b",
            ],
            addingVariables: ["TOKEN": "t k"], within: defaultTimeLimit)
        #expect(outcome == .exited(code: 0))
    }

    @Test func `Signals that the daemon ignores have their default action in a launched program`()
        async throws
    {
        await #expect(processExitsWith: .success) {
            signal(SIGTERM, SIG_IGN)
            let launcher = Launcher(environment: ["PATH": "/usr/bin:/bin"])
            let outcome = try await launcher.launch(
                ["/bin/sh", "-c", "kill $$; exit 3"], within: defaultTimeLimit)
            #expect(outcome == .killed(signal: SIGTERM))
        }
    }

    @Test func `The user manager runs a desktop app in a unit that exists until the last process exits`()
        throws
    {
        let manager = try #require(UserServiceManager(environment: ["XDG_RUNTIME_DIR": directory.path]))
        #expect(!manager.isAvailable)
        #expect(
            manager.makeStartCommand(
                for: ["xdg-open", "cutie://x"], addingVariables: ["XDG_ACTIVATION_TOKEN": "t"],
                output: .inherited,
                instance: "1f")
                == [
                    "systemd-run", "--user", "--quiet", "--collect", "--wait",
                    #"--unit=app-cutied-xdg\x2dopen@1f.service"#, "--slice=app.slice",
                    "--property=ExitType=cgroup", "--description=cutied starts xdg-open",
                    "--setenv=XDG_ACTIVATION_TOKEN=t", "--", "xdg-open", "cutie://x",
                ])
        #expect(UserServiceManager(environment: [:]) == nil)
    }

    @Test func `The user manager discards a program's output unless the output is inherited`() throws {
        let manager = try #require(UserServiceManager(environment: ["XDG_RUNTIME_DIR": directory.path]))
        let inherited = manager.makeStartCommand(
            for: ["a"], addingVariables: [:], output: .inherited, instance: "1")
        let discarded = manager.makeStartCommand(
            for: ["a"], addingVariables: [:], output: .discarded, instance: "1")
        #expect(
            discarded.filter { !inherited.contains($0) } == [
                "--property=StandardOutput=null", "--property=StandardError=null",
            ])
    }

    @Test func `If the output of a launched program is discarded, nothing reaches standard error`()
        async throws
    {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Self.launchWithSecret(output: .discarded)
        }
        #expect(try Self.secrets(in: #require(result)) == 0)
    }

    @Test
    func `If the output of a launched program is inherited, all its output is written to standard error`()
        async throws
    {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Self.launchWithSecret(output: .inherited)
        }
        #expect(try Self.secrets(in: #require(result)) == 2)
    }

    /// Launches a program that prints its argument to standard output and standard error, and then fails.
    private static func launchWithSecret(output: Launcher.Output) async throws {
        let outcome = try await Launcher(environment: ["PATH": "/usr/bin:/bin"]).launch(
            ["/bin/sh", "-c", "echo $1; echo $1 >&2; exit 3", "sh", "secret"], output: output,
            within: defaultTimeLimit)
        try #require(outcome == .exited(code: 3))
    }

    private static func secrets(in result: ExitTest.Result) -> Int {
        String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
            .count { $0 == "secret" }
    }

    @Test(arguments: [
        ("/opt/my app/büro.sh", #"app-cutied-b\xc3\xbcro.sh@1.service"#),
        ("/", "app-cutied-program@1.service"),
        (
            String(repeating: "-", count: 300),
            "app-cutied-" + String(repeating: #"\x2d"#, count: 40) + "@1.service"
        ),
    ])
    func `The unit name of a launch is valid for any program name`(
        program: String, name: String
    ) throws {
        let manager = try #require(UserServiceManager(environment: ["XDG_RUNTIME_DIR": directory.path]))
        #expect(
            manager.makeStartCommand(for: [program], addingVariables: [:], output: .inherited, instance: "1")
                .contains(
                    "--unit=" + name))
        #expect(name.utf8.count < 256)
    }

    @Test func `Each launch of a program has a different unit name`() throws {
        let manager = try #require(UserServiceManager(environment: ["XDG_RUNTIME_DIR": directory.path]))
        #expect(
            manager.makeStartCommand(for: ["true"], addingVariables: [:], output: .inherited)
                != manager.makeStartCommand(for: ["true"], addingVariables: [:], output: .inherited))
    }

    @Test func `The user manager does not expand dollar signs in a command`() throws {
        let manager = try #require(UserServiceManager(environment: ["XDG_RUNTIME_DIR": directory.path]))
        #expect(
            manager.makeStartCommand(
                for: ["/opt/a$b", "-c", "echo $$ ${X}", "$HOME"], addingVariables: [:], output: .inherited
            )
            .suffix(4) == [
                "/opt/a$b", "-c", "echo $$$$ $${X}", "$$HOME",
            ])
    }

    @Test
    func `The launcher calls the user manager on the manager's bus, and the program uses the session's bus`()
        throws
    {
        try FileManager.default.createDirectory(
            atPath: directory.file("systemd"), withIntermediateDirectories: true)
        var environment = [
            "XDG_RUNTIME_DIR": directory.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/session",
        ]
        let manager = try #require(UserServiceManager(environment: environment))
        let own = try SilentListener(at: directory.file("systemd/private"))
        #expect(!manager.isAvailable, "systemd-run cannot reach a manager without the bus")
        let bus = try SilentListener(at: directory.file("bus"))
        #expect(manager.isAvailable)
        let address = "unix:path=\(directory.path)/bus"
        #expect(manager.address == ["DBUS_SESSION_BUS_ADDRESS": address])
        #expect(
            manager.makeStartCommand(for: ["true"], addingVariables: [:], output: .inherited).suffix(3) == [
                "--setenv=DBUS_SESSION_BUS_ADDRESS=unix:path=/session", "--", "true",
            ])
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        let same = try #require(UserServiceManager(environment: environment))
        #expect(
            same.makeStartCommand(for: ["true"], addingVariables: [:], output: .inherited).suffix(3) == [
                "--description=cutied starts true", "--", "true",
            ])
        withExtendedLifetime((own, bus)) {}
    }
}

struct TrialStartTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var environment: [String: String] {
        ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": directory.path, "DISPLAY": ":7"]
    }

    @Test
    func `The test launch reports the environment of a program that outlives its launcher`()
        async throws
    {
        let trialStart = await Launcher(environment: environment).testDetachedStart()
        guard case .outlived(let given) = trialStart else {
            Issue.record("\(trialStart)")
            return
        }
        #expect(given["DISPLAY"] == ":7")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test func `The result of a failed test launch contains the reason`() async throws {
        let environment = environment.merging(["XDG_RUNTIME_DIR": directory.file("none")]) { $1 }
        guard case .failed(let reason) = await Launcher(environment: environment).testDetachedStart() else {
            Issue.record("it did not fail")
            return
        }
        #expect(reason.contains("none"))
    }
}
