import Testing

@testable import Localization

@Suite struct PlaceholderTests {
    @Test func `Values are inserted at the positions that the translation chooses`() {
        let text = "{place}: {name} ({place})".filled(with: [("name", "Ann"), ("place", "Bug")])
        #expect(text == "Bug: Ann (Bug)")
    }

    @Test func `Placeholders in a value are not replaced`() {
        #expect("{a}{b}".filled(with: [("a", "{b}"), ("b", "!")]) == "{b}!")
    }

    @Test(arguments: ["{", "}", "{}", "{unknown}", "a { b } c", "{{name"])
    func `Text that is not a placeholder is unchanged`(_ text: String) {
        #expect(text.filled(with: [("name", "Ann")]) == text)
    }

    @Test func `Values in right-to-left text are isolated`() {
        #expect("إلى {name}".filled(with: [("name", "Ann (UK)")]) == "إلى \u{2068}Ann (UK)\u{2069}")
    }
}
