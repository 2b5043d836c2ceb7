import CIntl
import Glibc
import Synchronization

/// The language that texts are in. A locale of the C library of which messages are used and nothing else:
/// numbers and dates that machines read stay as they are.
public struct Language: Sendable {
    /// Which `localized` uses; English until somebody says another one.
    public static var current: Language { inScope ?? shared.withLock(\.self) }

    public static let english = Language(locale: nil)

    /// For the texts of one call, whatever the person's language is: for tests, and for what is written for
    /// machines.
    @TaskLocal public static var inScope: Language?

    private static let shared = Mutex(english)

    /// nil: what the program itself says.
    private let catalogue: Catalogue?

    /// What a program says without any catalogue.
    public var isEnglish: Bool { catalogue == nil }

    private init(locale: locale_t?) { catalogue = locale.map(Catalogue.init) }

    /// The texts of one locale, each looked up once: a look-up costs more than the pop-up that it is for.
    private final class Catalogue: Sendable {
        /// Never freed: a thread may be using it.
        nonisolated(unsafe) let locale: locale_t
        /// By the places of the texts in the program, which are as many as it has.
        let found = Mutex<[Literal: String]>([:])

        init(locale: locale_t) { self.locale = locale }
    }

    /// Where a text and its context stand in the program.
    private struct Literal: Hashable {
        let text: UInt
        let context: UInt?

        init(_ text: StaticString, _ context: StaticString?) {
            self.text = UInt(bitPattern: text.utf8Start)
            self.context = context.map { UInt(bitPattern: $0.utf8Start) }
        }
    }

    /// The language of `environment`: LC_ALL, LC_MESSAGES, LANG. nil for a locale that this system does not have.
    public init?(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let name = names.first { !$0.isEmpty } ?? "C"
        guard let locale = newlocale(LC_MESSAGES_MASK, name, nil) else { return nil }
        self.init(locale: name == "C" || name == "POSIX" ? nil : locale)
    }
}

// MARK: - The program's

extension Language {
    fileprivate static let domain = "cutied"

    /// Has the texts of this program be in the language of `environment` from now on, also in place of one that
    /// was known before. False where the system does not have it: they stay as they are.
    @discardableResult
    public static func follow(_ environment: [String: String]) -> Bool {
        guard let language = Language(environment: environment) else { return false }
        setPreferences(environment["LANGUAGE"] ?? "")
        shared.withLock { $0 = language }
        return true
    }

    /// Says where the translations are: before any thread starts. `directory`: nil, where this program is
    /// installed.
    public static func findCatalogues(in directory: String? = nil) {
        let directory = directory ?? CataloguePlace.directory
        bindtextdomain(domain, directory)
        bind_textdomain_codeset(domain, "UTF-8")
        // For GtkBuilder, which names none. GLib then leaves GTK's own texts in English where we have no translation.
        textdomain(domain)
        // `setPreferences` then finds the variable, and replaces it in its place: it moves nothing under a thread
        // that reads the environment.
        setenv(preferences, "", 0)
    }

    private static let preferences = "LANGUAGE"

    /// A list of languages, the best first: gettext itself reads it from the environment.
    private static func setPreferences(_ list: String) {
        guard getenv(preferences).map({ String(cString: $0) }) ?? "" != list else { return }
        setenv(preferences, list, 1)
        cintl_forget_found()
    }
}

// MARK: - Texts

extension Language {
    func translation(of text: StaticString, context: StaticString?) -> String {
        guard let catalogue else { return text.description }
        // A single letter has no place.
        guard text.hasPointerRepresentation else {
            return translation(of: text.description, context: context?.description)
        }
        let literal = Literal(text, context)
        if let known = catalogue.found.withLock({ $0[literal] }) { return known }
        let translation = translation(of: text.description, context: context?.description)
        catalogue.found.withLock { $0[literal] = translation }
        return translation
    }

    func translation(of text: String, context: String? = nil) -> String {
        // The translation of the empty text is the head of the catalogue.
        guard catalogue != nil, !text.isEmpty else { return text }
        let key = Self.key(of: text, in: context)
        return inForce { key.withCString { key in found(dgettext(Self.domain, key), for: key) } } ?? text
    }

    func translation(
        of one: StaticString, _ other: StaticString, count: Int, context: StaticString?
    ) -> String {
        let english = (count == 1 ? one : other).description
        guard catalogue != nil else { return english }
        let key = Self.key(of: one.description, in: context?.description)
        return inForce {
            key.withCString { key in
                other.description.withCString { other in
                    let number = UInt(count.magnitude)
                    let answer = dcngettext(Self.domain, key, other, number, LC_MESSAGES)
                    return answer == UnsafeMutablePointer(mutating: other) ? nil : found(answer, for: key)
                }
            }
        } ?? english
    }

    /// As catalogues name a text that has a context.
    private static func key(of text: String, in context: String?) -> String {
        context.map { $0 + "\u{4}" + text } ?? text
    }

    /// nil where gettext gave back what it was asked for.
    private func found(_ answer: UnsafeMutablePointer<CChar>?, for key: UnsafePointer<CChar>) -> String? {
        guard let answer, UnsafePointer(answer) != key else { return nil }
        return String(cString: answer)
    }

    /// Runs `body` while this thread's messages are in this language.
    private func inForce<Result>(_ body: () -> Result) -> Result {
        let former = uselocale(catalogue?.locale)
        defer { uselocale(former) }
        return body()
    }
}
