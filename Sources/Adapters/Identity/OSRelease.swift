/// The file os-release(5): what the system calls itself.
struct OSRelease {
    private var values: [String: String] = [:]

    /// Lines that are no assignments mean nothing.
    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            guard let equals = line.firstIndex(of: "="), line.first != "#" else { continue }
            let value = Self.unquoted(line[line.index(after: equals)...])
            if let value { values[String(line[..<equals])] = value }
        }
    }

    /// `PRETTY_NAME`, else name and version, as in "Debian GNU/Linux 12".
    var name: String? {
        if let pretty = values["PRETTY_NAME"], !pretty.isEmpty { return pretty }
        guard let name = values["NAME"], !name.isEmpty else { return nil }
        guard let version = values["VERSION_ID"], !version.isEmpty else { return name }
        return name + " " + version
    }

    /// A value without its shell quotes; nil where a quote does not end.
    private static func unquoted(_ text: Substring) -> String? {
        var value = ""
        var quote: Character?
        var characters = text.makeIterator()
        while let character = characters.next() {
            switch (character, quote) {
            case ("\\", nil):
                guard let next = characters.next() else { return nil }
                value.append(next)
            case ("\\", "\""):
                guard let next = characters.next() else { return nil }
                // In double quotes a backslash guards only what means something there.
                if !"\"\\$`".contains(next) { value.append("\\") }
                value.append(next)
            case ("'", nil), ("\"", nil): quote = character
            case (let end, .some(let open)) where end == open: quote = nil
            // Assignments hold one word; what follows is another.
            case (" ", nil), ("\t", nil): return value
            default: value.append(character)
            }
        }
        return quote == nil ? value : nil
    }
}

extension StringProtocol {
    var trimmed: SubSequence {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
        return start[...last]
    }
}
