import Foundation
import Testing

@testable import Localization

@Suite struct ReceivedTextTests {
    @Test(arguments: [
        ("no answer", "keine Antwort"),
        (
            "api.example has no address; check the name and the network",
            "api.example hat keine Adresse; prüfen Sie den Namen und das Netzwerk"
        ),
        (
            "api.example has no address (Could not resolve host: api.example); check the name and the network",
            "api.example hat keine Adresse (Could not resolve host: api.example); prüfen Sie den Namen und das Netzwerk"
        ),
        ("the server answered 503: busy", "der Server hat mit 503 geantwortet: busy"),
        (
            "The API cannot be reached: the server answered 503",
            "Der Dienst ist nicht erreichbar: der Server hat mit 503 geantwortet"
        ),
        (
            "this link does not begin with cutie://; nothing was opened",
            "dieser Link beginnt nicht mit cutie://; es wurde nichts geöffnet"
        ),
        ("the server answered ", "the server answered "),
        ("somebody's own words; and more", "somebody's own words; and more"),
        ("check the network", "prüfen Sie das Netzwerk"),
        (
            "the server answered 400: no; really", "der Server hat mit 400 geantwortet: no; really"
        ),
    ])
    func `An English text from the daemon is recognized by its pattern`(_ text: String, _ german: String)
        async
    {
        await #expect(processExitsWith: .success) { [text, german] in
            try TestLanguages.with { languages in
                let language = try languages("de")
                #expect(Language.$inScope.withValue(language) { localized(received: text) } == german)
            }
        }
    }

    /// Fails if a message was changed in the sources but not in its pattern: all words of a pattern must
    /// occur in one file.
    @Test(arguments: ReceivedText.patterns)
    func `Each pattern matches a text in the sources`(_ pattern: String) throws {
        let words = pattern.replacing(/\{[a-z]+\}/, with: " ").split {
            !$0.isLetter && $0 != "_" && $0 != "/"
        }
        #expect(Self.sources.contains { source in words.allSatisfy(source.contains) })
    }

    private static let sources = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            .standardizedFileURL
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        return (files ?? []).filter { $0.pathExtension == "swift" && !$0.path.contains("/Localization/") }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }()

    @Test(arguments: ["{host} broke", "{a}{b}", ""])
    func `A text that fits no pattern is not translated`(_ text: String) async {
        #expect(localized(received: text) == text)
    }
}
