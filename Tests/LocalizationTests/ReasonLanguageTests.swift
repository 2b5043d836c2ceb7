import Foundation
import Localization
import Testing

@testable import Reasons

@Suite struct ReasonLanguageTests {
    @Test(arguments: ["de", "fr", "es", "ja", "ar"])
    func `Each reason has a translation in each language, and the translation contains all arguments`(
        _ name: String
    ) async {
        await #expect(processExitsWith: .success) { [name] in
            try TestLanguages.with { languages in
                let language = try languages(name)
                for code in Reason.Code.allCases {
                    let names = code.placeholders
                    let reason = Reason(
                        code, Dictionary(uniqueKeysWithValues: names.map { ($0, "<\($0)>") }))
                    let text = reason.sentence(in: language)
                    for name in names where name != Reason.detail {
                        #expect(text.contains("<\(name)>"), "\(code): \(text)")
                    }
                    #expect(!text.contains("{"), "\(code): \(text)")
                    // The detail is a library's message, which stays in English.
                    #expect(!text.contains("<\(Reason.detail)>"), "\(code): \(text)")
                    // The sentences of these codes contain no words, only placeholders and punctuation.
                    guard ![.enumeration, .reasonOfHost, .settingAt].contains(code) else { continue }
                    #expect(
                        reason.problem(in: language) != reason.problem(in: .english), "\(code): \(text)")
                    if let advice = reason.advice(in: .english) {
                        #expect(reason.advice(in: language) != advice, "\(code): \(text)")
                    }
                }
            }
        }
    }

    @Test func `An error in the configuration is in the user's language, with its position and a suggestion`()
        async
    {
        await #expect(processExitsWith: .success) {
            try TestLanguages.with { languages in
                let mistake = Reason(.choiceRequired, ["choices": "full, count"])
                    .replacingAdvice(with: Reason(.didYouMean, ["name": "full"]))
                let reason = Reason(.settingAt, ["place": "c.yaml:3: preview"], because: mistake)
                let german = reason.sentence(in: try languages("de"))
                #expect(
                    german
                        == "c.yaml:3: preview: muss einer dieser Werte sein: full, count; meinten Sie full?")
            }
        }
    }

    @Test func `A reason and its cause are in the user's language`() async {
        await #expect(processExitsWith: .success) {
            try TestLanguages.with { languages in
                let cause = Reason(
                    .hostNotFound,
                    ["host": "api.example", "detail": " (Could not resolve host: api.example)"])
                let reason = Reason(.offline, because: cause)
                let german = reason.sentence(in: try languages("de"))
                #expect(
                    german
                        == "Der Dienst ist nicht erreichbar: der Name api.example konnte nicht aufgelöst werden; prüfen Sie den Namen und Ihre Netzwerkverbindung"
                )
            }
        }
    }
}
