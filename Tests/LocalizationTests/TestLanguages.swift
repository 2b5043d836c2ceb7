import Foundation
import Glibc
import Localization
import TestSupport

/// The languages of this repository's message catalogues. gettext's state is global to the process, so each
/// use needs its own process.
struct TestLanguages {
    private let locales: LocaleFixture

    /// Runs `body`. In an exit test, this must be the first use of gettext.
    static func with(_ body: (TestLanguages) throws -> Void) throws {
        let locales = try LocaleFixture()
        for (name, value) in locales.environment(of: "de") where name != "LC_ALL" { setenv(name, value, 1) }
        Language.findCatalogues()
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
