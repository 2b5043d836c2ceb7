import CIntl
import Glibc
import Synchronization

/// The language of messages: a locale of the C library. Only its category LC_MESSAGES is used, because the
/// format of numbers and dates in output for other programs must not depend on the language.
public struct Language: Sendable {
    /// The language that `localized` uses; English by default.
    public static var current: Language { inScope ?? shared.withLock(\.self) }

    public static let english = Language(locale: nil)

    /// The language of the current task, which overrides the program's language. The override is used in
    /// tests, and for output that other programs read.
    @TaskLocal public static var inScope: Language?

    private static let shared = Mutex(english)

    /// The translations; `nil` for English, because the messages in the source code are English.
    private let catalogue: Catalogue?

    /// Whether messages are shown untranslated.
    public var isEnglish: Bool { catalogue == nil }

    private init(locale: locale_t?) { catalogue = locale.map(Catalogue.init) }

    /// The translations of one locale. Each message is looked up only once, because a lookup takes longer
    /// than all other work for a notification.
    private final class Catalogue: Sendable {
        /// The locale of the translations. Another thread may be using the locale, so it is never freed.
        nonisolated(unsafe) let locale: locale_t
        /// The cache of translations, by the address of the string literal. The cache is limited by the
        /// number of literals in the program.
        let found = Mutex<[Literal: String]>([:])

        init(locale: locale_t) { self.locale = locale }
    }

    /// The largest count whose plural forms are cached.
    private static let maxCount = 20

    /// The addresses of the string literals for a message and its context.
    private struct Literal: Hashable {
        let text: UInt
        let context: UInt?
        /// The count that selects the plural form; `nil` for a message without a count.
        let count: Int?

        init(_ text: StaticString, _ context: StaticString?, count: Int? = nil) {
            self.text = UInt(bitPattern: text.utf8Start)
            self.context = context.map { UInt(bitPattern: $0.utf8Start) }
            self.count = count
        }
    }

    /// Creates the language that LC_ALL, LC_MESSAGES and LANG select; `nil` if the locale is not installed on
    /// the system.
    public init?(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }
        let name = names.first { !$0.isEmpty } ?? "C"
        guard let locale = newlocale(LC_MESSAGES_MASK, name, nil) else { return nil }
        self.init(locale: name == "C" || name == "POSIX" ? nil : locale)
    }
}

// MARK: - The language of the program

extension Language {
    private static let domain = "cutied"

    /// Changes the program's language to the language that `environment` selects. Returns `false` without a
    /// change if the locale is not installed on the system.
    @discardableResult
    public static func updateCurrent(from environment: [String: String]) -> Bool {
        guard let language = Language(environment: environment) else { return false }
        setPreferredLanguages(environment["LANGUAGE"] ?? "")
        shared.withLock { $0 = language }
        return true
    }

    /// Sets the directory of the translations. Must be called before the program starts any thread.
    ///
    /// - Parameter directory: `nil` for `CatalogueLocation.directory`.
    public static func useCatalogues(in directory: String? = nil) {
        let directory = directory ?? CatalogueLocation.directory
        bindtextdomain(domain, directory)
        bind_textdomain_codeset(domain, "UTF-8")
        // Set the default text domain, which GtkBuilder uses. If the domain has no translation for the
        // language, GLib shows GTK's messages in English too, so that the window is not in two languages.
        textdomain(domain)
        // Create the variable while the program has only one thread, so that `setPreferredLanguages` later
        // overwrites it in place. Otherwise, `setenv` could reallocate the environment while another thread
        // reads it.
        setenv(preferences, "", 0)
    }

    private static let preferences = "LANGUAGE"

    /// Sets the environment variable `LANGUAGE`, which contains the preferred languages for gettext, best
    /// first.
    private static func setPreferredLanguages(_ list: String) {
        guard getenv(preferences).map({ String(cString: $0) }) ?? "" != list else { return }
        setenv(preferences, list, 1)
        cintl_clear_cache()
    }
}

// MARK: - Translations

