import TestSupport
import Testing

/// What a person types who does not know the program yet.
struct CommandLineTests {
    private func cutied(_ words: String...) async throws -> (code: Int32, output: String, error: String) {
        let program = try ChildProcess(try BuiltProduct.path(of: "cutied"), words)
        return (try await program.exit(), program.standardOutput, program.standardError)
    }

    @Test(arguments: ["status", "inbox", "clearBadge"])
    func `A verb without ctl is told where it belongs`(verb: String) async throws {
        let (code, _, error) = try await cutied(verb, "--json")
        #expect(code == 64)
        #expect(error == "cutied: \(verb) is a verb of ctl; type `cutied ctl \(verb)`\n")
    }

    @Test func `What is neither a command nor a verb is a usage error`() async throws {
        let (code, _, error) = try await cutied("nonsense")
        #expect(code == 64)
        #expect(error.hasPrefix("cutied: Unexpected argument 'nonsense'\n"))
    }

    @Test func `Help on a verb does not ask for ctl`() async throws {
        let short = try await cutied("help", "reply")
        #expect(short.code == 0)
        #expect(short.output.contains("USAGE: cutied ctl reply "))
        #expect(try await cutied("help", "ctl", "reply").output == short.output)
        #expect(try await cutied("help", "setup").output.contains("USAGE: cutied setup "))
    }
}
