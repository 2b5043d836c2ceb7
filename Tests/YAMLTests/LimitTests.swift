import Testing
import YAML

struct LimitTests {
    @Test(arguments: [
        ("a", 0, 1), ("[]", 0, 1), ("[a]", 1, 2), ("a: b", 1, 3), ("a:\n- b: c\n- d\n", 3, 7),
        ("[[[a]]]", 3, 4),
        ("a:\n", 1, 3),
    ])
    func `YAML is accepted up to the limits for depth and number of nodes, and rejected beyond them`(
        text: String, depth: Int, nodes: Int
    ) throws {
        #expect(try root(of: text, depth: depth, nodes: nodes) != nil)
        #expect(throws: YAMLError.self) { try root(of: text, depth: depth - 1, nodes: nodes) }
        let error = #expect(throws: YAMLError.self) { try root(of: text, depth: depth, nodes: nodes - 1) }
        #expect(error?.reason == .tooManyNodes)
    }

    /// Tests that hostile input is refused before it uses much memory or time.
    @Test(
        arguments: [
            ("[", .tooDeep), ("{a: ", .tooDeep), ("- ", .tooDeep), ("? ", .tooDeep), ("[\n", .tooDeep),
            ("&a [", .tooDeep), ("!a [", .tooDeep), ("[[],", .tooDeep),
            ("- a\n", .tooManyNodes), ("-\n", .tooManyNodes), ("- &a b\n", .tooManyNodes),
            ("- [a, b]\n", .tooManyNodes), ("- {a, b}\n", .tooManyNodes), ("- {a: {}}\n", .tooManyNodes),
            ("---\n", .secondDocument),
        ] as [(String, YAMLError.Problem)])
    func `A file of one mebibyte of structural characters is rejected near its beginning`(
        piece: String, reason: YAMLError.Problem
    ) {
        let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
        let error = #expect(throws: YAMLError.self) { try root(of: text) }
        #expect(error?.reason == reason)
        #expect(error.map { $0.mark.line <= 1001 && $0.mark.column <= 100 } ?? false)
    }

    @Test(arguments: ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"])
    func `YAML with the maximum number of directives is accepted, and YAML with more is rejected`(end: String)
        throws
    {
        func text(_ count: Int) -> String {
            (0..<count).map { "%TAG !t\($0)! t\(end)" }.joined() + "--- a"
        }
        #expect(try root(of: text(64)) != nil)
        for text in [text(65), text(80_000), "a\n...\n" + text(65)] {
            let error = #expect(throws: YAMLError.self) { try root(of: text) }
            #expect(error?.reason == .syntax("found too many directives"))
            #expect(error.map { $0.mark.line <= 67 } ?? false)
        }
    }

    @Test func `A file of one mebibyte of distinct keys is rejected near its beginning`() {
        let keys = (0..<100_000).map { "k\($0): 1\n" }.joined()
        let error = #expect(throws: YAMLError.self) { try root(of: keys) }
        #expect(error?.reason == .tooManyNodes && error?.mark.line == 500)
    }

    @Test(arguments: ["a", "a ", "a\n", "é", "\u{2028}", "''", "\\\n"])
    func `A string of one mebibyte is parsed as a single scalar`(piece: String) throws {
        let text = String(repeating: piece, count: (1 << 20) / piece.utf8.count)
        for written in ["'" + text + "'", "|\n " + text.replacing("\n", with: "\n ")] {
            let node = try #require(try root(of: written))
            guard case .scalar(let read, isPlain: false) = node.content else {
                Issue.record("no text")
                continue
            }
            #expect(read.utf8.count <= written.utf8.count)
        }
    }
}
