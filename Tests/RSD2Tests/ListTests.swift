import OAuth
import Testing

@testable import RSD2

struct ListTests {
    private func documents(_ text: String) throws -> [String] {
        try DiscoveredServices.documents(in: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("[]", []), (" [ ] ", []), ("[{}]", ["{}"]), ("{}", ["{}"]), ("\u{FEFF}{}", ["{}"]),
        (#"[{"a":[1,2]}, {"b":"],["} ]"#, [#"{"a":[1,2]}"#, #"{"b":"],["} "#]),
        (#"["\"," , 7,{"}":"\\"}]"#, [#""\",""# + " ", "7", #"{"}":"\\"}"#]),
    ])
    func `The descriptions of an answer are told apart`(answer: String, expected: [String]) throws {
        #expect(try documents(answer) == expected)
    }

    @Test(arguments: [
        "[", "[{}", "[{}]]", "[{}] x", "[,]", "[{},]", "[{},,{}]", "[}", "[{]}]", #"["]"#, "a: b", "7",
    ])
    func `What is no list is refused`(answer: String) {
        #expect(throws: ServiceDescription.Unreadable.notJSON) { try documents(answer) }
    }

    @Test func `A page in the place of a list is told as one`() {
        #expect(throws: ServiceDescription.Unreadable.xml) { try documents("<html>") }
        #expect(throws: ServiceDescription.Unreadable.empty) { try documents("") }
        let long = String(repeating: " ", count: ServiceDescription.sizeLimit) + "[]"
        #expect(throws: ServiceDescription.Unreadable.tooLarge) { try documents(long) }
    }

    @Test func `Of a long list the first 64 are taken, and a bad one costs only itself`() throws {
        let service = DescriptionTests.small()
        let answer = "[7," + (0..<99).map { _ in service }.joined(separator: ",") + "]"
        let documents = try DiscoveredServices.documents(in: Array(answer.utf8))
        #expect(documents.count == 64)
        #expect(documents.compactMap { try? ServiceDescription($0) }.count == 63)
    }

    private func links(_ text: String, at host: String = "https://h.example") throws -> [String] {
        try ServiceList(Array(text.utf8), at: EndpointURL(host)).links.map(\.description)
    }

    @Test func `A list of services has a link a line`() throws {
        let text = """
            \u{FEFF}# Services of the school
            https://moodle.example.edu/rsd.json
              /lms/rsd.yaml\t# from the host\r
            mahara/rsd.json#top

            rsd.json
            rsd.json
            https://h.example/?id=1#2
            #https://old.example/
            """
        #expect(
            try links(text, at: "https://h.example/deep/services.txt") == [
                "https://moodle.example.edu/rsd.json", "https://h.example/lms/rsd.yaml",
                "https://h.example/rsd.json",
            ])
    }

    @Test(arguments: [
        "http://other.example/rsd.json", "//other.example/rsd.json", "http://127.0.0.1:631/",
        "https://localhost/",
        "../rsd.json", "file:///etc/passwd", "a b", "ä",
    ])
    func `A link that may not be followed is left out`(link: String) throws {
        #expect(try links("\(link)\nrsd.json\n") == ["https://h.example/rsd.json"])
    }

    @Test func `A host on this machine may name its neighbours`() throws {
        #expect(
            try links("http://127.0.0.1:9000/rsd.json\n", at: "http://127.0.0.1:8787/")
                == ["http://127.0.0.1:9000/rsd.json"])
    }

    @Test(arguments: ["", "\n\n", "# none\n"])
    func `An empty list has no links`(text: String) throws {
        #expect(try links(text).isEmpty)
    }

    @Test func `What is no list of services is refused`() throws {
        let host = try EndpointURL("https://h.example")
        #expect(throws: ServiceList.Unreadable.page) { try links("\n <!DOCTYPE html>\n") }
        #expect(throws: ServiceList.Unreadable.tooManyLines) {
            try links((0..<65).map { "rsd\($0)\n" }.joined())
        }
        #expect(try links((0..<64).map { "rsd\($0)\n# x\n" }.joined()).count == 64)
        #expect(throws: ServiceList.Unreadable.notUTF8) { try ServiceList([0xFF], at: host) }
        let long = [UInt8](repeating: UInt8(ascii: "\n"), count: ServiceList.sizeLimit)
        #expect(try ServiceList(long, at: host).links.isEmpty)
        #expect(throws: ServiceList.Unreadable.tooLarge) { try ServiceList(long + [10], at: host) }
    }
}
