import Config
import CutieAPI
import Foundation
import Setup
import TestSupport
import Testing

struct ConfigurationFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("config/cutied/config.yaml")
    }

    private var file: ConfigurationFile { ConfigurationFile(path: path) }

    private func change(_ key: String, _ value: ConfigurationValue?) throws -> [ConfigurationChange] {
        [ConfigurationChange(try #require(ConfigurationKey(key)), value)]
    }

    private func write(_ text: String, to name: String = "config/cutied/config.yaml", mode: Int = 0o600)
        throws
    {
        let url = directory.url.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    private func text(_ name: String = "config/cutied/config.yaml") throws -> String {
        try String(contentsOfFile: directory.file(name), encoding: .utf8)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `A new configuration file has mode 0600`() throws {
        try file.apply(change("notifications.preview", .text("count")))
        #expect(try text().hasSuffix("notifications:\n  preview: count\n"))
        #expect(try mode(path) == 0o600)
    }

    @Test(arguments: [0o644, 0o600, 0o444])
    func `A change to a configuration file preserves the mode and the other lines`(mode: Int) throws {
        try write("# mine\napp_id: a # b\n", mode: mode)
        try file.apply(change("user_name", .text("Anna")))
        #expect(try text() == "# mine\napp_id: a # b\nuser_name: Anna\n")
        #expect(try self.mode(path) == mode)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.file("config/cutied")).count == 1)
    }

    @Test func `A symbolic link to a configuration file in another directory is preserved`() throws {
        try write("app_id: a\n", to: "dotfiles/cutied.yaml", mode: 0o640)
        try write("", to: "config/cutied/other")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "../../dotfiles/cutied.yaml")
        try file.apply(change("user_name", .text("Anna")))
        #expect(try text("dotfiles/cutied.yaml") == "app_id: a\nuser_name: Anna\n")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: path) == "../../dotfiles/cutied.yaml")
        #expect(try mode(directory.file("dotfiles/cutied.yaml")) == 0o640)
    }

    @Test func `Writing through a symbolic link to a missing configuration file creates the linked file`()
        throws
    {
        try write("", to: "dotfiles/other")
        try write("", to: "config/cutied/other")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: directory.file("dotfiles/cutied.yaml"))
        try file.setAppID("app_1", apiAddress: nil)
        #expect(try text("dotfiles/cutied.yaml").hasSuffix("app_id: app_1\n"))
        #expect(throws: Never.self) { try FileManager.default.destinationOfSymbolicLink(atPath: path) }
    }

    @Test func `A configuration directory that is a symbolic link is followed`() throws {
        try write("app_id: a\n", to: "dotfiles/cutied/config.yaml")
        try write("", to: "config/other")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("config/cutied"), withDestinationPath: directory.file("dotfiles/cutied"))
        try file.apply(change("user_name", .text("Anna")))
        #expect(try text("dotfiles/cutied/config.yaml") == "app_id: a\nuser_name: Anna\n")
    }

    @Test func `A new user configuration begins as a copy of the system-wide file`() throws {
        try write("# ours\napp_id: house\nsecrets: file\n", to: "machine.yaml", mode: 0o644)
        let file = ConfigurationFile(path: path, fallback: directory.file("machine.yaml"))
        try file.apply(change("user_name", .text("Anna")))
        #expect(try text() == "# ours\napp_id: house\nuser_name: Anna\nsecrets: file\n")
        #expect(try text("machine.yaml") == "# ours\napp_id: house\nsecrets: file\n")
        #expect(try mode(path) == 0o600)
    }

    @Test(arguments: ["app_id: [\n", "app_id: a\nnotifications: {sound: true}\n", "nothing: 1\n"])
    func `A file that cannot be changed safely is unchanged, and the error contains the line`(
        before: String
    ) throws {
        try write(before)
        let failure = #expect(throws: SetupFailure.self) {
            try file.apply(change("notifications.preview", .text("count")))
        }
        guard case .refused(let error)? = failure else { throw UnexpectedError() }
        #expect(error.file == path && error.line != nil)
        #expect(try text() == before)
    }

    @Test func `The error for a rejected value contains the key`() throws {
        try write("app_id: a\n")
        let failure = #expect(throws: SetupFailure.self) {
            try file.apply(change("notifications.max_popups", .number(0)))
        }
        guard case .refused(let error)? = failure else { throw UnexpectedError() }
        #expect(error.key == "notifications.max_popups")
        #expect(try text() == "app_id: a\n")
    }

    @Test func `A file that is not a configuration is left unchanged`() throws {
        try write(String(repeating: "#", count: Configuration.sizeLimit + 1))
        #expect(throws: SetupFailure.noConfigFile(path)) { try file.apply(change("user_name", nil)) }
        try Data([0xFF, 0xFE]).write(to: URL(filePath: path))
        #expect(throws: SetupFailure.noConfigFile(path)) { try file.apply(change("user_name", nil)) }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(throws: SetupFailure.self) { try file.apply(change("user_name", nil)) }
    }

    @Test func `A change of the configuration file can be undone byte for byte`() throws {
        try write("app_id: a \r\n# x", mode: 0o644)
        let change = try file.apply(change("user_name", .text("Anna")))
        #expect(try text() != "app_id: a \r\n# x")
        try change.undo()
        #expect(try text() == "app_id: a \r\n# x")
        #expect(try mode(path) == 0o644)
    }

    @Test func `Undoing the creation of a configuration file deletes the file`() throws {
        let change = try file.setAppID("app_1", apiAddress: .hostedSandbox)
        #expect(FileManager.default.fileExists(atPath: path))
        try change.undo()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `Accounts that are added one after the other can be read back`() throws {
        let other = try SetupEntry.parseAddress("https://help.example.org")
        _ = try file.addAccount(.staff, apiAddress: .production)
        _ = try file.addAccount(.device(appID: "app_1"), apiAddress: .production)
        _ = try file.addAccount(.device(appID: "app_2"), apiAddress: other, avoidingNames: ["app-2"])
        _ = try file.addAccount(.staff, apiAddress: other)
        let accounts = try file.readConfiguration().accounts
        #expect(Set(accounts.map(\.name)) == ["default", "app", "app-3", "staff"])
        let byName = Dictionary(uniqueKeysWithValues: accounts.map { ($0.name, $0) })
        #expect(byName["default"]?.kind == .staff && byName["staff"]?.kind == .staff)
        #expect(byName["app"]?.appID == "app_1" && byName["app"]?.apiURL == .production)
        #expect(byName["app-3"]?.appID == "app_2" && byName["app-3"]?.apiURL == other)
        #expect(byName["staff"]?.apiURL == other)
    }

    @Test func `A new account is added beside the top-level account, whose lines are unchanged`() throws {
        try write("# mine\napp_id: app_1\nuser_name: Anna\n")
        let change = try #require(try file.addAccount(.staff, apiAddress: .hostedSandbox))
        #expect(try text().hasPrefix("# mine\napp_id: app_1\nuser_name: Anna\n"))
        #expect(try Set(file.readConfiguration().accounts.map(\.name)) == ["default", "staff"])
        try change.undo()
        #expect(try text() == "# mine\napp_id: app_1\nuser_name: Anna\n")
    }

    @Test func `An existing account is not added twice`() throws {
        try file.setAppID("app_1", apiAddress: nil)
        let before = try text()
        #expect(try file.addAccount(.device(appID: "app_1"), apiAddress: .production) == nil)
        #expect(try text() == before)
        #expect(try file.addAccount(.device(appID: "app_1"), apiAddress: .hostedSandbox) != nil)
        #expect(try file.addAccount(.staff, apiAddress: .production) != nil)
        #expect(try file.addAccount(.staff, apiAddress: .production) == nil)
    }

    @Test func `Undoing a change preserves later changes by another program`() throws {
        try write("app_id: a\n")
        let change = try file.apply(change("user_name", .text("Anna")))
        try write("app_id: b\n")
        try change.undo()
        #expect(try text() == "app_id: b\n")
    }
}

struct UnexpectedError: Error {}
