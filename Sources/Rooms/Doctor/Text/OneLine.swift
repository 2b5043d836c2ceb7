/// What servers, files and the environment say, made harmless for a terminal.
enum OneLine {
    /// At most 500 characters without controls and without marks that change the order of text.
    static func of(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(4000) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
            case .format, .privateUse, .surrogate: continue
            default: result.append(scalar)
            }
        }
        let line = String(result)
        return line.count <= 500 ? line : line.prefix(499) + "…"
    }

    /// For a locale that shows nothing else.
    static func ascii(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "“", "”": result += "\""
            case "…": result += "..."
            default: result += character.isASCII ? String(character) : "?"
            }
        }
    }
}
