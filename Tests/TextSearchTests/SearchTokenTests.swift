import Foundation
import Testing

@testable import TextSearch

struct SearchTokenTests {
    @Test(arguments: [
        ("The app crashes", "the app crashes"), ("don't", "don t"), ("foo-bar_baz", "foo bar baz"),
        ("Straße STRASSE ẞ", "strasse strasse ss"), ("Zürich Zu\u{308}rich", "zurich zurich"),
        ("Œuvre Æther Łódź Ørsted", "oeuvre aether lodz orsted"), ("İstanbul ısı", "istanbul isi"),
        ("Τέλος ΤΕΛΟΣ", "τελοσ τελοσ"), ("Ёлка", "елка"), ("ﬁle", "file"),
        ("أَحْمَد احمد", "احمد احمد"), ("مدرسة مدرسه", "مدرسه مدرسه"), ("مـــرحبا", "مرحبا"),
        ("می\u{200C}خواهم", "مي خواهم"), ("हिन्दी में", "हिन्दी में"),
        ("soft\u{AD}hyphen word\u{2060}joiner \u{202E}abc\u{202C}", "softhyphen wordjoiner abc"),
        ("ＡＢＣ１２３", "abc123"), ("x² ½", "x² ½"),
    ])
    func `Words are converted to lower case without diacritics`(text: String, tokens: String) {
        #expect(SearchToken.joinedTokens(of: text) == tokens)
    }

    @Test(arguments: [
        ("東京都", "東京 京都 都"), ("東", "東"), ("iPhoneを使う", "iphone を使 使う う"), ("東京、大阪", "東京 京 大阪 阪"),
        ("ｶﾞｷﾞﾊﾟ", "ガギ ギパ パ"), ("か\u{3099}は\u{309A}", "がぱ ぱ"), ("ｳﾞ", "ヴ"),
        ("한국", "한국 국"), ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "한국 국"),
        ("\u{D558}\u{11AB}", "한"),
        ("สวัสดี", "สว วั ัส สด ดี ี"), ("กา\u{200B}ขา", "กา าข ขา า"),
        ("🎉", "🎉"), ("👍🏽❤️", "👍❤ ❤"), ("👨‍👩‍👧", "👨👩 👩👧 👧"), ("20€", "20 €"), ("葛\u{E0100}飾", "葛飾 飾"),
        ("\"*()+-.,…„“。", ""),
    ])
    func `Text in scripts that use no spaces is split into pairs of characters`(text: String, tokens: String)
    {
        #expect(SearchToken.joinedTokens(of: text) == tokens)
    }

    @Test(arguments: [
        "", " ", "a", "A b", "  The APP crashes!  ", "x1-y2_z3", "tab\tline\nend\0nul", "{@[`Zz09/:",
        String(String.UnicodeScalarView((0..<128).map { Unicode.Scalar(UInt8($0)) })),
    ])
    func `The fast path for ASCII returns the same tokens as the general tokenizer`(text: String) {
        #expect(
            SearchToken.joinedTokens(of: text)
                == SearchToken.tokenize(text).map(\.text).joined(separator: " "))
    }

    @Test func `The range of a token refers to the original text`() {
        let text = "Zu\u{308}rich ｶﾞ東"
        let scalars = Array(text.unicodeScalars)
        let parts = SearchToken.tokenize(text).map { token in
            String(String.UnicodeScalarView(scalars[token.range]))
        }
        #expect(parts == ["Zu\u{308}rich", "ｶﾞ東", "東"])
    }

    /// Compares cutied's own mapping table with Foundation, which uses the Unicode tables. The daemon does
    /// not load the Unicode tables.
    @Test func `Letters are folded in the same way as Foundation folds them`() throws {
        let own = "đðħıłøǿŧœæǣǽßẞþĳŉſẛʒǯςŒÆØĐÐŁĦÞĲǾǢǼŦϒϓϔٱىيئةهۀەہۂکڪیےۓ"
        for value in (0xC0...0x24F).map({ $0 }) + Array(0x370...0x4FF) + Array(0x1E00...0x1FFF) {
            guard let scalar = Unicode.Scalar(UInt32(value)), scalar.properties.isAlphabetic,
                scalar.properties.generalCategory != .nonspacingMark,
                !own.unicodeScalars.contains(scalar),
                scalar.properties.lowercaseMapping.unicodeScalars.count == 1
            else { continue }
            let expected = String(scalar).folding(
                options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en_US_POSIX"))
            let folded = SearchToken.joinedTokens(of: String(scalar))
            #expect(folded == expected || folded == expected.lowercased(), "U+\(String(value, radix: 16))")
        }
    }
}
