import Testing
import YAML

struct TreeTests {
    @Test(arguments: [
        ("a", "a"), ("'a'", "\"a\""), ("\"a\"", "\"a\""), ("'it''s'", "\"it's\""), ("~", "~"),
        ("null", "null"),
        ("---\n", ""), ("--- a\n...\n", "a"), ("%YAML 1.1\n---\na", "a"), ("a: b", "(a: b)"),
        ("a:\n", "(a: )"), ("a: ''\n", "(a: \"\")"), ("a: 1\nb: 2\n", "(a: 1, b: 2)"),
        ("'a': 1\n\"b\": 2\n", "(a: 1, b: 2)"), ("? a\n: b\n", "(a: b)"), ("{a: 1, b}", "{a: 1, b: }"),
        ("{}", "{}"), ("[]", "[]"), ("- a\n- 'b'\n-\n", "[a, \"b\", ]"), ("[a: b]", "[{a: b}]"),
        ("a:\n- b\n- c: d\n", "(a: [b, (c: d)])"), ("a: {b: [c]}\n", "(a: {b: [c]})"),
        ("a: b # c\n", "(a: b)"), ("a: b#c\n", "(a: b#c)"), ("a: b\n  c\n", "(a: b c)"),
        ("<<: a\n", "(<<: a)"), ("a: é\u{1F600}\n", "(a: é\u{1F600})"),
    ])
    func `A YAML document is parsed into a tree of nodes`(text: String, expected: String) throws {
        #expect(try outline(#require(try root(of: text))) == expected)
    }

    @Test(arguments: [
        ("|\n a\n b\n", "a\nb\n"), ("|-\n a\n b\n", "a\nb"), ("|+\n a\n\n", "a\n\n"),
        (">\n a\n b\n", "a b\n"), (">-\n a\n\n b\n", "a\nb"), ("|2\n   a\n", " a\n"),
        ("\"a\\\n  b\"", "ab"), ("'a\n  b'", "a b"), (#""\x41\u00e9\t\"""#, "Aé\t\""), (#""\0""#, "\0"),
        ("|\n true\n", "true\n"),
    ])
    func `A block scalar and a quoted scalar are not plain scalars`(text: String, expected: String) throws {
        let node = try #require(try root(of: text))
        #expect(node.content == .scalar(expected, isPlain: false) && node.content.plain == nil)
    }

    @Test func `Only a plain scalar has a plain value`() throws {
        #expect(try root(of: "true")?.content.plain == "true")
        #expect(try root(of: "[true]")?.content.plain == nil)
    }

    @Test(arguments: ["", "# a\n", "\n\n", "\u{FEFF}", "\u{FEFF}# a", "  \n"])
    func `An empty YAML document yields no tree`(text: String) throws {
        #expect(try root(of: text) == nil)
    }

    /// The consumer of a value determines its type, so a tag has no effect.
    @Test(arguments: [
        ("!!str 1", "1"), ("!!int '1'", "\"1\""), ("!own a", "a"), ("!own [a]", "[a]"),
        ("!own {a: b}", "{a: b}"),
        ("! a", "a"), ("%TAG !e! tag:e,1:\n--- !e!x a", "a"), ("!<x> a", "a"),
    ])
    func `YAML tags are ignored`(text: String, expected: String) throws {
        #expect(try outline(#require(try root(of: text))) == expected)
    }

    @Test(arguments: [
        ("&a b", "b"), ("&a [b, &b c]", "[b, c]"), ("&a b: &c d\n", "(b: d)"), ("'&a *a'", "\"&a *a\""),
    ])
    func `A YAML anchor without an alias is ignored`(text: String, expected: String) throws {
        #expect(try outline(#require(try root(of: text))) == expected)
    }
}
