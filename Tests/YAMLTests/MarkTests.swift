import Testing
import YAML

struct MarkTests {
    @Test(arguments: [
        ("a", ["1:1"]), ("  a", ["1:3"]), ("# x\n\na", ["3:1"]), ("--- a", ["1:5"]),
        ("a: b", ["1:1", "1:1", "1:4"]), ("a:\n  b: c\n", ["1:1", "1:1", "2:3", "2:3", "2:6"]),
        ("[a, 'b']", ["1:1", "1:2", "1:5"]), ("- a\n-  b\n", ["1:1", "1:3", "2:4"]),
        ("a: {b: c}", ["1:1", "1:1", "1:4", "1:5", "1:8"]), ("a: |\n  b\n", ["1:1", "1:1", "1:4"]),
        ("&x a", ["1:1"]), ("!!str a", ["1:1"]), ("a:\n", ["1:1", "1:1", "1:3"]),
    ])
    func `Lines and columns of positions are numbered from 1`(text: String, expected: [String]) throws {
        #expect(try marks(#require(try root(of: text))) == expected)
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"])
    func `Each kind of YAML line ending counts as one line`(end: String) throws {
        let node = try #require(try root(of: "a: 1\(end)\(end)b: 2\(end)"))
        #expect(marks(node) == ["1:1", "1:1", "1:4", "3:1", "3:4"])
        #expect(mark(of: "a: 1\(end)\(end)b: [\(end)") == "4:1")
        #expect(mark(of: "a: 1\(end)\(end)b: \u{1}\(end)") == "3:4", "of what the reader refuses")
    }

    @Test func `Columns are counted in Unicode scalars`() throws {
        let node = try #require(try root(of: "[é, e\u{301}, \u{1F600}, a]"))
        #expect(marks(node) == ["1:1", "1:2", "1:5", "1:9", "1:12"])
        #expect(mark(of: "é\u{1F600}: \u{7F}") == "1:5")
    }

    @Test func `A byte order mark does not count as a column`() throws {
        #expect(try marks(#require(try root(of: "\u{FEFF}a: b"))) == ["1:1", "1:1", "1:4"])
        #expect(mark(of: "\u{FEFF}a: \u{1}") == "1:4")
    }

    private func mark(of text: String) -> String? {
        do { _ = try root(of: text) } catch { return written(error.mark) }
        return nil
    }
}
