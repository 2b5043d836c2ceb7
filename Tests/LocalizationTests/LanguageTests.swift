import Glibc
import Localization
import Testing

@Suite struct LanguageTests {
    @Test func `Messages are in English with the correct plural form if no language is set`() {
        #expect(localized("Reply") == "Reply")
        #expect(localized(one: "{count} new reply", other: "{count} new replies", count: 1) == "1 new reply")
        #expect(
            localized(one: "{count} new reply", other: "{count} new replies", count: 0) == "0 new replies")
    }

    @Test func `Each language uses its own plural rules`() async {
        await #expect(processExitsWith: .success) {
            try TestLanguages.with { languages in
                for form in Self.forms {
                    let language = try languages(form.language)
                    let text = Language.$inScope.withValue(language) {
                        localized(one: "{count} new reply", other: "{count} new replies", count: form.count)
                    }
                    #expect(text == form.text)
                }
            }
        }
    }

    private static let forms: [(language: String, count: Int, text: String)] = [
        ("de", 0, "0 neue Antworten"), ("de", 1, "1 neue Antwort"), ("de", 2, "2 neue Antworten"),
        ("fr", 0, "0 nouvelle réponse"), ("fr", 1, "1 nouvelle réponse"), ("fr", 2, "2 nouvelles réponses"),
        ("es", 1, "1 respuesta nueva"), ("es", 21, "21 respuestas nuevas"), ("ja", 1, "新しい返信 1 件"),
        ("ja", 7, "新しい返信 7 件"), ("ar", 0, "لا ردود جديدة"), ("ar", 1, "رد جديد واحد"),
        ("ar", 2, "ردّان جديدان"), ("ar", 3, "\u{2068}3\u{2069} ردود جديدة"),
        ("ar", 10, "\u{2068}10\u{2069} ردود جديدة"), ("ar", 11, "\u{2068}11\u{2069} ردًا جديدًا"),
        ("ar", 100, "\u{2068}100\u{2069} رد جديد"),
    ]

    @Test func `The same text can have a different translation in each context`() async {
        await #expect(processExitsWith: .success) {
            try TestLanguages.with { languages in
                for (name, separator) in [("de", ", "), ("ja", "、"), ("ar", "، ")] {
                    let language = try languages(name)
                    Language.$inScope.withValue(language) {
                        #expect(localized(", ", context: "enumeration") == separator)
                        #expect(localized(", ") == ", ")
                    }
                }
            }
        }
    }

    @Test func `The language can be changed at run time, and LANGUAGE takes precedence over LANG`() async {
        await #expect(processExitsWith: .success) {
            try TestLanguages.with { _ in
                #expect(localized("Reply") == "Reply")
                #expect(Language.updateCurrent(from: ["LANG": "de_DE.UTF-8"]))
                #expect(localized("Reply") == "Antworten")
                #expect(Language.updateCurrent(from: ["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:es"]))
                #expect(localized("Reply") == "Répondre")
                #expect(
                    Language.updateCurrent(from: [
                        "LANG": "de_DE.UTF-8", "LC_ALL": "", "LC_MESSAGES": "ja_JP.UTF-8",
                    ]))
                #expect(localized("Reply") == "返信")
                #expect(!Language.updateCurrent(from: ["LANG": "de_DE.UTF-8", "LC_ALL": "tlh_QO"]))
                #expect(localized("Reply") == "返信")
                #expect(Language.updateCurrent(from: [:]))
                #expect(localized("Reply") == "Reply")
            }
        }
    }

    @Test func `Program output is in English, regardless of the configured language`() async {
        await #expect(processExitsWith: .success) {
            try TestLanguages.with { _ in
                Language.updateCurrent(from: ["LANG": "es_ES.UTF-8"])
                #expect(Language.$inScope.withValue(.english) { localized("Reply") } == "Reply")
                #expect(localized("Reply") == "Responder")
                // Number formatting must keep the C locale, because programs parse the numbers.
                #expect(setlocale(LC_NUMERIC, nil).map { String(cString: $0) } == "C")
            }
        }
    }

    @Test func `The header of a message catalogue is never shown`() async {
        await #expect(processExitsWith: .success) {
            try TestLanguages.with { _ in
                Language.updateCurrent(from: ["LANG": "de_DE.UTF-8"])
                #expect(localized("").isEmpty)
            }
        }
    }
}
