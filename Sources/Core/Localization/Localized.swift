import CIntl

/// Returns `text` translated into the user's language; the English `text` if there is no translation.
///
/// `values` replace the placeholders `{name}`, whose order may differ in the translation. `context`
/// distinguishes messages that are equal in English but not in other languages.
///
///     localized("Reply to {name}", ["name": sender])
public func localized(
    _ text: StaticString, context: StaticString? = nil, _ values: KeyValuePairs<String, String> = [:]
) -> String {
    let translation = Language.current.translation(of: text, context: context)
    return values.isEmpty ? translation : translation.filled(with: values.map { ($0, $1) })
}

/// Returns a message about `count` objects, in the plural form that the user's language requires for this
/// number. The number replaces `{count}`.
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
    /// Returns `text` translated into this language; the English `text` if there is no translation. `values`
    /// replace the placeholders `{name}`.
    package func text(_ text: StaticString, _ values: [String: String]) -> String {
        translation(of: text, context: nil).filled(with: values.map { ($0.key, $0.value) })
    }
}

/// Marks an English string for extraction into the catalogues. The caller translates the string later.
public func localizable(_ text: StaticString) -> StaticString { text }

extension String {
    /// Replaces each `{name}` with its value. Placeholders inside values are not replaced.
    func filled(with values: [(name: String, value: String)]) -> String {
        guard !values.isEmpty, utf8.contains(UInt8(ascii: "{")) else { return self }
        var text = self
        // Search bytes instead of characters, because finding character boundaries would dominate the run
        // time.
        return text.withUTF8 { Self.filled($0, with: values, isolates: hasRightToLeftLetters) }
    }

    private static func filled(
        _ bytes: UnsafeBufferPointer<UInt8>, with values: [(name: String, value: String)], isolates: Bool
    ) -> String {
        var (filled, next) = ([UInt8](), 0)
        filled.reserveCapacity(bytes.count + 64)
        while let start = bytes[next...].firstIndex(of: UInt8(ascii: "{")),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            let name = bytes[(start + 1)..<end]
            if let value = values.first(where: { $0.name.utf8.elementsEqual(name) })?.value {
                filled += bytes[next..<start]
                // Isolates the value: otherwise, punctuation around a Latin name would be displayed on the
                // wrong side of the name.
                if isolates { filled += "\u{2068}".utf8 }
                filled += value.utf8
                if isolates { filled += "\u{2069}".utf8 }
                next = end + 1
            } else {
                filled += bytes[next...start]
                next = start + 1
            }
        }
        filled += bytes[next...]
        return String(decoding: filled, as: UTF8.self)
    }

    private var hasRightToLeftLetters: Bool {
        // Fast path: in UTF-8, all right-to-left letters begin with a byte of at least 0xD6.
        utf8.contains { $0 >= 0xD6 } && unicodeScalars.contains { (0x590...0x8FF).contains($0.value) }
    }
}
