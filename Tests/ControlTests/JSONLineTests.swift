import Testing

@testable import Control

struct JSONLineTests {
    @Test func `Printed JSON contains no raw control characters and keeps its value`() {
        let json = Array("{\"a\":\"x\u{9B}31m\u{202E}\",\n\"b\":1}".utf8)
        #expect(JSONLine.jsonText(json) == #"{"a":"x\u009b31m\u202e", "b":1}"#)
    }
}
