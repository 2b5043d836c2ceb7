import TestSupport
import Testing

@testable import Config

struct HostileYAMLTests {
    private static let laughs =
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + (1...20).map { level in
            let (this, below) = (
                Character(UnicodeScalar(UInt8(97 + level))), Character(UnicodeScalar(UInt8(96 + level)))
            )
            return "\(this): &\(this) [" + Array(repeating: "*\(below)", count: 9).joined(separator: ",")
                + "]\n"
        }.joined()

    @Test(arguments: [
        laughs, laughs + "? *u\n: x\n", laughs.replacing("\n", with: "\r\n"),
        "# \u{85}" + laughs.replacing("\n", with: "\u{85}"),
        "? \"x\n# \"\n: &a [x]\n" + laughs, "t: &a {app_id: a}\naccounts: {work: *a}\n",
    ])
    func `YAML aliases are rejected before their anchors are expanded`(text: String) throws {
        #expect(try complaint(text).contains("anchors and aliases (&name, *name) are not allowed"))
    }

    @Test func `Ampersands and asterisks in quoted strings and comments are not aliases`() throws {
        let configuration = try read("# *a &a\napp_id: a # &a *a\nuser_name: \"&a *Jerry &Jerry\"\n")
        #expect(configuration.accounts.first?.userName == "&a *Jerry &Jerry")
    }

    @Test(arguments: [
        ("app_id: a\nuser_name: &n Anna\nuser_id: *n\n", ":3: anchors and aliases"),
        ("app_id: a\nuser_name: *n\n", ":2: is not valid YAML (found undefined alias)"),
        (String(repeating: "[", count: 34), ":1: is nested deeper than 32 levels; this is not a config file"),
        (
            String(repeating: "- a\n", count: 70_000),
            ":65536: contains more than 65536 values; this is not a config file"
        ),
        ("app_id: a\r\ruser_name: \u{1}\n", ":3: is not valid YAML (control characters are not allowed)"),
        (
            "app_id: a\n? [b]\n: c\n",
            ":2: has a list or a group as a key; write a single text before the colon"
        ),
        ("a: b\n---\nc: d\n", ":2: is not valid YAML (found another document)"),
    ])
    func `The error for an unsupported YAML feature contains the line`(text: String, begin: String)
        throws
    {
        #expect(try complaint(text).hasPrefix(begin))
    }

    @Test(
        arguments: [
            String(repeating: "[", count: 500_000), String(repeating: "{a: ", count: 200_000),
            String(repeating: "- ", count: 200_000), String(repeating: "? ", count: 200_000),
            String(repeating: "[", count: 999) + String(repeating: "]", count: 999),
        ].map(AbridgedArgument.init))
    func `Deeply nested YAML is rejected without a crash`(text: AbridgedArgument<String>) throws {
        #expect(throws: ConfigurationError.self) { try read(text.value) }
    }

    @Test func `A file with too many keys or entries is rejected`() throws {
        let keys = (0..<2000).map { "k\($0): 1\n" }.joined()
        #expect(try complaint(keys).contains("has more than 1024 entries"))
        let entries =
            "rules: [" + Array(repeating: "{then: {show: true}}", count: 2000).joined(separator: ",") + "]"
        #expect(try complaint(entries).contains("has more than 1024 entries"))
    }

    @Test(arguments: 0..<8)
    func `No sequence of YAML's special characters causes a crash`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        let pieces: [String] =
            "-?:,[]{}#&*!|>'\"%@` \n\tax0~".map { String($0) } + [
                "app_id", "\\", "\u{85}", "é", "\0", "rules: ",
            ]
        for _ in 0..<500 {
            let count = Int.random(in: 1...60, using: &random)
            let text = (0..<count).map { _ in pieces[Int.random(in: pieces.indices, using: &random)] }
                .joined()
            _ = try? read(text)
        }
    }
}
