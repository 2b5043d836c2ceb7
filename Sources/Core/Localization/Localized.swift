import CIntl

/// Returns the translation of `text` into the user's language; `text` itself, which is English, if there is
/// no translation.
///
/// `values` replace the placeholders `{name}`, in the order of the translation. `context` distinguishes
/// messages that are identical only in English.
///
///     localized("Reply to {name}", ["name": sender])
public func localized(
    _ text: StaticString, context: StaticString? = nil, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    let translation = Language.current.translation(of: text, context: context)
    return values.isEmpty ? translation : translation.filled(with: values.map { ($0, $1) })
}

/// Returns a message about `count` objects, in the plural form of the language. `{count}` is replaced by the
/// number.
///
///     localized(one: "{count} new reply", other: "{count} new replies", count: replies.count)
public func localized(
    one: StaticString, other: StaticString, count: Int, context: StaticString? = nil,
    _ values: KeyValuePairs<String, String> = [:]
) -> String {
    Language.current.translation(of: one, other, count: count, context: context)
        .filled(with: [("count", String(count))] + values.map { ($0, $1) })
}

extension Language {
    /// Returns the translation of `text` into this language; `text` itself, which is English, if there is no
    /// translation. `values` replace the placeholders `{name}`.
    package func text(_ text: StaticString, _ values: [String: String]) -> String {
        translation(of: text, context: nil).filled(with: values.map { ($0.key, $0.value) })
    }
}

/// Marks an English string for translators; the caller translates it later.
public func localizable(_ text: StaticString) -> StaticString { text }

extension String {
    /// Replaces each `{name}` with its value. Values are not searched for placeholders.
    func filled(with values: [(name: String, value: String)]) -> String {
        guard !values.isEmpty, utf8.contains(UInt8(ascii: "{")) else { return self }
        var text = self
        // Searches bytes, because finding character boundaries would take most of the time.
        return text.withUTF8 { Self.filled($0, with: values, isolates: hasRightToLeftLetters) }
    }

    private static func filled(
        _ bytes: UnsafeBufferPointer<UInt8>, with values: [(name: String, value: String)], isolates: Bool
    ) -> String {
        var (filled, next) = ("", 0)
        while let start = bytes[next...].firstIndex(of: UInt8(ascii: "{")),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            let name = bytes[(start + 1)..<end]
            if let value = values.first(where: { $0.name.utf8.elementsEqual(name) })?.value {
                filled += String(decoding: bytes[next..<start], as: UTF8.self)
                // Isolates the value: otherwise, punctuation around a Latin name would be displayed on the
                // wrong side of the name.
                filled += isolates ? "\u{2068}" + value + "\u{2069}" : value
                next = end + 1
            } else {
                filled += String(decoding: bytes[next...start], as: UTF8.self)
                next = start + 1
            }
        }
        return filled + String(decoding: bytes[next...], as: UTF8.self)
    }

    private var hasRightToLeftLetters: Bool {
        // In UTF-8, right-to-left letters begin with a byte of at least 0xD6.
        utf8.contains { $0 >= 0xD6 } && unicodeScalars.contains { (0x590...0x8FF).contains($0.value) }
    }
}
