import TestSupport
import Testing
import Varlink

/// Tests that invalid JSON is refused in every part of a message, including values that are never decoded.
@Suite struct StrictJSONTests {
    private func message(_ before: String, _ value: [UInt8], _ after: String) -> [UInt8] {
        Array(before.utf8) + value + Array(after.utf8)
    }

    /// Returns calls that contain `value` in different places that are not decoded.
    private func calls(beside value: [UInt8]) -> [[UInt8]] {
        [
            message(#"{"method":"a.b.C","parameters":{"text":"x"},"other":"#, value, "}"),
            message(#"{"other":"#, value, #","method":"a.b.C"}"#),
            message(#"{"method":"a.b.C","other":{"deep":[0,"#, value, #",{"é":[]}]}}"#),
            message(#"{"method":"a.b.C","parameters":{"other":"#, value, "}}"),
            message(#"{"method":"a.b.C","method":"#, value, "}"),
        ]
    }

    private func error(of message: [UInt8]) -> MessageError? {
        do {
            _ = try Call(decoding: message)
            return nil
        } catch { return error }
    }

    @Test func `Invalid JSON is rejected in every part of a message`() {
        #expect(JSONSamples.invalid.count > 250)
        for value in JSONSamples.invalid {
            for message in calls(beside: value) {
                #expect(error(of: message) == .notJSON, "\(String(decoding: message, as: UTF8.self))")
            }
        }
    }

    @Test func `Valid JSON in unknown members is skipped`() {
        #expect(JSONSamples.valid.count > 70)
        for value in JSONSamples.valid {
            for message in calls(beside: value) {
                #expect(error(of: message) == nil, "\(String(decoding: message, as: UTF8.self))")
            }
        }
    }

    @Test func `JSON keys follow the same rules as other strings`() {
        for value in JSONSamples.invalid {
            let message = message(#"{"method":"a.b.C","other":{"#, value, ":1}}")
            #expect(error(of: message) == .notJSON, "\(String(decoding: message, as: UTF8.self))")
        }
        #expect(error(of: Array(#"{"method":"a.b.C","other":{1:1}}"#.utf8)) == .notJSON)
    }

    @Test func `Replies follow the same JSON rules as calls`() {
        for (values, isReply) in [(JSONSamples.valid, true), (JSONSamples.invalid, false)] {
            for value in values {
                let message = message(#"{"parameters":{},"other":"#, value, "}")
                #expect(((try? Reply(decoding: message)) != nil) == isReply)
            }
        }
    }

    @Test(arguments: [
        "\u{FEFF}@", "@@", "@ x", "@,", "@]", "@}", "@\"", "@1", "@ null", "@/**/", "[@]", "\"@\"", "(@)",
        "@;",
        "x@", ",@", "@\u{A0}", "@\u{0C}", "\u{0B}@", "@\u{1A}",
    ])
    func `Only whitespace is allowed before and after the JSON object of a message`(frame: String) {
        let text = frame.replacing("@", with: #"{"method":"a.b.C"}"#)
        #expect(error(of: Array(text.utf8)) == .notJSON)
        #expect(error(of: Array(" \t\r\n{ \"method\" : \"a.b.C\" } \t\r\n".utf8)) == nil)
    }

    @Test func `A message that is truncated at any byte is rejected`() {
        let parameters = #"{"a":[-1.5e+7,"\u00e9\n€😀",null]}"#
        let whole = Array(#"{"method":"a.b.C","more":true,"parameters":\#(parameters)}"#.utf8)
        #expect(error(of: whole) == nil)
        for end in whole.indices {
            #expect(error(of: Array(whole[..<end])) == .notJSON, "\(end)")
        }
    }

    @Test func `The first error is reported if a message is both nested too deeply and invalid`() {
        let deep = String(repeating: "[", count: 127)
        #expect(error(of: Array(#"{"method":"a.b.C","x":\#(deep)01"#.utf8)) == .notJSON)
        #expect(error(of: Array(#"{"method":"a.b.C","x":\#(deep)[01"#.utf8)) == .tooDeep(limit: 128))
        #expect(error(of: Array(#"{"method":"a.b.C","x":\#(deep){"a"01"#.utf8)) == .tooDeep(limit: 128))
    }

    @Test func `The first value of a repeated parameter is decoded`() throws {
        struct Parameters: Codable { var a: Int, b: Int? }
        let text = #"{"parameters":{"a":1,"a":"x","\u0062":2},"parameters":{"c":3},"method":"a.b.C"}"#
        let call = try Call(decoding: Array(text.utf8))
        try call.rejectParameters(notIn: ["a", "b"])
        let parameters = try call.decodeParameters(as: Parameters.self)
        #expect(parameters.a == 1 && parameters.b == 2)
    }
}
