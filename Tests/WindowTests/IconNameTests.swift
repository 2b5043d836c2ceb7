import Foundation
import Testing

/// Tests of icon names: for an unknown name, GTK shows the image of a broken icon. Many icons of the GNOME
/// theme are missing in other themes. On Xfce with the theme Tango, GTK finds only its built-in icons and
/// those of the window.
struct IconNameTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Returns the names of the icons that GTK contains on all supported systems.
    private static func builtIn() throws -> Set<String> {
        let list = root.appending(path: "Tests/WindowTests/Resources/gtk-icons.txt")
        let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        return Set(lines.filter { !$0.hasPrefix("#") }.map(String.init))
    }

    private static let icons = root.appending(path: "Sources/Features/Window/Icons")

    /// Returns the names of the icons that are installed with the programs or contained in the window's
    /// resource.
    private static func own() throws -> Set<String> {
        let files = try ["config", "Sources/Features/Window/Icons"].flatMap {
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: $0).path)
        }
        return Set(files.filter { $0.hasSuffix(".svg") }.map { String($0.dropLast(4)) })
    }

    /// The icon in the entry rows of libadwaita. Neither GTK nor libadwaita contains this icon.
    private static let entryRow = "document-edit-symbolic"

    /// Returns the icon names in `text`: words that end in `-symbolic`, and the values of `icon-name`.
    private static func names(in text: String) -> Set<String> {
        let symbolic = text.matches(of: #/[">]([a-zA-Z0-9.-]+-symbolic)["<]/#).map { String($0.1) }
        let set = text.matches(of: #/icon-name">([^<]+)</#).map { String($0.1) }
        return Set(symbolic + set)
    }

    @Test func `Each icon is part of GTK in Debian 12 and 13, or is included in the program`() throws {
        let known = try Self.builtIn().union(Self.own())
        #expect(known.contains(Self.entryRow))
        let sources = Self.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var used: Set<String> = []
        for case let file as URL in files where ["swift", "ui"].contains(file.pathExtension) {
            let names = Self.names(in: try String(contentsOf: file, encoding: .utf8))
            used.formUnion(names)
            #expect(names.subtracting(known).isEmpty, "\(file.lastPathComponent)")
        }
        #expect(used.count > 15)
    }

    @Test func `The compiled resources of the window contain the current version of each icon`() throws {
        let resource = try Data(contentsOf: Self.icons.appending(path: "icons.gresource"))
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.icons.path)
            .filter { $0.hasSuffix(".svg") }
        #expect(files.count >= 2)
        for file in files {
            let icon = try Data(contentsOf: Self.icons.appending(path: file))
            #expect(resource.range(of: icon) != nil, "run: make \(Self.icons.path)/icons.gresource")
            // GTK does not mirror icons, so a separate file for right-to-left text is required.
            #expect(files.contains(file.replacing("symbolic.svg", with: "symbolic-rtl.svg")))
        }
    }

    @Test func `The list of built-in icons excludes icons that only the GNOME theme contains`() throws {
        #expect(try Self.builtIn().isDisjoint(with: ["mail-unread-symbolic", "document-edit-symbolic"]))
        #expect(try Self.builtIn().count > 90)
    }

    @Test func `The check finds icon names in interface files and in code`() {
        let interface =
            #"<property name="icon-name">no-such</property><property name="icon-name">a-symbolic</property>"#
        #expect(Self.names(in: interface) == ["no-such", "a-symbolic"])
        #expect(Self.names(in: #"message("mail-read-symbolic", "x")"#) == ["mail-read-symbolic"])
    }
}
