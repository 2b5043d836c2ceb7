import Foundation
import Testing

@testable import Config

/// What the README and cutied.yaml(5) show can be copied as it is.
struct DocumentedConfigurationTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func `The examples of the manual page are accepted`() throws {
        let page = try Self.text("config/man/cutied.yaml.5")
        let examples = try #require(page.firstMatch(of: /\n\.Sh EXAMPLES\n(?<all>(?s:.*?))\n\.Sh/)).output.all
        let shown = examples.matches(of: /(?m)^\.Dl (?<line>.*)$|^\.Bd.*\n(?<block>(?s:.*?))\n\.Ed/)
        #expect(shown.count > 1)
        for example in shown {
            let yaml = try #require(example.output.line ?? example.output.block)
            #expect(try !read(String(yaml), environment: ["HOME": "/home/anna"]).accounts.isEmpty)
        }
    }

    @Test func `The examples of the README are accepted`() throws {
        let blocks = try Self.text("README.md").matches(of: /```yaml\n(?<yaml>(?s:.*?))```/)
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(try !read(String(block.output.yaml)).accounts.isEmpty) }
    }
}
