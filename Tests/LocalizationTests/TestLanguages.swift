import Foundation
import Glibc
import Localization
import TestSupport

/// Languages of this repository's catalogues, for a process of their own: what gettext looks at belongs to the whole
/// process.
struct TestLanguages {
    private let locales: LocaleFixture

    /// Call this in a process of an exit test, first of all.
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
