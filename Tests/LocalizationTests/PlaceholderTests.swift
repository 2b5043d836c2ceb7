import Testing

@testable import Localization

@Suite struct PlaceholderTests {
    @Test func `Values take their places in any order`() {
        let text = "{place}: {name} ({place})".filled(with: [("name", "Ann"), ("place", "Bug")])
        #expect(text == "Bug: Ann (Bug)")
    }

    @Test func `What a value says is not looked at again`() {
        #expect("{a}{b}".filled(with: [("a", "{b}"), ("b", "!")]) == "{b}!")
    }

    @Test(arguments: ["{", "}", "{}", "{unknown}", "a { b } c", "{{name"])
    func `What is no placeholder stays`(_ text: String) {
        #expect(text.filled(with: [("name", "Ann")]) == text)
    }

    @Test func `Where letters run from right to left a value is held together`() {
        #expect("إلى {name}".filled(with: [("name", "Ann (UK)")]) == "إلى \u{2068}Ann (UK)\u{2069}")
    }
}
