import CutieAPI
import Foundation
import Testing

@testable import Config

/// Checks that `config/config.yaml` lists every key with its default.
struct ShippedConfigurationTests {
    private let text: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        text = try String(contentsOf: root.appending(path: "config/config.yaml"), encoding: .utf8)
    }

    /// The shipped file with every `#key` and `#  key` uncommented. Lines that begin with `# ` are prose or
    /// examples and stay comments.
    private var uncommented: String { text.replacing(#/(?m)^#(?=(?:  )?[a-z])/#, with: "") }

    @Test func `The shipped configuration is valid and contains only defaults`() throws {
        #expect(try read(text) == Configuration())
    }

    @Test func `The commented-out values in the shipped configuration are the defaults`() throws {
        let withAccount = uncommented.replacing("\napp_id:\n", with: "\napp_id: app_1\n")
        #expect(withAccount != uncommented)
        var expected = Configuration()
        expected.accounts = [AccountConfiguration(appID: "app_1")]
        expected.logLevel = .info
        #expect(try read(withAccount) == expected)
    }

    @Test func `The shipped configuration lists every key`() {
        let keys =
            AccountConfiguration.keys + AccountConfiguration.TLS.keys + Configuration.keys
            + NotificationConfiguration.keys + Configuration.Access.keys + ["days", "on_reply"]
        for key in keys {
            #expect(uncommented.contains("\n\(key):") || uncommented.contains("\n  \(key):"), "\(key)")
        }
    }

    @Test func `The setup command can write its keys into the shipped configuration`() throws {
        var changed = ConfigurationText(existing: text, file: file)
        try changed.setDefaultAccount(appID: "app_1", apiURL: "https://a.example")
        #expect(try read(changed.text).accounts.map(\.apiURL.description) == ["https://a.example"])
        #expect(changed.text.split(separator: "\n").count == text.split(separator: "\n").count)
    }
}

/// Checks that the examples in the README and cutied.yaml(5) can be copied unchanged.
struct DocumentedConfigurationTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func `The examples in the manual page are valid`() throws {
        let page = try Self.text("config/man/cutied.yaml.5")
        let examples = try #require(page.firstMatch(of: /\n\.Sh EXAMPLES\n(?<all>(?s:.*?))\n\.Sh/)).output.all
        let shown = examples.matches(of: /(?m)^\.Dl (?<line>.*)$|^\.Bd.*\n(?<block>(?s:.*?))\n\.Ed/)
        #expect(shown.count > 1)
        for example in shown {
            let yaml = try #require(example.output.line ?? example.output.block)
            #expect(try !read(String(yaml), environment: ["HOME": "/home/anna"]).accounts.isEmpty)
        }
    }

    @Test func `The examples in the README are valid`() throws {
        let blocks = try Self.text("README.md").matches(of: /```yaml\n(?<yaml>(?s:.*?))```/)
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(try !read(String(block.output.yaml)).accounts.isEmpty) }
    }
}
