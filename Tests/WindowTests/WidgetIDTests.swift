import Foundation
import Testing

/// Tests of the object IDs in the code of the window. An unknown ID terminates the program.
///
/// The tests check only IDs that are written as `interface["id"]`. IDs in lists are used when a page is
/// created or shown, and the end-to-end tests open each page.
struct WidgetIDTests {
    private static let window = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Features/Window").standardizedFileURL

    /// Returns the contents of the window's files with this extension. The keys are the file names without
    /// the extension.
    private static func files(_ pathExtension: String) throws -> [String: String] {
        let all = try #require(FileManager.default.enumerator(at: window, includingPropertiesForKeys: nil))
        var texts: [String: String] = [:]
        for case let file as URL in all where file.pathExtension == pathExtension {
            texts[file.deletingPathExtension().lastPathComponent] = try String(
                contentsOf: file, encoding: .utf8)
        }
        return texts
    }

    /// Returns the IDs that a `.ui` file defines.
    private static func definedIDs(in interface: String) -> Set<String> {
        Set(interface.matches(of: #/<\w+\s[^>]*\bid="([^"]+)"/#).map { String($0.1) })
    }

    /// Returns the IDs that Swift code looks up.
    private static func usedIDs(in code: String) -> Set<String> {
        Set(code.matches(of: #/(?:interface|_ui\))\["([^"]+)"\]/#).map { String($0.1) })
    }

    /// Returns the names of the `.ui` files that Swift code loads, without their extension. In
    /// `PackageResources`, `-` is replaced by `_`.
    private static func loadedFiles(in code: String) -> Set<String> {
        Set(code.matches(of: #/PackageResources\.(\w+)_ui\b/#).map { String($0.1) })
    }

    @Test func `Each widget that a type looks up is defined in a .ui file that the type loads`() throws {
        let interfaces = Dictionary(
            uniqueKeysWithValues: try Self.files("ui").map {
                ($0.replacing("-", with: "_"), Self.definedIDs(in: $1))
            })
        let code = try Self.files("swift")
        var count = 0
        for (name, text) in code {
            let used = Self.usedIDs(in: text)
            guard !used.isEmpty else { continue }
            // An extension such as InboxWindow+Pages.swift uses the template that InboxWindow.swift loads.
            let type = String(name.prefix { $0 != "+" })
            let loaded = Self.loadedFiles(in: text + (code[type] ?? ""))
            let defined = loaded.reduce(into: Set()) { $0.formUnion(interfaces[$1] ?? []) }
            #expect(used.subtracting(defined).isEmpty, "\(name).swift, which loads \(loaded.sorted())")
            count += used.count
        }
        #expect(count > 200)
    }

    @Test func `The check finds widget IDs in interface files and in code`() {
        let interface = """
            <menu id="menu"/><section id="pages"/><object class="GtkBox" id="box">
                <property name="id">no</property>
            </object>
            """
        #expect(Self.definedIDs(in: interface) == ["menu", "pages", "box"])
        let code = """
            (a, b) = (interface["a"], interface["b-c"])
            WidgetTemplate(PackageResources.code_ui)["d"]
            """
        #expect(Self.usedIDs(in: code) == ["a", "b-c", "d"])
        #expect(Self.loadedFiles(in: code) == ["code"])
    }
}
