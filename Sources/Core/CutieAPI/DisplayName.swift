public import Reasons

/// The characters that are allowed in display names of users, apps, devices, services and tags.
///
/// Names appear in questions to the user. Line breaks, invisible characters, and characters that
/// reorder the text around them are forbidden, because they could change the meaning of a question.
/// Joiners and variation selectors are invisible, but allowed if a script or an emoji requires them,
/// for example in Persian and Sinhala names and in most emoji of people.
public enum DisplayName {
    /// The reason shown to the user if a name is rejected.
    public static let limits = Reason(.lineRequired, ["limit": "256"])

    /// Returns whether `text` has a visible character and no forbidden character.
    public static func isReadable(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return scalars.contains(where: isVisible)
            && scalars.indices.allSatisfy { isAllowedScalar(at: $0, in: scalars) }
    }

    /// Returns `text` with each forbidden character replaced by `replacement`; `nil` removes these
    /// characters.
    public static func cleaned(_ text: String, replacement: Unicode.Scalar? = nil) -> String {
        // Fast path: most names are ASCII.
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        for index in scalars.indices {
            if isAllowedScalar(at: index, in: scalars) {
                result.append(scalars[index])
            } else if let replacement {
                result.append(replacement)
            }
        }
        return String(result)
    }

    private static func isAllowedScalar(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[index]
        // Fast path: most names are ASCII.
        if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) }
        let previous = index > 0 ? scalars[index - 1] : nil
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        switch scalar.value {
        case 0x200C, 0x200D: return isAllowedJoiner(after: previous, before: next)
        case 0xE0020...0xE007F: return isFlagTag(at: index, in: scalars)
        // Interlinear annotation characters are invisible, but `isDefaultIgnorableCodePoint` is false for
        // them.
        case 0xFFF9...0xFFFB: return false
        default: break
        }
        if scalar.properties.isVariationSelector { return previous.map(isPartOfLetterNumberOrEmoji) ?? false }
        return !isControl(scalar) && !scalar.properties.isDefaultIgnorableCodePoint
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
            && !isControl(scalar)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        default: scalar.properties.isNoncharacterCodePoint
        }
    }

    /// Returns whether a joiner has a purpose: it is between two letters or emoji, or follows a virama at the
    /// end of a syllable.
    private static func isAllowedJoiner(after previous: Unicode.Scalar?, before next: Unicode.Scalar?) -> Bool
    {
        guard let previous, isPartOfLetterNumberOrEmoji(previous) else { return false }
        return next.map(isPartOfLetterNumberOrEmoji) ?? false || isVirama(previous)
    }

    private static func isVirama(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass == .virama
    }

    /// Returns whether the scalar can be part of a letter, a number or an emoji.
    private static func isPartOfLetterNumberOrEmoji(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if scalar.isASCII { return properties.isAlphabetic || properties.isEmoji }
        if properties.isVariationSelector { return true }
        guard !properties.isDefaultIgnorableCodePoint else { return false }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
            .mathSymbol, .modifierSymbol, .otherSymbol, .unassigned:
            return true
        default: return properties.isEmoji
        }
    }

    /// Returns whether the tag character is part of a complete flag sequence (black flag, tags, cancel tag),
    /// such as the flag of Scotland.
    private static func isFlagTag(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let tags: ClosedRange<UInt32> = 0xE0020...0xE007F
        guard let flag = scalars[..<index].lastIndex(where: { !tags.contains($0.value) }),
            scalars[flag].value == 0x1F3F4
        else { return false }
        return scalars[(flag + 1)...].prefix { tags.contains($0.value) }.last?.value == 0xE007F
    }
}
