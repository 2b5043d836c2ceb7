import Testing

@testable import Reasons

@Suite struct ReasonTests {
    private let refusal = Reason(.serverAnsweredWith, ["status": "503", "message": "busy; try later"])

    @Test func `The English sentence of a reason contains the arguments and the advice`() {
        let reason = Reason(.hostNotFound, ["host": "api.example", "detail": " (no such host)"])
        #expect(
            reason.english
                == "the name api.example could not be resolved (no such host); check the name and your network connection"
        )
        #expect(reason.localizedProblem == "the name api.example could not be resolved (no such host)")
        #expect(reason.localizedAdvice == "check the name and your network connection")
    }

    @Test
    func
        `If the text of a reason ends with its cause, the advice of the cause is still available separately`()
    {
        let reason = Reason(
            .deviceNotRegistered, because: Reason(.hostUnreachable, ["host": "h", "detail": ""]))
        #expect(
            reason.english
                == "the service refused to register this device: h cannot be reached; check your network connection"
        )
        #expect(reason.localizedProblem == "the service refused to register this device: h cannot be reached")
        #expect(reason.localizedAdvice == "check your network connection")
    }

    @Test func `A semicolon in a server's message is not parsed as the start of the advice`() {
        #expect(refusal.localizedProblem == "the server returned 503: busy; try later")
        #expect(refusal.localizedAdvice == nil)
    }

    @Test
    func `If the advice of a reason is replaced, the replacement is shown instead of the default advice`() {
        let reason = Reason(.notSignedIn).replacingAdvice(with: Reason(.signInAgain))
        #expect(reason.english == "you are not signed in; sign in again")
    }

    private static let samples = [
        Reason.text("a text; with advice"), Reason(.noNetwork),
        Reason(.notSignedIn).replacingAdvice(with: Reason(.signInAgain)),
        Reason(
            .settingAt, ["place": "c.yaml:3: preview"],
            because: Reason(.keyUnknown).replacingAdvice(with: Reason(.didYouMean, ["name": "preview"]))),
        Reason(
            .eachTransportMissing, ["transport": "stream", "other": "long-poll"],
            reasons: [
                "reason": Reason(.notFromAPI, because: Reason(.serverAnswered, ["status": "403"])),
                "second": .text("closed"),
            ]),
    ]

    @Test(arguments: samples)
    func `A reason is unchanged after it is converted to fields and back`(_ reason: Reason) {
        let sent = Reason(
            text: reason.english, code: reason.code?.rawValue, arguments: reason.argumentFields)
        #expect(sent == reason)
        #expect(StoredReason(reason).value == reason)
    }

    @Test(arguments: [
        ("from_a_newer_version", ["host": "h"]), ("host_unreachable", ["host": "h"]),
        ("host_unreachable", nil), ("no_network", ["host": "h"]),
    ])
    func `The text of a reason is shown if its fields cannot be decoded`(
        code: String, arguments: [String: String]?
    ) {
        let reason = Reason(text: "it broke; mend it", code: code, arguments: arguments)
        if code != "no_network" { #expect(reason == .text("it broke; mend it")) }
        #expect(code == "no_network" ? reason == Reason(.noNetwork) : reason.code == nil)
    }

    @Test func `The depth of nested causes in a failure reason is limited`() {
        var fields = ["reason": "x"]
        var path = "reason"
        for _ in 0..<100 {
            fields[path] = "x"
            fields[path + ".code"] = Reason.Code.deviceNotRegistered.rawValue
            path += ".reason"
        }
        fields[path] = "end"
        let reason = Reason(text: "x", code: Reason.Code.deviceNotRegistered.rawValue, arguments: fields)
        #expect(reason.code == .deviceNotRegistered && reason.english.count < 1000)
    }

    @Test func `Replacing the texts in a reason also replaces the texts in its causes`() {
        let reason = Reason(.deviceNotRegistered, because: refusal).mapTexts { _ in "…" }
        #expect(reason.english == "the service refused to register this device: the server returned …: …")
    }

    @Test func `No placeholder of a reason has the reserved name code`() {
        for code in Reason.Code.allCases {
            #expect(code.placeholders.isDisjoint(with: ["code"]), "\(code)")
        }
    }

    @Test func `Reason codes consist of lower-case letters and underscores`() {
        #expect(
            Reason.Code.allCases.allSatisfy { code in
                code.rawValue.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
                }
            })
    }
}
