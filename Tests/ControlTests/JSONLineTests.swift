import Testing

@testable import Control

struct JSONLineTests {
    @Test func `JSON is printed without raw control characters, and its value is unchanged`() {
        let json = Array("{\"a\":\"x\u{9B}31m\u{202E}\",\n\"b\":1}".utf8)
        #expect(JSONLine.singleLineText(of: json) == #"{"a":"x\u009b31m\u202e", "b":1}"#)
    }
}
