import Foundation
import Glibc
import Localization
import TestSupport

/// The message catalogues of this repository. Each test that uses them needs a separate process, because the
/// state of gettext is global.
struct TestLanguages {
    private let locales: LocaleFixture

    /// Runs `body` with the catalogues. Call this function in an exit test, before any other use of gettext.
    static func with(_ body: (TestLanguages) throws -> Void) throws {
        let locales = try LocaleFixture()
        for (name, value) in locales.environment(of: "de") where name != "LC_ALL" { setenv(name, value, 1) }
        Language.useCatalogues()
        try body(TestLanguages(locales: locales))
        withExtendedLifetime(locales) {}
    }

    func callAsFunction(_ language: String) throws -> Language {
        let name = locales.name(of: language)
        guard let language = Language(environment: ["LANG": name]) else { throw NoLocale(name: name) }
        return language
    }

    struct NoLocale: Error { let name: String }
}
