/// The class of a character, which determines how text is split into tokens.
enum CharacterClass {
    /// A letter, a digit, or a mark that distinguishes words.
    case letter
    /// A character that does not need spaces around it to be a separate word: a character of an unspaced
    /// script (such as Chinese), or a symbol (such as an emoji or a currency sign).
    case unspaced
    /// A character that a search ignores, even within a word, such as an accent, a joiner or a variation
    /// selector.
    case ignored
    /// A character that ends a word of letters. Between characters of an unspaced script, the character is
    /// ignored, because it only marks a possible line break.
    case wordEnd
    /// A character that ends a word of letters or a run of unspaced characters.
    case separator

    init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            self = Self.isASCIILetterOrDigit(UInt8(scalar.value)) ? .letter : .separator
        } else if Self.isUnspaced(scalar.value) {
            self = scalar.properties.generalCategory.isPunctuation ? .separator : .unspaced
        } else {
            self.init(scalar, scalar.properties.generalCategory)
        }
    }

    private init(_ scalar: Unicode.Scalar, _ category: Unicode.GeneralCategory) {
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber,
            .letterNumber,
            .otherNumber, .privateUse:
            self = .letter
        case .modifierLetter: self = scalar == "\u{640}" ? .ignored : .letter
        case .nonspacingMark, .enclosingMark, .spacingMark:
            self = Self.isOptionalMark(scalar.value) ? .ignored : .letter
        case .otherSymbol, .currencySymbol: self = .unspaced
        case .format: self = scalar == "\u{200B}" || scalar == "\u{200C}" ? .wordEnd : .ignored
        // The range contains the skin tones of emoji.
        case .modifierSymbol: self = (0x1F3FB...0x1F3FF).contains(scalar.value) ? .ignored : .separator
        default: self = .separator
        }
    }

    static func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Returns whether a scalar belongs to a script without spaces between words: Thai, Lao, Burmese, Khmer,
    /// Tai Le and Tai Tham; Hangul; Han, kana and Bopomofo.
    private static func isUnspaced(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x0E00: false
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAF: true
        case 0xA9E0...0xA9FF, 0xAA60...0xAADF: true
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xFFA0...0xFFDC: true
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x303C, 0x3040...0x3098: true
        case 0x309D...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
        case 0xF900...0xFAFF, 0x1B000...0x1B16F, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// Returns whether a search ignores a mark: an accent, a Hebrew or Arabic vowel, a variation selector or
    /// a keycap. Other marks, such as the vowels of Indic scripts, are part of the word.
    private static func isOptionalMark(_ value: UInt32) -> Bool {
        switch value {
        case 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670: true
        case 0x06D6...0x06ED, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0x3099...0x309A: true
        case 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xE0100...0xE01EF: true
        default: false
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isPunctuation: Bool {
        switch self {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
            .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .unassigned:
            true
        default: false
        }
    }
}
