import Foundation

/// The compiled message catalogues of this repository, with locales for their languages. gettext requires an
/// installed locale for each language, but checks only its name.
public final class LocaleFixture: Sendable {
    private let directory: TemporaryDirectory
    private static let names = [
        "ar": "ar_EG.UTF-8", "de": "de_DE.UTF-8", "es": "es_ES.UTF-8", "fr": "fr_FR.UTF-8",
        "ja": "ja_JP.UTF-8",
    ]

    public init() throws {
        directory = try TemporaryDirectory()
        let files = FileManager.default
        let locales = directory.file("locales")
        try files.createDirectory(atPath: locales, withIntermediateDirectories: true)
        for (language, name) in Self.names {
            try files.createSymbolicLink(
                atPath: locales + "/" + name, withDestinationPath: "/usr/lib/locale/C.utf8")
            let place = directory.file("catalogues") + "/\(language)/LC_MESSAGES"
            try files.createDirectory(atPath: place, withIntermediateDirectories: true)
            let compiler = Process()
            compiler.executableURL = URL(filePath: "/usr/bin/msgfmt")
            compiler.arguments = ["-o", place + "/cutied.mo", Self.source(of: language)]
            try compiler.run()
            compiler.waitUntilExit()
            guard compiler.terminationStatus == 0 else { throw Broken(language: language) }
        }
    }

    /// Returns the environment variables of a program whose user reads `language`.
    public func environment(of language: String) -> [String: String] {
        [
            "CUTIED_LOCALE_DIR": directory.file("catalogues"), "LC_ALL": name(of: language),
            "LOCPATH": directory.file("locales"),
        ]
    }

    public func name(of language: String) -> String { Self.names[language] ?? "C" }

    private static func source(of language: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../po/\(language).po")
            .standardizedFileURL.path
    }

    struct Broken: Error { let language: String }
}
