/// Recognizes the English sentences of the log, `status` and `ctl`, to translate them for display.
enum ReceivedText {
    /// Longer texts contain foreign content and are not sentences of ours.
    private static let longest = 2000
    /// A reason may contain a reason, which may contain another one.
    private static let maxDepth = 3

    /// Returns `text` in `language`; unchanged if no pattern matches.
    static func translation(of text: String, in language: Language, depth: Int = 0) -> String {
        let exact = language.translation(of: text)
        guard exact == text, text.utf8.count <= longest, depth <= maxDepth else { return exact }
        if let cut = text.firstRange(of: "; ") {
            return both(text[..<cut.lowerBound], text[cut.upperBound...], in: language, depth)
        }
        for (pattern, parts) in parsed {
            guard let values = values(of: text, by: parts) else { continue }
            let known = values.map { name, value in
                (
                    name: name,
                    value: name == reason ? translation(of: value, in: language, depth: depth + 1) : value
                )
            }
            return language.translation(of: pattern).filled(with: known)
        }
        return text
    }

    /// Translates a cause and, after a semicolon, an advice. Each is a text of its own and may be displayed
    /// alone.
    private static func both(
        _ cause: Substring, _ advice: Substring, in language: Language, _ depth: Int
    ) -> String {
        let known = [cause, advice].map { translation(of: String($0), in: language, depth: depth + 1) }
        // Text written by a user may contain a semicolon and must stay unchanged.
        guard known != [String(cause), String(advice)] else { return cause + "; " + advice }
        return language.translation(of: whole).filled(with: [("cause", known[0]), ("advice", known[1])])
    }

    private static let whole = localizable("{cause}; {advice}")

    /// The value of this placeholder is itself a text to translate.
    private static let reason = "reason"
    /// The value of this placeholder may be empty.
    private static let detail = "detail"

    private enum Part {
        case literal(String)
        case value(name: String)
    }

    /// Sorted by the number of literal characters: a more general pattern must not match first.
    private static let parsed = patterns.map { (pattern: $0, parts: parts(of: $0)) }
        .sorted { literalLength($0.parts) > literalLength($1.parts) }

    private static func literalLength(_ parts: [Part]) -> Int {
        parts.reduce(0) { count, part in
            if case .literal(let text) = part { count + text.count } else { count }
        }
    }

    private static func parts(of pattern: String) -> [Part] {
        pattern.split(separator: "{", omittingEmptySubsequences: false).enumerated().flatMap {
            number, piece in
            guard number > 0, let end = piece.firstIndex(of: "}") else {
                return [Part.literal(String(piece))]
            }
            return [
                .value(name: String(piece[..<end])), .literal(String(piece[piece.index(after: end)...])),
            ]
        }
    }

    /// Returns the values of the placeholders in `text`; `nil` if the pattern does not match.
    private static func values(of text: String, by parts: [Part]) -> [(String, String)]? {
        var rest = text[...]
        var values: [(String, String)] = []
        var name: String?
        for (number, part) in parts.enumerated() {
            guard case .literal(let literal) = part else {
                if case .value(let next) = part { name = next }
                continue
            }
            let isLast = number == parts.count - 1
            guard let range = place(of: literal, in: rest, isFirst: name == nil, isLast: isLast) else {
                return nil
            }
            if let open = name {
                guard open == detail || range.lowerBound > rest.startIndex else { return nil }
                values.append((open, String(rest[..<range.lowerBound])))
            }
            rest = rest[range.upperBound...]
        }
        return rest.isEmpty ? values : nil
    }

    private static func place(
        of literal: String, in rest: Substring, isFirst: Bool, isLast: Bool
    ) -> Range<String.Index>? {
        if isFirst {
            return rest.hasPrefix(literal)
                ? rest.startIndex..<rest.index(rest.startIndex, offsetBy: literal.count) : nil
        }
        if isLast {
            return rest.hasSuffix(literal)
                ? rest.index(rest.endIndex, offsetBy: -literal.count)..<rest.endIndex : nil
        }
        return rest.firstRange(of: literal)
    }
}
