import CIntl
import Glibc
import Synchronization

/// A language for messages: a locale of the C library of which only LC_MESSAGES is used, so that the format
/// of numbers and dates in output for programs does not depend on the language.
public struct Language: Sendable {
    /// The language that `localized` uses; English by default.
    public static var current: Language { inScope ?? shared.withLock(\.self) }

    public static let english = Language(locale: nil)

    /// Overrides the language for the current task: for tests, and for output that programs read.
    @TaskLocal public static var inScope: Language?

    private static let shared = Mutex(english)

    /// `nil` for English, because the messages in the program are English.
    private let catalogue: Catalogue?

    /// Whether messages are shown untranslated.
    public var isEnglish: Bool { catalogue == nil }

    private init(locale: locale_t?) { catalogue = locale.map(Catalogue.init) }

    /// The translations of one locale. Each message is looked up once, because a lookup in the catalogue
    /// takes longer than the rest of the notification that shows the message.
    private final class Catalogue: Sendable {
        /// The locale is never freed, because another thread may be using it.
        nonisolated(unsafe) let locale: locale_t
        /// The translations found so far, by the address of the string literal. The number of literals in the
        /// program limits the size.
        let found = Mutex<[Literal: String]>([:])

        init(locale: locale_t) { self.locale = locale }
    }

    /// The addresses of the string literals for a message and its context.
    private struct Literal: Hashable {
        let text: UInt
        let context: UInt?

        init(_ text: StaticString, _ context: StaticString?) {
            self.text = UInt(bitPattern: text.utf8Start)
            self.context = context.map { UInt(bitPattern: $0.utf8Start) }
        }
    }

    /// Selects the language by LC_ALL, LC_MESSAGES and LANG; returns `nil` if the system does not have the
    /// locale.
    public init?(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let name = names.first { !$0.isEmpty } ?? "C"
        guard let locale = newlocale(LC_MESSAGES_MASK, name, nil) else { return nil }
        self.init(locale: name == "C" || name == "POSIX" ? nil : locale)
    }
}

// MARK: - The language of the program

extension Language {
    fileprivate static let domain = "cutied"

    /// Changes the language of the program to the language that `environment` selects. Returns `false` and
    /// changes nothing if the system does not have the locale.
    @discardableResult
    public static func updateFromEnvironment(_ environment: [String: String]) -> Bool {
        guard let language = Language(environment: environment) else { return false }
        setPreferences(environment["LANGUAGE"] ?? "")
        shared.withLock { $0 = language }
        return true
    }

    /// Sets the directory of the translations. Call it before any thread starts.
    ///
    /// - Parameter directory: `nil` uses the prefix of the program.
    public static func findCatalogues(in directory: String? = nil) {
        let directory = directory ?? CataloguePlace.directory
        bindtextdomain(domain, directory)
        bind_textdomain_codeset(domain, "UTF-8")
        // GtkBuilder uses the default text domain. If the domain has no translation, GLib also keeps GTK's
        // own messages in English.
        textdomain(domain)
        // Creates the variable now, so that `setPreferences` only overwrites it: otherwise, `setenv` could
        // reallocate the environment while another thread reads it.
        setenv(preferences, "", 0)
    }

    private static let preferences = "LANGUAGE"

    /// Sets the environment variable `LANGUAGE`, from which gettext reads the preferred languages, best
    /// first.
    private static func setPreferences(_ list: String) {
        guard getenv(preferences).map({ String(cString: $0) }) ?? "" != list else { return }
        setenv(preferences, list, 1)
        cintl_forget_found()
    }
}

// MARK: - Translations

extension Language {
    func translation(of text: StaticString, context: StaticString?) -> String {
        guard let catalogue else { return text.description }
        // The literal of a single character has no address.
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
        // The translation of the empty string is the header of the catalogue.
        guard catalogue != nil, !text.isEmpty else { return text }
        let key = Self.key(of: text, in: context)
        return withMessageLocale {
            key.withCString { key in foundTranslation(dgettext(Self.domain, key), for: key) }
        }
            ?? text
    }

    func translation(
        of one: StaticString, _ other: StaticString, count: Int, context: StaticString?
    ) -> String {
        let english = (count == 1 ? one : other).description
        guard catalogue != nil else { return english }
        let key = Self.key(of: one.description, in: context?.description)
        return withMessageLocale {
            key.withCString { key in
                other.description.withCString { other in
                    let number = UInt(count.magnitude)
                    let answer = dcngettext(Self.domain, key, other, number, LC_MESSAGES)
                    return answer == UnsafeMutablePointer(mutating: other)
                        ? nil : foundTranslation(answer, for: key)
                }
            }
        } ?? english
    }

    /// Returns the key of a message with a context, in the format of catalogues.
    private static func key(of text: String, in context: String?) -> String {
        context.map { $0 + "\u{4}" + text } ?? text
    }

    /// Returns the translation; `nil` if gettext returned its argument, which means that there is no
    /// translation.
    private func foundTranslation(_ answer: UnsafeMutablePointer<CChar>?, for key: UnsafePointer<CChar>)
        -> String?
    {
        guard let answer, UnsafePointer(answer) != key else { return nil }
        return String(cString: answer)
    }

    /// Runs `body` with this language as the thread's message locale.
    private func withMessageLocale<Result>(_ body: () -> Result) -> Result {
        let former = uselocale(catalogue?.locale)
        defer { uselocale(former) }
        return body()
    }
}
