import CutieAPI
import Reasons
import YAML

/// A value in the config file, with its position for error messages.
struct ConfigurationScalar {
    private let content: YAMLNode.Content
    private let file: String
    /// The position of the value or of its key; `nil` if the value is from the environment.
    private let mark: YAMLMark?
    /// The full key (`notifications.preview`); empty for the root of the file.
    private let key: String
    /// The last component of the key.
    let name: String

    init(node: YAMLNode, file: String, key: String) {
        self.init(node.content, file: file, key: key, name: key, mark: node.mark)
    }

    /// Creates a value from the environment.
    init(text: String, file: String, key: String) {
        self.init(.scalar(text, isPlain: true), file: file, key: key, name: key, mark: nil)
    }

    private init(_ content: YAMLNode.Content, file: String, key: String, name: String, mark: YAMLMark?) {
        (self.content, self.file, self.key, self.name, self.mark) = (content, file, key, name, mark)
    }

    func makeError(for problem: Reason) -> ConfigurationError {
        ConfigurationError(
            file: file, line: mark?.line, column: mark?.column, key: key.isEmpty ? nil : key,
            problem: problem)
    }

    func makeError(code: Reason.Code, arguments texts: [String: String] = [:]) -> ConfigurationError {
        makeError(for: Reason(code, texts))
    }

    /// Whether the value counts as missing: an unquoted empty value, `~` or `null`.
    var isNull: Bool { content.isNull }

    var isList: Bool { if case .sequence = content { true } else { false } }

    /// The text of an unquoted scalar; `nil` if the value is quoted or not a scalar.
    var plain: String? { content.plain }

    /// Returns the value as text.
    ///
    /// - Throws: an error if the value is a list or a mapping, exceeds 4096 bytes, or contains a control
    ///   character such as a line break.
    func parseText() throws(ConfigurationError) -> String {
        guard case .scalar(let text, _) = content else {
            throw makeError(code: .textRequired)
        }
        guard text.utf8.count <= 4096 else {
            throw makeError(code: .valueLongerThanBytes, arguments: ["count": "4096"])
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw makeError(code: .controlCharacters)
        }
        return text
    }

    /// Returns the elements of a list.
    ///
    /// - Throws: an error if the value is not a list or has more than 1024 elements.
    func parseList() throws(ConfigurationError) -> [ConfigurationScalar] {
        guard case .sequence(let nodes) = content else {
            throw makeError(code: .listRequired)
        }
        guard nodes.count <= 1024 else {
            throw makeError(code: .tooManyEntries, arguments: ["count": "1024"])
        }
        return nodes.enumerated().map { ConfigurationScalar(node: $1, file: file, key: key + "[\($0)]") }
    }

    /// Returns the values of a mapping with their keys, in the order of the file.
    ///
    /// - Throws: an error if the value is not a mapping or has more than 1024 keys.
    func parseEntries() throws(ConfigurationError) -> [ConfigurationScalar] {
        guard case .mapping(let members, _) = content else {
            throw makeError(code: .groupRequired)
        }
        guard members.count <= 1024 else {
            throw makeError(code: .tooManyEntries, arguments: ["count": "1024"])
        }
        var entries: [ConfigurationScalar] = []
        for member in members {
            let written = YAMLNode.Content.scalar(member.key, isPlain: true)
            let name = try ConfigurationScalar(written, file: file, key: key, name: key, mark: member.mark)
                .parseText()
            entries.append(
                ConfigurationScalar(
                    member.value.content, file: file, key: key.isEmpty ? name : key + "." + name, name: name,
                    mark: member.mark))
        }
        return entries
    }

    /// Returns the value as text; `nil` if the text is empty.
    func parseNonEmptyText() throws(ConfigurationError) -> String? {
        let text = try parseText()
        return text.isEmpty ? nil : text
    }

    /// Returns a display name; `nil` if the value is empty. Throws if the name contains invisible characters.
    func parseDisplayName() throws(ConfigurationError) -> String? {
        guard let text = try parseNonEmptyText() else { return nil }
        guard DisplayName.isReadable(text) else {
            throw makeError(code: .invisibleCharacters)
        }
        return text
    }

