import CutieAPI
import Testing

struct DisplayNameTests {
    @Test(arguments: [
        "Kim", "Kim O'Neil-Smith", "José", "山田　太郎", "علی\u{200C}رضا", "می\u{200C}خواهم", "ශ්\u{200D}රී ලංකා",
        "രാജന്\u{200D}", "र\u{94D}\u{200D}य", "👩\u{200D}👩\u{200D}👧 family", "❤\u{FE0F}", "🧑🏽\u{200D}💻",
        "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "1\u{FE0F}\u{20E3}", "葛\u{E0100}城", "🇩🇪",
        "a\u{A0}b",
        "e\u{301}", "۱۰\u{200C}ساله", "ཨོཾ",
    ])
    func `An ordinary name counts as readable and is not changed`(name: String) {
        #expect(DisplayName.isReadable(name))
        #expect(Array(DisplayName.cleaned(name).utf8) == Array(name.utf8))
    }

    @Test(arguments: [
        ("", ""), (" ", " "), ("a\nb", "ab"), ("a\tb", "ab"), ("a\u{0}b", "ab"), ("a\u{7F}", "a"),
        ("a\u{85}b", "ab"),
        ("a\u{2028}b", "ab"), ("abc\u{202E}gpj.exe", "abcgpj.exe"), ("a\u{200F}", "a"), ("\u{61C}a", "a"),
        ("a\u{2066}b\u{2069}", "ab"), ("a\u{200B}b", "ab"), ("a\u{2060}b", "ab"), ("\u{FEFF}a", "a"),
        ("a\u{AD}b", "ab"), ("a\u{3164}b", "ab"), ("a\u{FFF9}b", "ab"), ("a\u{E000}b", "ab"),
        ("a\u{FFFF}b", "ab"),
        ("\u{200D}a", "a"), ("a\u{200D}", "a"), ("a\u{200D} b", "a b"), ("a\u{200C}\u{200C}b", "ab"),
        ("\u{200D}", ""), ("\u{FE0F}a", "a"), (" \u{FE0F}", " "), ("\u{E0067}", ""), ("🏴\u{E0067}", "🏴"),
        ("a\u{E0041}b", "ab"),
    ])
    func `Hidden and reordering characters make a name unreadable and are removed`(
        name: String, cleaned: String
    ) {
        #expect(!DisplayName.isReadable(name))
        #expect(Array(DisplayName.cleaned(name).unicodeScalars) == Array(cleaned.unicodeScalars))
    }

    @Test func `Characters that are not allowed in a single line are replaced`() {
        #expect(DisplayName.cleaned("a\u{1B}[2J\u{202E}b", replacement: " ") == "a [2J b")
    }
}
