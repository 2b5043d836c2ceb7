import ArgumentParser
import Control
import Foundation
import Testing

/// Tests that the documentation, the status bar examples and the messages of the programs mention only
/// commands that exist.
struct MentionTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]

    /// Returns the paths of all text files below `directories`.
    private static func files(below directories: [String]) -> [String] {
        directories.flatMap { directory in
            let place = root.appending(path: directory).resolvingSymlinksInPath().path
            let paths = FileManager.default.enumerator(atPath: place)?.allObjects as? [String] ?? []
            return paths.map { "\(directory)/\($0)" }
        }
    }

    /// Returns the content of a file, or an empty string if the file is not text.
    private static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }

    @Test func `Every ctl command mentioned in the documentation exists and accepts the mentioned options`()
        throws
    {
        let named = /cutied (?:help )?ctl (?<words>[a-z](?:\d+:\d+|[A-Za-z0-9 _-])*)/
        var found = 0
        for path in Self.documents + Self.files(below: ["config", "systemd", "Sources"]) {
            for mention in Self.text(path).matches(of: named) {
                let words = mention.output.words.split(separator: " ").map(String.init)
                #expect(Self.isUnderstood(words), "\(path): \(mention.output.0)")
                found += 1
            }
        }
        #expect(found > 100)
    }

    /// Returns whether the parser accepts the command `words`. The arguments may be missing, because
    /// sentences often mention a command without its arguments.
    private static func isUnderstood(_ words: [String]) -> Bool {
        [[], ["something"], ["something", "else"], ["--category", "bug", "something"]].contains { unsaid in
            (try? CtlCommand.parseAsRoot(words + unsaid)) != nil
        }
    }

    @Test func `Every make target in the documentation exists`() throws {
        let makefile = Self.text("Makefile")
        let list = try #require(makefile.firstMatch(of: /\.PHONY: (?<names>(?:.*\\\n)*.*)/)?.output.names)
        let targets = Set(list.split { $0.isWhitespace || $0 == "\\" }.map(String.init))
        #expect(targets.count > 10)
        let named = /(?:`|^ {4}|sudo )make (?<target>[a-z-]+)/.anchorsMatchLineEndings()
        for path in Self.documents {
            let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            for mention in text.matches(of: named) {
                #expect(targets.contains(String(mention.output.target)), "\(path): \(mention.output.0)")
            }
        }
    }

    @Test func `Each source file and function that architecture.md names exists`() throws {
        let document = Self.text("Documentation/architecture.md")
        let sources = Self.files(below: ["Sources"]).filter { $0.hasSuffix(".swift") } + ["/Package.swift"]
        var found = 0
        let named = /`(?<file>[A-Za-z+\/]+\.swift)`(?:: `(?<function>\w+)`)?/
        for mention in document.matches(of: named) {
            let files = sources.filter { $0.hasSuffix("/" + mention.output.file) }
            #expect(!files.isEmpty, "\(mention.output.0)")
            guard let function = mention.output.function else { continue }
            let declaration = try Regex("(func|var) \(function)\\b")
            #expect(files.contains { Self.text($0).contains(declaration) }, "\(mention.output.0)")
            found += 1
        }
        #expect(found >= 15)
    }
}