extension Language {
    func translation(of text: StaticString, context: StaticString?) -> String {
        guard let catalogue else { return text.description }
        // A `StaticString` with a single character may be stored without a pointer, so its address cannot be
        // the cache key.
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
        // Do not look up the empty string, because gettext returns the header of the catalogue for the empty
        // string.
        guard catalogue != nil, !text.isEmpty else { return text }
        let key = Self.catalogueKey(for: text, context: context)
        return withMessageLocale {
            key.withCString { key in string(fromGettextResult: dgettext(Self.domain, key), key: key) }
        }
            ?? text
    }

    func translation(
        one: StaticString, other: StaticString, count: Int, context: StaticString?
    ) -> String {
        guard let catalogue else { return (count == 1 ? one : other).description }
        guard one.hasPointerRepresentation, (0...Self.maxCount).contains(count) else {
            return findTranslation(one: one, other: other, count: count, context: context)
        }
        let literal = Literal(one, context, count: count)
        if let known = catalogue.found.withLock({ $0[literal] }) { return known }
        let translation = findTranslation(one: one, other: other, count: count, context: context)
        catalogue.found.withLock { $0[literal] = translation }
        return translation
    }

    private func findTranslation(
        one: StaticString, other: StaticString, count: Int, context: StaticString?
    ) -> String {
        let key = Self.catalogueKey(for: one.description, context: context?.description)
        return withMessageLocale {
            key.withCString { key in
                other.description.withCString { other in
                    let number = UInt(count.magnitude)
                    let answer = dcngettext(Self.domain, key, other, number, LC_MESSAGES)
                    return answer == UnsafeMutablePointer(mutating: other)
                        ? nil : string(fromGettextResult: answer, key: key)
                }
            }
        } ?? (count == 1 ? one : other).description
    }

    /// Returns the catalogue's key for a message with a context.
    private static func catalogueKey(for text: String, context: String?) -> String {
        context.map { $0 + "\u{4}" + text } ?? text
    }

    /// Returns the result of gettext as a string; `nil` if the catalogue has no translation: gettext then
    /// returns the key itself.
    private func string(fromGettextResult answer: UnsafeMutablePointer<CChar>?, key: UnsafePointer<CChar>)
        -> String?
    {
        guard let answer, UnsafePointer(answer) != key else { return nil }
        return String(cString: answer)
    }

    /// Runs `body` while this language is the locale of the current thread.
    private func withMessageLocale<Result>(_ body: () -> Result) -> Result {
        let former = uselocale(catalogue?.locale)
        defer { uselocale(former) }
        return body()
    }
}

// MARK: - Localized strings

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
    Language.current.translation(one: one, other: other, count: count, context: context)
        .filled(with: [("count", String(count))] + values.map { ($0, $1) })
}

extension Language {
    /// Returns `text` translated into this language; the English `text` if there is no translation. `values`
    /// replace the placeholders `{name}`.
    package func translation(of text: StaticString, values: [String: String]) -> String {
        translation(of: text, context: nil).filled(with: values.map { ($0.key, $0.value) })
    }
}

/// Marks an English string for extraction into the catalogues. The caller translates the string later.
public func localizable(_ text: StaticString) -> StaticString { text }

extension String {
    /// Returns the string with each `{name}` replaced by its value. Placeholders inside values are not
    /// replaced.
    func filled(with values: [(name: String, value: String)]) -> String {
        guard !values.isEmpty, utf8.contains(UInt8(ascii: "{")) else { return self }
        var text = self
        // Search bytes instead of characters, because finding character boundaries would dominate the run
        // time.
        return text.withUTF8 { Self.filled($0, with: values, addsBidiIsolates: hasRightToLeftLetters) }
    }

    private static func filled(
        _ bytes: UnsafeBufferPointer<UInt8>, with values: [(name: String, value: String)],
        addsBidiIsolates: Bool
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
                if addsBidiIsolates { filled += "\u{2068}".utf8 }
                filled += value.utf8
                if addsBidiIsolates { filled += "\u{2069}".utf8 }
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
