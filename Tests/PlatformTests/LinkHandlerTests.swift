import Foundation
import Platform
import TestSupport
import Testing

struct LinkHandlerTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var environment: [String: String] {
        [
            "HOME": directory.path, "XDG_CONFIG_DIRS": directory.file("etc"),
            "XDG_DATA_DIRS": directory.file("share"), "XDG_CURRENT_DESKTOP": "GNOME:ubuntu",
        ]
    }

    private func write(_ text: String, to path: String) throws {
        let file = URL(filePath: directory.file(path))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func install(_ id: String, _ name: String, in folder: String = "share") throws {
        try write(
            "# c\n[Other]\nName=No\n[Desktop Entry]\nName = \(name)\nExec=x\n",
            to: "\(folder)/applications/\(id)")
    }

    private var found: LinkHandler? { LinkHandler.find(forScheme: "cutie", environment: environment) }

    @Test func `No link handler is found if no program is installed`() {
        #expect(found == nil)
    }

    /// The window must not be a link handler, because only `cutied open` reports opened links to the daemon.
    @Test func `Only the desktop entry of the command-line program is registered as a handler for links`()
        throws
    {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(atPath: root.path + "/config")
            .filter { $0.hasSuffix(".desktop") }
        let handlers = try files.filter { file in
            try String(contentsOf: root.appending(path: "config/" + file), encoding: .utf8)
                .split(separator: "\n")
                .contains { $0.hasPrefix("MimeType=") && $0.contains("x-scheme-handler/cutie;") }
        }
        #expect(handlers == ["io.cutied.Cutied.desktop"])
        #expect(handlers.allSatisfy { Product.includes(desktopFile: $0) })
    }

    @Test func `An installed program is found through the MIME cache`() throws {
        try install("feedback.desktop", "Feedback")
        try write(
            "[MIME Cache]\nx-scheme-handler/cutie=gone.desktop;feedback.desktop;\n",
            to: "share/applications/mimeinfo.cache")
        #expect(found?.id == "feedback.desktop" && found?.name == "Feedback")
    }

    @Test
    func `A desktop-specific default handler has the highest priority, then the user's, then the system's`()
        throws
    {
        for id in ["a", "b", "c"] { try install(id + ".desktop", id) }
        try write("[Default Applications]\nx-scheme-handler/cutie=a.desktop\n", to: "etc/mimeapps.list")
        #expect(found?.name == "a")
        try write("[Default Applications]\nx-scheme-handler/cutie=b.desktop\n", to: ".config/mimeapps.list")
        #expect(found?.name == "b")
        try write(
            "[Added Associations]\nx-scheme-handler/cutie=a.desktop\n[Default Applications]\r\n"
                + "x-scheme-handler/cutie=none.desktop;c.desktop;\r\n",
            to: ".config/gnome-mimeapps.list")
        #expect(found?.name == "c")
    }

    @Test func `A desktop entry that is hidden or is given as a path is not used as the link handler`() throws
    {
        try install("a.desktop", "A")
        try write("[Desktop Entry]\nHidden=true\n", to: ".local/share/applications/a.desktop")
        try write(
            "[Default Applications]\nx-scheme-handler/cutie=a.desktop;../../b.desktop\n",
            to: ".config/mimeapps.list")
        try install("../b.desktop", "B")
        #expect(found == nil)
    }
}
