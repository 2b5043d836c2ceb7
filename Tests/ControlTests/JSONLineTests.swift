import Testing

@testable import Control

struct JSONLineTests {
    @Test func `JSON keeps its value without raw control characters`() {
        let json = Array("{\"a\":\"x\u{9B}31m\u{202E}\",\n\"b\":1}".utf8)
        #expect(JSONLine.text(json) == #"{"a":"x\u009b31m\u202e", "b":1}"#)
    }
}
