import AccessAPI
import FoundationEssentials
import TestSupport
import Testing

@testable import CutiE

/// Tests of linking the app with the Feedback App.
struct LinkTests {
    private func configured(_ body: (FakeAccessServer, CutiE) async throws -> Void) async throws {
        let server = try FakeAccessServer()
        try await server.running {
            let cutiE = CutiE(socket: server.socket)
            try await cutiE.configured()
            try await body(server, cutiE)
        }
    }

    @Test func `Linking opens the Feedback App and returns the code of the link`() async throws {
        try await configured { _, cutiE in
            let result = try await cutiE.openFeedbackApp()
            #expect((result.linkCode, result.shortCode, result.didOpenApp) == ("flt_1", nil, true))
        }
    }

    @Test func `A link code for another device is returned without opening the Feedback App`() async throws {
        try await configured { _, cutiE in
            let result = try await cutiE.generateLinkCode()
            #expect((result.linkCode, result.shortCode, result.didOpenApp) == ("flt_2", "AB12", false))
            #expect(result.link.absoluteString == "cutie://link?token=flt_2")
        }
    }

    @Test func `Errors from the daemon are converted to the errors of the SDK's link module`() async throws {
        try await configured { server, cutiE in
            server.refuse(AppCode.self, with: NotAuthorized(reason: "gone"))
            await #expect(throws: CutiELinkError.invalidCredentials) { try await cutiE.generateLinkCode() }
            server.refuse(AppCode.self, with: ServerError(status: 500, reason: "down"))
            await #expect(throws: CutiELinkError.serverError(500)) { try await cutiE.generateLinkCode() }
            server.refuse(AppCode.self, with: NotConfigured())
            await #expect(throws: CutiELinkError.notConfigured) { try await cutiE.generateLinkCode() }
            await #expect(throws: CutiELinkError.notConfigured) { try await cutiE.openFeedbackApp() }
        }
    }

    @Test(arguments: [
        "", "https://example.org/?token=a", "cutie://link", "cutie://link?token=", "cutie://link?code=1",
    ])
    func `An empty link is rejected`(link: String) {
        #expect(throws: CutiELinkError.invalidDeepLink) {
            try CutiELinkResult(link: link, didOpenApp: true, shortCode: nil)
        }
    }

    @Test func `Linking reports an error if no Feedback App is installed`() async throws {
        try await configured { server, cutiE in
            server.refuse(AppOpen.self, with: NotFound(what: "app", id: "Feedback App"))
            await #expect(throws: CutiELinkError.serverError(404)) { try await cutiE.openFeedbackApp() }
        }
    }
}
