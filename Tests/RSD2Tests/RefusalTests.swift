import OAuth
import Reasons
import Testing

@testable import RSD2

struct RefusalTests {
    private typealias ParseError = ServiceDescription.ParseError

    private static let many = (0..<1025).map { #""p\#($0)":{"apiLink":"a"}"# }.joined(separator: ",")

    static let bad: [(String, ServiceDescription.ParseError)] = [
        ("", .empty), (" \n", .empty), ("# nothing\n", .empty), ("\u{FEFF}", .empty),
        (#"<?xml version="1.0"?><rsd version="1.0"/>"#, .xml), ("\n <html>", .xml),
        ("{", .notJSON), (#"{"engineName":"x",}"#, .notJSON), ("{} {}", .notJSON),
        ("{engineName: x}", .notJSON),
        (#"{"a":1e999}"#, .notJSON), (#"{"a":"\ud800"}"#, .notJSON),
        ("a: [", .notYAML), ("a: b\n---\nc: d\n", .notYAML), ("a: \0", .notYAML),
        ("a: &x 1\nb: *x\n", .aliases), ("a: &x 1\n# *x\n", .missing(.engineLink)),
        ("a: *x\n", .notYAML),
        (#"{"a":1,"a":2}"#, .duplicateKey), (#"{"a":1,"\u0061":2}"#, .duplicateKey),
        ("a: 1\na: 2\n", .duplicateKey),
        ("a: 1\n'a': 2\n", .duplicateKey),
        ("[]", .unexpectedStructure), ("- a\n", .unexpectedStructure), ("Moodle", .unexpectedStructure),
        ("? [a]\n: b\n", .unexpectedStructure),
        ("{}", .missing(.engineLink)), (#"{"engineName":null}"#, .missing(.engineLink)),
        (#"{"engineName":"x"}"#, .missing(.engineLink)),
        (DescriptionTests.small(engine: "http://h.example"), .unusable(.engineLink)),
        (DescriptionTests.small(engine: "/lms"), .unusable(.engineLink)),
        (#"{"engineLink":7,"apis":{}}"#, .unusable(.engineLink)),
        (DescriptionTests.small(engine: "https://a@h.example"), .unusable(.engineLink)),
        (#"{"engineName":"x","engineLink":"https://h.example"}"#, .missing(.apis)),
        (DescriptionTests.small(apis: "[7]"), .unusable(.apis)),
        (DescriptionTests.small(apis: #"[{"apiLink":"a"}]"#), .unusable(.apis)),
        (DescriptionTests.small(apis: #"[{"name":"a"},{"name":"a"}]"#), .duplicateProtocol),
        (DescriptionTests.small(apis: "{\(many)}"), .tooManyProtocols),
        (DescriptionTests.small(apis: #"{"":{"apiLink":"a"}}"#), .protocolName),
        (DescriptionTests.small(apis: #"{"a\u200bb":{"apiLink":"a"}}"#), .protocolName),
        (DescriptionTests.small(apis: #"{"\#(String(repeating: "p", count: 257))":{}}"#), .protocolName),
    ]

    @Test(arguments: bad)
    func `Each kind of invalid service description is reported with a specific error`(
        text: String, reason: ServiceDescription.ParseError
    ) {
        #expect(throws: reason) { try DescriptionTests.read(text) }
        #expect(reason.description.utf8.count > 20)
    }

    @Test func `Each reason for refusing a description has a different message`() {
        let reasons = Set(Self.bad.map(\.1) + [.notUTF8, .tooLarge, .tooDeep, .tooManyValues])
        #expect(Set(reasons.map(\.description)).count == reasons.count)
    }

    @Test func `A service description that is not UTF-8 is rejected`() {
        #expect(throws: ParseError.notUTF8) { try ServiceDescription([0x61, 0x3A, 0x20, 0xFF]) }
        #expect(throws: ParseError.notJSON) {
            try ServiceDescription(Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8))
        }
    }

    @Test(arguments: [DescriptionTests.json, DescriptionTests.yaml])
    func `A service description larger than one mebibyte is rejected`(text: String) throws {
        let padding = String(repeating: " ", count: ServiceDescription.sizeLimit - text.utf8.count - 2)
        let isJSON = text.hasPrefix("{")
        let full = isJSON ? text + padding + "  " : text + "# " + padding
        #expect(try DescriptionTests.read(full) == DescriptionTests.read(text))
        #expect(throws: ParseError.tooLarge) { try DescriptionTests.read(full + " ") }
    }

    @Test(arguments: ["[", #"{"a":"#, "{a: ", "- "])
    func `A deeply nested description is rejected in JSON and YAML`(opening: String) {
        let depth = String(repeating: opening, count: 100)
        let closing = String(repeating: opening.hasPrefix("[") ? "]" : "}", count: 100)
        let json = #"{"engineName":\#(depth)1\#(closing)}"#
        let yaml = "engineName:\n  \(depth)1\(opening == "- " ? "" : closing)\n"
        if opening != "- ", !opening.hasSuffix(" ") {
            #expect(throws: ParseError.tooDeep) { try DescriptionTests.read(json) }
        }
        #expect(throws: ParseError.tooDeep) { try DescriptionTests.read(yaml) }
        #expect(throws: ParseError.self) {
            try DescriptionTests.read(String(repeating: opening, count: ServiceDescription.sizeLimit / 4))
        }
    }

    @Test func `Nested YAML aliases are rejected before they are expanded`() {
        let levels = (1...30).map { level in
            let before = [String](repeating: "*a\(level - 1)", count: 9).joined(separator: ",")
            return "a\(level): &a\(level) [\(before)]"
        }
        let laughs = (["a0: &a0 [lol]"] + levels).joined(separator: "\n")
        #expect(throws: ParseError.aliases) { try DescriptionTests.read(laughs) }
    }

    @Test(arguments: ["1,", "[],", "{},", #""\n","#])
    func `A description with too many values is rejected`(value: String) {
        let list = String(repeating: value, count: 100_000)
        #expect(throws: ParseError.tooManyValues) { try DescriptionTests.read("{\"a\":[\(list)") }
        #expect(throws: ParseError.tooManyValues) { try DescriptionTests.read("a: [\(list)") }
    }

    @Test(arguments: [
        "7", "null", "[]", #""""#, #""  ""#, #""a\nb""#, "\"a\u{202E}b\"", "\"a\u{200B}b\"",
        "\"a\u{3164}b\"", "\"a\u{2028}b\"", "\"a\u{200D}\"",
        "\"" + String(repeating: "a", count: 257) + "\"",
    ])
    func `A service whose name cannot be displayed is shown with its host name`(name: String) throws {
        let text = #"{"engineName":\#(name),"engineLink":"https://h.example/lms","apis":{}}"#
        #expect(try DescriptionTests.read(text).engineName == "h.example")
    }

    @Test func `Spaces around the name of a service are removed`() throws {
        #expect(
            try DescriptionTests.read(DescriptionTests.small(name: #" Moodle \n "#)).engineName == "Moodle")
    }

    @Test func `The name of a service may use any script`() throws {
        for name in ["Universität Zürich", "東京大学", "جامعة", "Caffè ☕", "دانش\u{200C}گاه", "山\u{A0}田"] {
            #expect(try DescriptionTests.read(DescriptionTests.small(name: name)).engineName == name)
        }
    }

    @Test(arguments: Set(bad.map { $1 } + [.tooLarge, .missing(.apis), .unusable(.apis)]))
    func `Each reason for refusing a description can be translated`(problem: ServiceDescription.ParseError) {
        #expect(problem.reason.code != nil && problem.description == problem.reason.english)
    }

    @Test(arguments: ServiceList.ParseError.allCases)
    func `Each reason for refusing a service list can be translated`(problem: ServiceList.ParseError) {
        #expect(problem.reason.code != nil && problem.description == problem.reason.english)
    }

    @Test func `The reason for refusing a link can be translated`() throws {
        let problem = #expect(throws: LinkBase.Problem.self) {
            try LinkBase(address: nil).resolveURL("https://h.example:0/")
        }
        guard case .coded(let code, let arguments)? = problem?.reason else {
            Issue.record("the reason is a text")
            return
        }
        #expect(code == .linkInvalid && arguments["reason"]?.code == .apiAddressPort)
    }
}
