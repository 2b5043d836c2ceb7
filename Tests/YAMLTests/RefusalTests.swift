import Testing
import YAML

struct RefusalTests {
    @Test(arguments: [
        ("a: 'b\n", "found unexpected end of stream", "2:1"),
        ("a: b: c\n", "mapping values are not allowed in this context", "1:5"),
        ("a: @b\n", "found character that cannot start any token", "1:4"),
        ("a:\n\t- b\n", "found character that cannot start any token", "2:1"),
        ("[a", "did not find expected ',' or ']'", "2:1"),
        ("{a: b", "did not find expected ',' or '}'", "2:1"),
        ("a: *\n", "did not find expected alphabetic or numeric character", "1:5"),
        ("!e!a b", "found undefined tag handle", "1:1"),
        ("%NO\n---\na", "found unknown directive name", "1:4"),
        ("a: \0", "control characters are not allowed", "1:4"),
        ("a: b\n\u{1}", "control characters are not allowed", "2:1"),
        ("a: *b\n", "found undefined alias", "1:4"), ("? *b : c\n", "found undefined alias", "1:3"),
    ])
    func `The error for invalid YAML contains the message from libyaml`(
        text: String, words: String, mark: String
    ) {
        expect(.syntax(words), at: mark, of: text)
    }

    @Test(
        arguments: [
            ([0x61, 0x0A, 0xFF], "2:1"), ([0x61, 0xC3], "1:2"), ([0xED, 0xA0, 0x80], "1:1"),
            ([0xC0, 0x80], "1:1"), ([0xFF, 0xFE, 0x61, 0x00], "1:1"),
        ] as [([UInt8], String)])
    func `YAML that is not UTF-8 is rejected`(bytes: [UInt8], mark: String) throws {
        let error = try #require(throws: YAMLError.self) {
            try YAMLNode.parse(bytes.span, limits: YAMLLimits(depth: 8, nodes: 8))
        }
        #expect(written(error.mark) == mark)
    }

    @Test(arguments: [
        ("a: &x b\nc: *x\n", "2:4"), ("[&x a, *x]", "1:8"), ("&x [*x]", "1:5"), ("&x a: b\n*x : c\n", "2:1"),
        ("a: &x {b: c}\n<<: *x\n", "2:5"), ("# *x\na: &x b\nc: *x", "3:4"),
    ])
    func `The error for a YAML alias contains its position`(text: String, mark: String) {
        expect(.alias, at: mark, of: text)
    }

    @Test(arguments: [
        ("a: 1\na: 2\n", "a", "1:1"), ("b: 0\na: 1\n'a': 2\n", "a", "2:1"),
        ("{a: 1, b: 2, a: 3}", "a", "1:2"),
        ("x:\n  y: [{a: 1, \"a\": 2}]\n", "a", "2:8"), ("? a\n? a\n", "a", "1:3"),
        ("!!str a: 1\n!own a: 2\n", "a", "1:1"), ("é: 1\ne\u{301}: 2\n", "é", "1:1"),
        ("{'': 1, \"\": 2}", "", "1:2"),
        ("<<: 1\n<<: 2\n", "<<", "1:1"),
    ])
    func `The error for a repeated key contains the position of the first occurrence`(
        text: String, key: String, mark: String
    ) {
        expect(.duplicateKey(key), at: mark, of: text)
    }

    @Test func `Two mappings may contain the same key`() throws {
        #expect(try outline(#require(try root(of: "a: {a: 1}\nb: {a: 1}\n"))) == "(a: {a: 1}, b: {a: 1})")
    }

    @Test(arguments: [("? [a]\n: b\n", "1:3"), ("{a: 1, {b: c}: d}", "1:8"), ("? a: b\n", "1:3")])
    func `A key that is not a string is rejected`(text: String, mark: String) {
        expect(.nonStringKey, at: mark, of: text)
    }

    @Test(arguments: [("a\n---\nb\n", "2:1"), ("---\n---\n", "2:1"), ("a: b\n...\n---\nc: d\n", "3:1")])
    func `A second YAML document is rejected`(text: String, mark: String) {
        expect(.secondDocument, at: mark, of: text)
    }

    private func expect(_ reason: YAMLError.Problem, at mark: String, of text: String) {
        let error = #expect(throws: YAMLError.self) { try root(of: text) }
        #expect(error?.reason == reason)
        #expect(error.map { written($0.mark) } == mark)
    }
}
