import Foundation
import Setup
import TestSupport
import Testing

@testable import Control

struct SetupTests {
    private let directory: TemporaryDirectory
    private let file: String

    init() throws {
        directory = try TemporaryDirectory()
        file = directory.file("config/cutied/config.yaml")
    }

    private func setup(_ answers: [String] = []) -> SetupDialog {
        let rest = Shared(answers)
        return SetupDialog(file: ConfigurationFile(path: file)) { _ in
            rest.value.isEmpty ? nil : rest.value.removeFirst()
        }
    }

    private func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `The configuration file and its directory are accessible only to the user`() throws {
        try setup().configureAccount(appID: "app_1", apiURL: nil)
        #expect(try text().contains("app_id: app_1\n"))
        #expect(try !text().contains("api_url"))
        #expect(try mode(file) == 0o600)
        #expect(try mode(directory.file("config/cutied")) == 0o700)
    }

    @Test func `The setup preserves other settings in the configuration file`() throws {
        try setup().configureAccount(appID: "app_1", apiURL: nil)
        try (text() + "# mine\nhistory:\n  days: 30\n").write(toFile: file, atomically: true, encoding: .utf8)
        try setup().configureAccount(appID: "app_2", apiURL: "http://127.0.0.1:8787")
        #expect(try text().contains("app_id: app_2\n"))
        #expect(try text().contains("http://127.0.0.1:8787"))
        #expect(try text().contains("# mine\nhistory:\n  days: 30\n"))
    }

    @Test(arguments: [("", nil), ("app 1\n", nil), ("app_1", "http://example.com"), ("app_1", "nonsense")])
    func `The setup rejects invalid values and writes no file`(appID: String, apiURL: String?) throws {
        let complaint = #expect(throws: CommandError.self) {
            try setup().configureAccount(appID: appID, apiURL: apiURL)
        }
        #expect(complaint?.status == .badData)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `The setup repeats a question after an invalid answer`() throws {
        try setup(["", "app_7", "http://example.com", "https://api.example.com"]).configureAccount(
            appID: nil, apiURL: nil)
        #expect(try text().contains("app_id: app_7\n"))
        #expect(try text().contains("https://api.example.com"))
    }

    @Test func `The setup command accepts a setup link instead of an App ID`() throws {
        try setup().configureAccount(
            appID: "cutie://setup?app_id=app_3&api_url=https%3A%2F%2Fapi.example.com", apiURL: nil)
        #expect(try text().contains("app_id: app_3\n"))
        #expect(try text().contains("api_url: https://api.example.com\n"))
        try setup([" cutie://setup?app_id=app_4 ", ""]).configureAccount(appID: nil, apiURL: nil)
        #expect(try text().contains("app_id: app_4\n"))
        #expect(try text().contains("api_url: https://api.example.com\n"))
    }

    @Test func `A staff account can be added to a configuration with a device account`() throws {
        #expect(try setup().addStaffAccount(apiURL: "http://127.0.0.1:8787") == "default")
        #expect(try text().contains("kind: staff\n"))
        try FileManager.default.removeItem(atPath: file)
        try setup().configureAccount(appID: "app_1", apiURL: nil)
        #expect(try setup().addStaffAccount(apiURL: nil) == "staff")
        #expect(try text().contains("app_id: app_1\naccounts:\n  staff:\n    kind: staff\n"))
    }

    @Test func `An empty answer keeps the current value`() throws {
        try setup().configureAccount(appID: "app_1", apiURL: "https://api.example.com")
        let before = try text()
        try setup(["", ""]).configureAccount(appID: nil, apiURL: nil)
        #expect(try text() == before)
    }

    @Test func `No configuration file is written if the input ends during the setup`() throws {
        #expect(throws: CommandError.self) { try setup().configureAccount(appID: nil, apiURL: nil) }
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func `The setup does not change an invalid configuration file`() throws {
        try setup().configureAccount(appID: "app_1", apiURL: nil)
        try "app_id: [\n".write(toFile: file, atomically: true, encoding: .utf8)
        let complaint = #expect(throws: CommandError.self) {
            try setup().configureAccount(appID: "app_2", apiURL: nil)
        }
        #expect(complaint?.status == .configuration)
        #expect(try text() == "app_id: [\n")
    }
}
