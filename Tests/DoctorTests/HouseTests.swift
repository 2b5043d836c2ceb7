import Foundation
import Testing

/// Checks that the documents and the Makefile are consistent with `Package.swift` and with each other.
struct HouseTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    @Test func `The architecture page lists every target, and CONTRIBUTING links to the architecture page`()
        throws
    {
        let manifest = try text("Package.swift")
        let sources = try #require(manifest.components(separatedBy: "let tests: [Target]").first)
        let pattern =
            /\.(?:module|program)\(\s*"([\w-]+)"|\bname: "([\w-]+)", (?:dependencies|pkgConfig)|\bname: "(\w+)"\)/
        let sandbox = try text("Sandbox/Package.swift").matches(
            of: /\.(?:target|executableTarget)\(\s*name: "([\w-]+)"/)
        let targets = Set(
            sources.matches(of: pattern).map { String($0.1 ?? $0.2 ?? $0.3 ?? "") }
        ).union(sandbox.map { String($0.1) }).subtracting(["ArgumentParser"])
        #expect(targets.count > 50 && sandbox.count == 2)
        let words = Set(
            try text("Documentation/architecture.md").split { !($0.isLetter || $0.isNumber || $0 == "-") }
                .map(String.init))
        #expect(targets.subtracting(words) == [])
        #expect(try text("CONTRIBUTING.md").contains("(Documentation/architecture.md)"))
    }

    /// Desktops find an icon only in a folder that the icon theme lists.
    @Test func `Each icon is installed in a folder of the icon theme`() throws {
        let theme = try String(contentsOfFile: "/usr/share/icons/hicolor/index.theme", encoding: .utf8)
        let folders = try text("Makefile").matches(of: /=\$\(icons\)\/(\w+\/\w+)\//).map { String($0.1) }
        #expect(folders.count >= 5)
        for folder in Set(folders) { #expect(theme.contains("\n[\(folder)]\n"), "\(folder)") }
    }

    /// Every app that uses the library must download all dependencies of the package, so unused dependencies
    /// are costly.
    @Test func `The package depends only on the argument parser and the logging library`() throws {
        let dependencies = try text("Package.swift").matches(of: /\.package\(\s*(?:name|url|path): "([^"]+)"/)
        #expect(
            dependencies.map { String($0.1) } == [
                "https://github.com/apple/swift-argument-parser", "https://github.com/apple/swift-log",
            ])
    }

    @Test(arguments: ["demo", "deb", "deb-check", "bench", "units", "recording", "install"])
    func `Make does not build the programs if CUTIED_PRODUCTS is set`(target: String) throws {
        let commands = try plan(target, "CUTIED_PRODUCTS=/elsewhere")
        #expect(!commands.contains("build -c release"), "\(commands)")
    }

    @Test(arguments: ["demo", "deb", "deb-check"])
    func `Make builds the programs if CUTIED_PRODUCTS is not set`(target: String) throws {
        #expect(try plan(target).contains("build -c release"))
    }

    /// Returns the commands that `make` would run with `arguments`.
    private func plan(_ arguments: String...) throws -> String {
        let make = Process()
        make.executableURL = URL(filePath: "/usr/bin/make")
        make.arguments = ["--dry-run", "--directory", Self.root.path] + arguments
        make.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
        let output = Pipe()
        make.standardOutput = output
        try make.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        make.waitUntilExit()
        #expect(make.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self)
    }
}
