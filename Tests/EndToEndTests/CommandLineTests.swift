import Foundation
import TestSupport
import Testing

/// Tests of command line mistakes that new users typically make.
struct CommandLineTests {
    private func cutied(_ words: String...) async throws -> (code: Int32, output: String, error: String) {
        let program = try ChildProcess(try BuiltProduct.path(of: "cutied"), words)
        return (try await program.waitForExit(), program.standardOutput, program.standardError)
    }

    @Test(arguments: ["status", "inbox", "clearBadge"])
    func `A ctl command without the prefix ctl is refused with an error that suggests the right command`(
        verb: String
    )
        async throws
    {
        let (code, _, error) = try await cutied(verb, "--no-wait")
        #expect(code == 64)
        #expect(error == "cutied: \(verb) is a verb of `cutied ctl`; run `cutied ctl \(verb)`\n")
    }

    @Test func `An unknown command causes a usage error`() async throws {
        let (code, _, error) = try await cutied("nonsense")
        #expect(code == 64)
        #expect(error.hasPrefix("cutied: Unexpected argument 'nonsense'\n"))
    }

    @Test func `An unknown ctl command is reported even if options follow it`() async throws {
        #expect(
            try await cutied("ctl", "nosuch", "--json").error.contains(#""message":"unknown verb nosuch""#))
        #expect(
            try await cutied("ctl", "nosuch").error
                == "cutied: unknown verb nosuch; `cutied help ctl` lists the verbs\n")
    }

    @Test(arguments: [
        ["help", "nosuch"], ["help", "ctl", "nosuch"], ["ctl", "help", "nosuch"], ["help", "reply", "x"],
        ["-help"], ["ctl", "-help"], ["ctl", "reply", "conv_1", "--version"], ["ctl", "status", "-hj"],
    ])
    func `Requesting help for an unknown command causes a usage error`(words: [String]) async throws {
        let program = try ChildProcess(try BuiltProduct.path(of: "cutied"), words)
        #expect(try await program.waitForExit() == 64)
        #expect(program.standardOutput.isEmpty && program.standardError.hasPrefix("cutied: "))
    }

    @Test func `The option --version prints the version, and help does not list the option`() async throws {
        let (code, output, _) = try await cutied("--version")
        #expect(code == 0 && output.hasPrefix("cutied 0."))
        #expect(try await cutied("help", "reply").output.contains("--version") == false)
    }

    /// The exit code 69 means that the arguments were parsed: the window exits with 69 if there is no
    /// display.
    @Test
    func `The window never interprets a conversation, account or page argument as an option`()
        async throws
    {
        func code(_ words: String...) async throws -> (Int32, String) {
            let program = try SpawnedProgram(
                BuiltProduct.path(of: "cutied-inbox"), words, environment: ["PATH": "/usr/bin:/bin"])
            return (try await program.waitForExit(), program.standardOutput)
        }
        for text in CorpusText.all where !text.isOption {
            let thread = try await code(text.text)
            #expect([65, 69].contains(thread.0) && thread.1.isEmpty, "\(text): \(thread)")
            let account = try await code("--account", text.text, "conv_1")
            #expect([65, 69].contains(account.0) && account.1.isEmpty, "\(text): \(account)")
            #expect(try await code("--page", text.text).0 == 65, "\(text)")
        }
        #expect(try await code("--reply", "- the export hangs").0 == 69)
        #expect(try await code("--reply", "--", "-h").0 == 69)
        for option in ["-x", "--nothing", "--json"] { #expect(try await code(option).0 == 64, "\(option)") }
        for option in ["-h", "--help", "--version"] { #expect(try await code(option).0 == 0, "\(option)") }
        #expect(try await code("--generate-completion-script", "bash").1.contains("cutied-inbox"))
    }

    @Test func `With --json, an error is printed as one object on standard error`() async throws {
        let (code, output, error) = try await cutied("ctl", "inbox", "--limit", "-3", "--json")
        #expect(code == 64 && output.isEmpty)
        let fields = try JSONDecoder().decode(ErrorFields.self, from: Data(error.utf8))
        #expect(fields.code == "usage" && fields.exitCode == 64 && error.hasSuffix("}\n"))
        #expect(fields.message.hasSuffix("use a whole number from 1 up"))
    }

    private struct ErrorFields: Decodable {
        let code: String
        let message: String
        let exitCode: Int
    }

    @Test(arguments: [110, 150])
    func `A table is as wide as the terminal even if the output goes to a pipe`(columns: Int) async throws {
        try await EndToEndFixture.with { fixture in
            _ = try await fixture.daemon.startConversation("Wide", String(repeating: "wide ", count: 30))
            let script = "stty cols \(columns); '\(try BuiltProduct.path(of: "cutied"))' ctl inbox | cat"
            let program = try ChildProcess(
                "/usr/bin/script", ["-qec", script, "/dev/null"],
                environment: fixture.daemon.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 })
            #expect(try await program.waitForExit() == 0)
            let row = try #require(program.standardOutput.split(whereSeparator: \.isNewline).last)
            #expect((columns - 5...columns).contains(row.count), "\(row)")
        }
    }

    @Test func `The command help accepts a ctl command with or without the prefix ctl`() async throws {
        let short = try await cutied("help", "reply")
        #expect(short.code == 0)
        #expect(short.output.contains("USAGE: cutied ctl reply "))
        #expect(try await cutied("help", "ctl", "reply").output == short.output)
        #expect(try await cutied("ctl", "help", "reply").output == short.output)
        #expect(try await cutied("help", "setup").output.contains("USAGE: cutied setup "))
    }
}
