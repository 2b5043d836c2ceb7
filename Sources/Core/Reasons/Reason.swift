import Localization

/// The reason for a state or an error, as a value. The sentence is created when it is shown: in English for
/// logs, `ctl` and the sockets, in the user's language for windows and notifications.
public indirect enum Reason: Hashable, Sendable {
    /// A message from a server, a library or an older version of this program, which is never translated.
    case text(String)
    /// A reason that this program defines. Each argument is a string or another reason. An argument with the
    /// name `advice` overrides the advice for the code.
    case coded(Code, [String: Reason])

    /// Creates a coded reason.
    ///
    /// - Parameters:
    ///   - texts: the arguments that are strings.
    ///   - reasons: the arguments that are reasons.
    public init(_ code: Code, _ texts: [String: String] = [:], reasons: [String: Reason] = [:]) {
        let arguments = texts.mapValues(Reason.text).merging(reasons) { _, reason in reason }
        assert(code.acceptsArguments(named: arguments.keys), "\(code.rawValue) needs \(code.placeholders)")
        self = .coded(code, arguments)
    }

    /// Creates a coded reason with its cause, which is the argument `reason`.
    public init(_ code: Code, _ texts: [String: String] = [:], because cause: Reason) {
        self.init(code, texts, reasons: [Self.cause: cause])
    }

    static let cause = "reason"
    static let advice = "advice"
    /// The name of the argument with the error message of a library. The message is in English, so it is
    /// omitted in other languages.
    static let detail = "detail"

    /// Joins phrases into one reason, such as "A, B and C"; `nil` if `parts` is empty.
    public static func enumeration(of parts: [Reason]) -> Reason? {
        guard let first = parts.first else { return nil }
        return parts.dropFirst().reduce(first) {
            Reason(.enumeration, reasons: ["first": $0, "second": $1])
        }
    }

    /// The code of the reason; `nil` for a message from a server, a library or an older version of this
    /// program.
    public var code: Code? { if case .coded(let code, _) = self { code } else { nil } }

    /// Whether the reason, or one of its arguments, contains names of accounts, services or files that an app
    /// must not learn.
    public var isPrivate: Bool {
        guard case .coded(let code, let arguments) = self else { return false }
        return code.definition.isPrivate || arguments.values.contains(where: \.isPrivate)
    }

    /// Returns the reason with `advice` instead of its own advice.
    public func replacingAdvice(with advice: Reason) -> Reason {
        switch self {
        case .text(let text): .text(text + "; " + advice.english)
        case .coded(let code, let arguments):
            .coded(code, arguments.merging([Self.advice: advice]) { _, new in new })
        }
    }

    /// Returns the reason with each string transformed, for example to hide secrets or to limit the length.
    public func mapTexts(_ transform: (String) -> String) -> Reason {
        switch self {
        case .text(let text): .text(transform(text))
        case .coded(let code, let arguments): .coded(code, arguments.mapValues { $0.mapTexts(transform) })
        }
    }
}

/// An error that can be shown in the user's language.
public protocol ReasonedError: Error, CustomStringConvertible {
    var reason: Reason { get }
}

extension ReasonedError {
    public var description: String { reason.english }
}

extension Reason {
    /// Creates the reason of `error`. For an error of a library, the reason is its English description.
    public init(describing error: any Error) {
        self = (error as? any ReasonedError)?.reason ?? .text("\(error)")
    }
}

/// The sentence of a reason, with or without its advice.
extension Reason {
    /// The English sentence with its advice.
    public var english: String { sentence(in: .english) }

    /// The English sentence without advice.
    public var englishProblem: String { problem(in: .english) }

    /// The advice in English; `nil` if there is none.
    public var englishAdvice: String? { advice(in: .english) }

    /// The sentence with its advice, in the user's language.
    public var localized: String { sentence(in: .current) }

    /// `localized` with a capital letter at the start and a full stop at the end.
    public var localizedSentence: String {
        let text = localized
        return Language.current.translation(
            of: localizable("{sentence}."),
            values: ["sentence": text.prefix(1).uppercased() + text.dropFirst()])
    }

    /// `localized` without the backquotes around commands and settings. Notification servers do not format
    /// text in backquotes.
    public var localizedForNotification: String { localized.replacing("`", with: "") }

    /// The sentence without advice, in the user's language.
    public var localizedProblem: String { problem(in: .current) }

    /// The advice for the reason in the user's language; `nil` if the reason has no advice.
    public var localizedAdvice: String? { advice(in: .current) }

    func sentence(in language: Language) -> String {
        switch self {
        case .text(let text): text
        case .coded(let code, let arguments):
            Self.joinedText(
                problem: code.sentence(with: arguments, in: language) { $0.sentence(in: language) },
                advice: ownAdvice(in: language), in: language)
        }
    }

    func problem(in language: Language) -> String {
        switch self {
        case .text(let text): text
        case .coded(let code, let arguments):
            code.sentence(with: arguments, in: language) { argument in
                code.endsWithCause ? argument.problem(in: language) : argument.sentence(in: language)
            }
        }
    }

    func advice(in language: Language) -> String? {
        guard case .coded(let code, let arguments) = self else { return nil }
        return ownAdvice(in: language)
            ?? (code.endsWithCause ? arguments[Self.cause]?.advice(in: language) : nil)
    }

    private func ownAdvice(in language: Language) -> String? {
        guard case .coded(let code, let arguments) = self else { return nil }
        return arguments[Self.advice]?.sentence(in: language) ?? code.advice(with: arguments, in: language)
    }

    private static func joinedText(problem: String, advice: String?, in language: Language) -> String {
        guard let advice else { return problem }
        return language.translation(
            of: localizable("{cause}; {advice}"), values: ["cause": problem, "advice": advice])
    }
}

extension Reason: CustomStringConvertible {
    public var description: String { english }
}

extension Reason.Code {
    fileprivate func sentence(
        with arguments: [String: Reason], in language: Language, _ text: (Reason) -> String
    ) -> String {
        language.translation(of: sentence, values: Self.values(of: arguments, in: language, text))
    }

    fileprivate func advice(with arguments: [String: Reason], in language: Language) -> String? {
        advice.map { advice in
            language.translation(
                of: advice, values: Self.values(of: arguments, in: language) { $0.problem(in: language) })
        }
    }

    private static func values(
        of arguments: [String: Reason], in language: Language, _ text: (Reason) -> String
    ) -> [String: String] {
        var values = arguments.mapValues(text)
        if !language.isEnglish, values[Reason.detail] != nil { values[Reason.detail] = "" }
        return values
    }

    /// Whether the sentence ends with its cause. If so, the advice for the cause is also the advice for the
    /// reason, unless the reason has its own advice.
    fileprivate var endsWithCause: Bool { sentence.description.hasSuffix("{\(Reason.cause)}") }

    /// The names of the arguments that the sentence and the advice contain.
    public var placeholders: Set<String> {
        Self.placeholders(in: sentence).union(advice.map(Self.placeholders) ?? [])
    }

    func acceptsArguments(named names: some Collection<String>) -> Bool {
        placeholders == Set(names).subtracting([Reason.advice])
    }

    private static func placeholders(in text: StaticString) -> Set<String> {
        let pieces = text.description.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
        return Set(pieces.compactMap { piece in piece.firstIndex(of: "}").map { String(piece[..<$0]) } })
    }
}
