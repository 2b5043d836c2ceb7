/// The characters of a string in a normalized form. Full-width and half-width characters are replaced by the
/// usual characters, and characters that consist of several scalars (Hangul jamo, kana with a voicing mark)
/// are composed.
///
/// The daemon does not link Foundation's normalization. This type handles the forms that Japanese and Korean
/// input methods and file systems produce; `LetterFolding` handles Latin, Greek, Cyrillic and Arabic letters.
struct ComposedScalars: Sequence, IteratorProtocol {
    struct Element {
        var scalar: Unicode.Scalar
        /// The position in the original string, as offsets of Unicode scalars.
        var range: Range<Int>
    }

    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ scalars: some Sequence<Unicode.Scalar>) { self.scalars = Array(scalars) }

    mutating func next() -> Element? {
        guard position < scalars.count else { return nil }
        let start = position
        var scalar = Self.normalizingWidth(of: scalars[position])
        position += 1
        while position < scalars.count,
            let whole = Self.compose(scalar, with: Self.normalizingWidth(of: scalars[position]))
        {
            scalar = whole
            position += 1
        }
        return Element(scalar: scalar, range: start..<position)
    }

    private static func compose(_ first: Unicode.Scalar, with second: Unicode.Scalar) -> Unicode.Scalar? {
        switch second.value {
        case 0x1161...0x1175, 0x11A8...0x11C2: composeHangul(first.value, with: second.value)
        case 0x3099, 0x309A: composeKana(first.value, isHalfVoiced: second.value == 0x309A)
        default: nil
        }
    }
}

// MARK: - Hangul

extension ComposedScalars {
    /// Returns the Hangul syllable composed of a leading consonant and a vowel, or of a syllable and a
    /// trailing consonant (Unicode 3.12).
    private static func composeHangul(_ first: UInt32, with second: UInt32) -> Unicode.Scalar? {
        let isVowel = second < 0x11A8
        switch first {
        case 0x1100...0x1112 where isVowel:
            return Unicode.Scalar(0xAC00 + ((first - 0x1100) * 21 + (second - 0x1161)) * 28)
        case 0xAC00...0xD7A3 where !isVowel && (first - 0xAC00) % 28 == 0:
            return Unicode.Scalar(first + second - 0x11A7)
        default: return nil
        }
    }
}

// MARK: - Kana

extension ComposedScalars {
    /// The usual (full-width) katakana for the half-width katakana that start at U+FF66.
    private static let halfWidthKatakana = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars)
    /// The hiragana whose voiced form is the next code point.
    private static let voiceable = Set("かきくけこさしすせそたちつてとはひふへほゝ".unicodeScalars.map(\.value))
    /// The hiragana whose half-voiced form is two code points later.
    private static let halfVoiceable = Set("はひふへほ".unicodeScalars.map(\.value))
    /// The offset from a hiragana to the corresponding katakana.
    private static let katakanaOffset: UInt32 = 0x60

    private static func normalizingWidth(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0xFF66...0xFF9D: halfWidthKatakana[Int(scalar.value - 0xFF66)]
        case 0xFF9E: "\u{3099}"
        case 0xFF9F: "\u{309A}"
        default: scalar
        }
    }

    private static func composeKana(_ base: UInt32, isHalfVoiced: Bool) -> Unicode.Scalar? {
        let offset = (0x30A1...0x30FF).contains(base) ? katakanaOffset : 0
        let hiragana = base - offset
        if isHalfVoiced { return halfVoiceable.contains(hiragana) ? Unicode.Scalar(base + 2) : nil }
        if hiragana == 0x3046 { return Unicode.Scalar(0x3094 + offset) }
        return voiceable.contains(hiragana) ? Unicode.Scalar(base + 1) : nil
    }
}
