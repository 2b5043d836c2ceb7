import Foundation
import TestSupport
import Testing

/// Tests that the man page cutie-sandbox(1) documents all options and features of the program.
struct SandboxManPageTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "config/man/cutie-sandbox.1")

    private func help(_ command: String) async throws -> String {
        let program = try ChildProcess(
            try BuiltProduct.path(of: "cutie-sandbox"),
            ["help"] + command.split(separator: " ").map(String.init))
        #expect(try await program.waitForExit() == 0)
        return program.standardOutput
    }

    @Test(arguments: ["serve", "reply", "admin add", "service"])
    func `The sandbox man page documents every option`(command: String) async throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let options = try await help(command).matches(of: /(?m)^  -(-[a-z-]+)/).map { String($0.1) }
        #expect(options.count > 3)
        for option in options where !["-help", "-version"].contains(option) {
            let entry = try Regex("\n\\.It (?:Fl .* , )?Fl \(option)[ \n]")
            #expect(text.contains(entry), "option -\(option)")
        }
        #expect(text.contains(".It Cm \(command)"))
    }

    @Test func `The sandbox man page documents --version, and the sandbox has the same version as cutied`()
        async throws
    {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        #expect(text.contains("\n.Nm cutie-sandbox\n.Fl -version\n"))
        let number = try await version(of: "cutied")
        #expect(try await version(of: "cutie-sandbox") == number && number.contains("."))
    }

    private func version(of product: String) async throws -> String {
        let program = try ChildProcess(try BuiltProduct.path(of: product), ["--version"])
        #expect(try await program.waitForExit() == 0, "\(program.standardError)")
        let words = program.standardOutput.split(whereSeparator: \.isWhitespace)
        #expect(words.count == 2 && words[0] == product)
        return words.last.map(String.init) ?? ""
    }

    @Test func `The sandbox man page documents every feature that can be disabled`() async throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let helpText = try await help("serve").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let list = try #require(helpText.firstMatch(of: /lacks these: ([a-z,-]+)/)?.1)
        #expect(list.split(separator: ",").count > 5)
        for feature in list.split(separator: ",") {
            #expect(text.contains(try Regex("\n\\.It Cm (?:.*, )?\(feature)(?: , .*)?\n")), "\(feature)")
        }
    }
}
