import Foundation
import TestSupport
import Testing

/// Tests that the example commands in the documentation work with the real programs.
@Suite struct `Examples in the man pages` {
    @Test(arguments: ManualExamples.pages)
    func `Every example command in a man page can be run`(page: String) async throws {
        let examples = try ManualExamples(in: page)
        #expect(!examples.commands.isEmpty)
        try await EndToEndFixture.with { fixture in
            let reader = try await Reader(in: fixture)
            for command in examples.commands { try await reader.type(command) }
        }
    }
}

/// A simulated reader, who runs the example commands of a page in a separate directory.
private struct Reader {
    let fixture: EndToEndFixture
    let conversation: String
    let message: String
    let directory: TemporaryDirectory

    init(in fixture: EndToEndFixture) async throws {
        self.fixture = fixture
        conversation = try await fixture.daemon.startConversation("Rotate")
        message = try await fixture.sandbox.reply("We rotate it for you", in: conversation)
        try await fixture.daemon.waitForBadge(1)
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file(".local/share/bash-completion/completions"),
            withIntermediateDirectories: true)
        try "It crashed.".write(toFile: directory.file("crash.log"), atomically: true, encoding: .utf8)
        if let varlinkPython { try installStandIn(in: "python3", "exec '\(varlinkPython)' \"$@\"") }
        // Replaces commands that would change the machine with scripts that check their arguments. The script
        // for `make` only checks that the target exists.
        for (name, meant) in [
            ("systemctl", "--user enable --now cutied"), ("loginctl", "enable-linger"),
            ("apt", "install ./.build/deb/cutied_*.deb ./.build/deb/cutied-inbox_*.deb"),
        ] { try installStandIn(in: name, "[ \"$*\" = '\(meant)' ]") }
        try installStandIn(in: "sudo", "exec \"$@\"")
        try installStandIn(in: "espeak", "echo \"$@\"")
        try installStandIn(in: "make", "exec /usr/bin/make -n -C '\(Self.root)' \"$@\" >/dev/null")
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func installStandIn(in name: String, _ script: String) throws {
        try installScript("#!/bin/sh\n\(script)\n", at: directory.file(name))
    }

    private var environment: [String: String] {
        get throws {
            let products = URL(filePath: try BuiltProduct.path(of: "cutied")).deletingLastPathComponent().path
            return fixture.daemon.environment.merging([
                "PATH": "\(directory.path):\(products):/usr/local/bin:/usr/bin:/bin",
                "CUTIE_CLIENT_ID": "cutie_ci_tests", "CUTIE_CLIENT_SECRET": "cutie_cs_tests",
            ]) { $1 }
        }
    }

    /// The placeholders in the documentation and the values that replace them.
    private var replacements: [(String, String)] {
        [
            ("conv_42", conversation), ("CONVERSATION", conversation), ("msg_42", message),
            ("MESSAGE", message), ("~/", directory.path + "/"),
            ("cutied setup\n", "script -qec 'cutied setup' /dev/null\n"),
            ("cutie-sandbox serve", "cutie-sandbox serve --port 0"),
            ("cutie-sandbox reply", "cutie-sandbox reply --url \(fixture.sandbox.url)"),
            ("http://127.0.0.1:8787", fixture.sandbox.url),
        ]
    }

    func type(_ command: String) async throws {
        guard varlinkPython != nil || !command.contains("varlink.cli") else { return }
        let lines = command.split(separator: "\n").map(String.init)
        // A daemon and a sandbox are already running, so examples that start another daemon or sandbox use
        // other directories.
        let others = lines.filter { $0.hasSuffix(" &") || $0.contains("cutied run") }
        let places = lines.filter { $0.hasPrefix("export ") }
        for line in others {
            let foreground = line.hasSuffix(" &") ? String(line.dropLast(2)) : line
            let script = (places + [foreground]).joined(separator: "\n")
            try await expectContinuousOutput(shell(script, environment.merging(elsewhere) { $1 }), line)
        }
        let rest = lines.filter { !(others + places).contains($0) }.joined(separator: "\n")
        guard !rest.isEmpty else { return }
        let shell = try shell(rest, environment)
        if rest.contains(/ctl watch|sandbox serve/) {
            try await expectContinuousOutput(shell, rest)
        } else {
            let code = try await shell.waitForExit()
            #expect(code == 0, "\(rest): \(code): \(shell.standardError)")
        }
    }

    private var elsewhere: [String: String] {
        ["CUTIED_SOCKET": directory.file("control.sock"), "TMPDIR": directory.path].merging(
            ["CONFIG", "STATE", "CACHE"].map { ("XDG_\($0)_HOME", directory.file($0)) }
        ) { $1 }
    }

    private func shell(_ command: String, _ environment: [String: String]) throws -> SpawnedProgram {
        let script = replacements.reduce(command + "\n") {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
        return try SpawnedProgram(
            "/usr/bin/timeout",
            [
                "\(defaultTimeLimit.components.seconds)", "/bin/sh", "-euc",
                "cd '\(directory.path)'\n\(script)",
            ],
            environment: environment, input: "app_sandbox\n\(fixture.sandbox.url)\n")
    }

    /// Checks a command that runs until interrupted: it must print something after a reply, or report that it
    /// is ready.
    private func expectContinuousOutput(_ shell: SpawnedProgram, _ command: String) async throws {
        try await eventually("words of \(command); \(shell.standardError)") {
            try await fixture.sandbox.reply("And another one", in: conversation)
            return !shell.standardOutput.isEmpty || shell.standardError.contains("notice ready")
        }
        #expect(shell.isRunning, "\(command)")
        shell.signal(SIGTERM)
        try await shell.waitForExit()
    }
}