    /// Returns a value that is valid in an HTTP header; `nil` if the value is empty.
    ///
    /// - Throws: an error if the value has more than 256 bytes, or a character other than visible ASCII
    ///   characters.
    func parseHeaderValue() throws(ConfigurationError) -> String? {
        let text = try parseText()
        guard text.utf8.count <= 256, text.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw makeError(code: .visibleASCIIRequired)
        }
        return text.isEmpty ? nil : text
    }

    func parseFlag() throws(ConfigurationError) -> Bool {
        switch plain?.lowercased() {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw makeError(code: .flagRequired)
        }
    }

    func parseNumber(in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        guard let number = plain.flatMap({ Int(digits: $0) }), range.contains(number) else {
            throw makeError(
                code: .wholeNumberRequired,
                arguments: ["least": "\(range.lowerBound)", "most": "\(range.upperBound)"])
        }
        return number
    }

    func parseDuration(atLeast minimum: Duration) throws(ConfigurationError) -> Duration {
        let text = try parseText()
        guard let duration = Duration(parsing: text), duration >= minimum else {
            if let seconds = Duration.parseSeconds(from: text), seconds > minimum.components.seconds {
                throw makeError(code: .valueTooLarge, arguments: ["most": "\(Duration.maxDays)d"])
            }
            throw makeError(code: .durationRequired, arguments: ["seconds": "\(minimum.components.seconds)"])
        }
        return duration
    }

    func parseEnumValue<Word: RawRepresentable<String> & CaseIterable>() throws(ConfigurationError) -> Word {
        let text = try parseText()
        guard let word = Word(rawValue: text) else {
            throw unknownValueError(for: text, allowedValues: Word.allCases.map(\.rawValue))
        }
        return word
    }

    func unknownValueError(for text: String, allowedValues words: [String]) -> ConfigurationError {
        let problem = Reason(.choiceRequired, ["choices": words.joined(separator: ", ")])
        guard let hint = spellingSuggestion(for: text, among: words) else { return makeError(for: problem) }
        return makeError(for: problem.replacingAdvice(with: Reason(.didYouMean, ["name": hint])))
    }

    /// Returns a command: a program and its arguments. The command runs without a shell. `check` returns the
    /// problem with a program, or `nil` if the program is usable.
    func parseCommand(checkedBy check: (String) -> Reason?) throws(ConfigurationError) -> [String] {
        guard isList else {
            throw makeError(code: .commandRequired)
        }
        var argv: [String] = []
        for value in try parseList() { argv.append(try value.parseText()) }
        guard let program = argv.first, !program.isEmpty else { throw makeError(code: .programRequired) }
        if let problem = check(program) { throw makeError(for: problem) }
        return argv
    }

    /// Returns an absolute path; replaces `~` in a leading `~/` with `home`.
    func parseAbsolutePath(home: String?) throws(ConfigurationError) -> String {
        let text = try parseText()
        if text.hasPrefix("/") { return text }
        guard text.hasPrefix("~/"), let home, home.hasPrefix("/") else {
            throw makeError(code: .absolutePathRequired)
        }
        return home + text.dropFirst()
    }

    /// Returns an HTTPS URL, or an HTTP URL with a loopback host.
    func parseAddress() throws(ConfigurationError) -> APIAddress {
        let text = try parseText()
        do throws(APIAddress.ParseError) {
            return try APIAddress(text)
        } catch {
            throw self.makeError(for: error.reason)
        }
    }
}

extension YAMLNode.Content {
    var isNull: Bool { plain.map { ["", "~", "null"].contains($0) } ?? false }
}

extension FixedWidthInteger {
    /// Parses ASCII digits only; `Int(_:)` would also accept a sign.
    init?(digits text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        self.init(text)
    }
}

extension Substring {
    var trimmingSpaces: Substring {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}

extension Duration {
    /// Parses a duration: whole seconds, or a number with a unit (`90s`, `5m`, `1h`, `2d`). `nil` for other
    /// formats and for more than 100 years.
    public init?(parsing text: String) {
        guard let seconds = Self.parseSeconds(from: text), seconds <= Self.maxDays * 86_400 else {
            return nil
        }
        self = .seconds(seconds)
    }

    static let maxDays = 36_525

    /// Parses a duration and returns its seconds, even if they are more than 100 years; returns `nil` if
    /// `text` is not a duration.
    static func parseSeconds(from text: String) -> Int? {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let (seconds, overflow) = (Int(digits) ?? .max).multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? .max : seconds
    }
}
