import CutieAPI

extension Value {
    /// nil for an empty text.
    func nonEmptyText() throws(ConfigurationError) -> String? {
        let text = try text()
        return text.isEmpty ? nil : text
    }

    /// nil for an empty text; refuses what cannot stand in an HTTP header.
    func headerValue() throws(ConfigurationError) -> String? {
        let text = try text()
        guard text.utf8.count <= 256, text.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw error("must be at most 256 ASCII characters without spaces; copy it again")
        }
        return text.isEmpty ? nil : text
    }

    func flag() throws(ConfigurationError) -> Bool {
        switch plain?.lowercased() {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw error("must be true or false, without quotes")
        }
    }

    func number(in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        guard let number = plain.flatMap({ Int(digits: $0) }), range.contains(number) else {
            throw error("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func duration(atLeast least: Duration) throws(ConfigurationError) -> Duration {
        let text = try text()
        guard let duration = Duration(written: text), duration >= least else {
            if let seconds = Duration.seconds(written: text), seconds > least.components.seconds {
                throw error("must be at most \(Duration.mostDays)d")
            }
            throw error("must be at least \(least.components.seconds) s; write seconds, or 90s, 5m, 1h, 2d")
        }
        return duration
    }

    func word<Word: RawRepresentable<String> & CaseIterable>() throws(ConfigurationError) -> Word {
        let text = try text()
        guard let word = Word(rawValue: text) else {
            throw unknownWord(text, of: Word.allCases.map(\.rawValue))
        }
        return word
    }

    func unknownWord(_ text: String, of words: [String]) -> ConfigurationError {
        let hint = suggestion(for: text, among: words).map { "; did you mean \($0)?" }
        return error("must be one of " + words.joined(separator: ", ") + (hint ?? ""))
    }

    /// A program and its arguments: never handed to a shell.
    func argv() throws(ConfigurationError) -> [String] {
        guard isList else { throw error("must be a program and its arguments; write [program, argument]") }
        var argv: [String] = []
        for value in try list() { argv.append(try value.text()) }
        guard let program = argv.first, !program.isEmpty else { throw error("must name a program first") }
        return argv
    }

    /// A path from the root or, with `~/`, from `home`.
    func absolutePath(home: String?) throws(ConfigurationError) -> String {
        let text = try text()
        if text.hasPrefix("/") { return text }
        guard text.hasPrefix("~/"), let home, home.hasPrefix("/") else {
            throw error("must be an absolute path; begin it with / or ~/")
        }
        return home + text.dropFirst()
    }

    /// HTTPS, or HTTP to this machine.
    func address() throws(ConfigurationError) -> APIAddress {
        let text = try text()
        do throws(APIAddress.Invalid) {
            return try APIAddress(text)
        } catch {
            throw self.error(error.description)
        }
    }
}
