import Foundation
import Glibc
import Localization
import TestSupport

/// Languages of this repository's catalogues, for a process of their own: what gettext looks at belongs to the whole
/// process.
struct TestLanguages {
    private let locales: LocaleFixture

    /// Call this in a process of an exit test, first of all.
    init() throws {
        locales = try LocaleFixture()
        for (name, value) in locales.environment(of: "de") where name != "LANG" { setenv(name, value, 1) }
        Language.findCatalogues()
    }

    func callAsFunction(_ language: String) throws -> Language {
        let name = locales.name(of: language)
        guard let language = Language(environment: ["LANG": name]) else { throw NoLocale(name: name) }
        return language
    }

    struct NoLocale: Error { let name: String }
}
