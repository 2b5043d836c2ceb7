import Foundation
import Testing

@testable import Doctor

struct CheckFormatterTests {
    private let check = Check("unit", .warning, "is not enabled", advice: "run: it")

    @Test func `Findings and suggestions are printed in aligned columns`() {
        let text = CheckFormatter(isUnicode: true, isColoured: false).text(of: check)
        #expect(text == "! unit                  is not enabled\n                        run: it\n")
    }

    @Test(arguments: [
        (Check.Verdict.ok, "✓", "+"), (.warning, "!", "!"), (.failure, "✗", "x"), (.skipped, "·", "-"),
    ])
    func `Each result symbol has an ASCII fallback`(verdict: Check.Verdict, sign: String, ascii: String) {
        let check = Check("n", verdict, "f")
        #expect(CheckFormatter(isUnicode: true, isColoured: false).text(of: check).hasPrefix(sign + " n"))
        #expect(CheckFormatter(isUnicode: false, isColoured: false).text(of: check).hasPrefix(ascii + " n"))
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
        (["LANG": "C.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
        (["LC_ALL": "", "LANG": "C.UTF-8"], true),
    ])
    func `Unicode symbols are printed only if the locale supports them`(
        environment: [String: String], isUnicode: Bool
    ) {
        let text = CheckFormatter(environment: environment, isTerminal: false).text(of: Check("n", .ok, "f"))
        #expect(text.hasPrefix("✓") == isUnicode)
    }

    @Test(arguments: [
        ([:], true, true), (["NO_COLOR": "1"], true, false), (["NO_COLOR": ""], true, true),
        ([:], false, false),
        (["TERM": "dumb"], true, false),
    ])
    func `The check results are colored only on a terminal`(
        environment: [String: String], isTerminal: Bool, isColoured: Bool
    ) {
        let text = CheckFormatter(environment: environment, isTerminal: isTerminal).text(of: check)
        #expect(text.contains("\u{1B}[") == isColoured)
    }

    @Test func `Control characters are removed from findings that quote other sources`() {
        let hostile = Check("n", .ok, "a\u{1B}[2Jb\nc\u{202E}d\u{9B}e", advice: "“x…” é")
        let text = CheckFormatter(isUnicode: false, isColoured: false).text(of: hostile)
        #expect(text.contains("a [2Jb cd e\n"))
        #expect(text.hasSuffix("\"x...\" ?\n"))
    }

    @Test func `A finding that is too long is truncated`() {
        let text = CheckFormatter(isUnicode: true, isColoured: false)
            .text(of: Check("n", .ok, String(repeating: "x", count: 1_000_000)))
        #expect(text.count < 600)
    }

    @Test func `The JSON output contains the checks and the overall result`() throws {
        let text = try DoctorReport([check, Check("tls", .skipped, "f")]).encodeJSON()
        #expect(text.hasSuffix("}\n"))
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        let expected: NSDictionary = [
            "ok": true,
            "checks": [
                ["name": "unit", "verdict": "warning", "finding": "is not enabled", "advice": "run: it"],
                ["name": "tls", "verdict": "skipped", "finding": "f"],
            ],
        ]
        #expect(object == expected)
    }

    @Test(arguments: [
        ([], "no problems found"), ([Check.Verdict.warning], "no failures, 1 to review"),
        ([.failure], "1 failed"),
        ([.failure, .warning, .warning], "1 failed, 2 to review"),
    ])
    func `The summary line contains the number of checks with each result`(
        verdicts: [Check.Verdict], summary: String
    ) {
        #expect(DoctorReport(verdicts.map { Check("n", $0, "f") }).summary == summary)
    }
}
