import Testing

@testable import Localization

@Suite struct PlaceholderTests {
    @Test func `Values are inserted at the positions of the placeholders in the translation`() {
        let text = "{place}: {name} ({place})".filled(with: [("name", "Ann"), ("place", "Bug")])
        #expect(text == "Bug: Ann (Bug)")
    }

    @Test func `A placeholder inside an inserted value is not replaced`() {
        #expect("{a}{b}".filled(with: [("a", "{b}"), ("b", "!")]) == "{b}!")
    }

    @Test(arguments: ["{", "}", "{}", "{unknown}", "a { b } c", "{{name"])
    func `Text that only resembles a placeholder is unchanged`(_ text: String) {
        #expect(text.filled(with: [("name", "Ann")]) == text)
    }

    @Test func `Values inserted into right-to-left text are isolated`() {
        #expect("إلى {name}".filled(with: [("name", "Ann (UK)")]) == "إلى \u{2068}Ann (UK)\u{2069}")
    }
}
