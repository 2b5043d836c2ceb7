import CutieAPI
import Testing

@testable import Config

struct AccessConfigurationTests {
    private func access(_ lines: String) throws -> Configuration.Access {
        try Configuration(yaml: "access:\n\(lines)\n", file: "c").access
    }

    @Test func `By default, apps may ask for access, and a grant is valid for thirty days`() throws {
        let access = Configuration().access
        #expect(access.enabled && access.remember == .seconds(30 * 86_400) && access.discovery == nil)
    }

    @Test func `The duration of grants and the address of the discovery service can be configured`() throws {
        let access = try access("  remember: 12h\n  discovery: https://services.example/v1/discovery")
        #expect(access.remember == .seconds(12 * 3600))
        #expect(access.discovery?.description == "https://services.example/v1/discovery")
    }

    @Test(arguments: [
        "  remember: 5", "  remember: never", "  discovery: http://services.example",
        "  discovery: ftp://services.example", "  remembers: 1d",
    ])
    func `The error for an invalid value or key names the section "access"`(line: String) {
        let error = #expect(throws: ConfigurationError.self) { try access(line) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("access"))
    }
}
