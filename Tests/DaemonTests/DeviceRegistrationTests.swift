import CutieAPI
import Reasons
import Testing

@testable import Accounts

@MainActor
struct DeviceRegistrationTests {
    private let token = DeviceToken("token")

    /// Returns the registration of a device that restored `token` from a previous run and then received
    /// `answers` at time 0.
    private func device(
        _ token: DeviceToken? = nil, after answers: DeviceRegistration.Response...
    ) -> DeviceRegistration {
        var registration = DeviceRegistration()
        registration.restoreToken(token)
        for answer in answers { registration.applyResponse(answer, at: .zero, random: { 0.5 }) }
        return registration
    }

    @Test func `A device without a known token registers`() {
        #expect(DeviceRegistration().needsRegistration(at: .zero) && device().needsRegistration(at: .zero))
        #expect(!device(token).needsRegistration(at: .zero) && device(token).token == token)
        #expect(!device(after: .token(token)).needsRegistration(at: .zero))
    }

    @Test func `A token restored from an earlier run does not replace a newer registration result`() {
        var registration = device(after: .notOffered(.text("404")))
        registration.restoreToken(token)
        #expect(registration.token == nil)
    }

    @Test
    func `An unsupported registration is retried after a day, and a refused registration sooner`() {
        let lacking = device(after: .notOffered(.text("404")))
        #expect(lacking.obstacle?.cause == .unsupported && lacking.due == .seconds(86_400))
        let refused = device(after: .refused(.text("503"), floor: .seconds(60)))
        #expect(refused.obstacle?.cause == .refused)
        #expect(refused.due.map { $0 >= .seconds(60) && $0 < .seconds(120) } == true)
    }

    @Test func `The retry delay grows with each refused registration and is reset when a token is issued`()
        throws
    {
        let once = try #require(device(after: .refused(.text("403"), floor: nil)).due)
        let twice = device(after: .refused(.text("403"), floor: nil), .refused(.text("403"), floor: nil))
        #expect(twice.due == once * 2)
        let anew = device(
            after: .refused(.text("403"), floor: nil), .token(token), .refused(.text("403"), floor: nil))
        #expect(anew.obstacle?.due == once)
    }

    @Test func `A device whose registration is refused keeps its previous token and schedules no retry`() {
        var registration = device(token, after: .refused(.text("500"), floor: nil))
        #expect(registration.token == token && registration.obstacle != nil && registration.due == nil)
        registration.applyResponse(.token("other"), at: .zero, random: { 0 })
        #expect(registration.token == "other" && registration.obstacle == nil)
    }

    @Test func `A request that was refused because of an old token is repeated with the newer token`() {
        var registration = device(token, after: .token("other"))
        let recovery = registration.handleRefusal(
            credentialGeneration: 0, hadToken: true, isFromAPI: true, at: .zero)
        #expect(recovery == .repeatRequest)
    }

    @Test func `A request from a device that cannot register waits for the next registration attempt`() {
        var registration = device(token, after: .refused(.text("503"), floor: .seconds(60)))
        let recovery = registration.handleRefusal(
            credentialGeneration: 0, hadToken: true, isFromAPI: true, at: .seconds(59))
        guard case .wait(let floor, .text("503")) = recovery else {
            Issue.record("it is \(recovery)")
            return
        }
        #expect(floor >= .seconds(1))
    }

    @Test(arguments: [true, false])
    func `A token that the API refuses is deleted if the API does not support registration`(
        _ isFromAPI: Bool
    ) {
        var registration = device(token, after: .notOffered(.text("404")))
        let recovery = registration.handleRefusal(
            credentialGeneration: 0, hadToken: true, isFromAPI: isFromAPI, at: .zero)
        #expect(recovery == (isFromAPI ? .repeatRequest : .giveUp))
        #expect((registration.token == nil) == isFromAPI && registration.generation == (isFromAPI ? 1 : 0))
    }

    @Test
    func `If requests require a token, an unsupported registration is retried at most once a minute`() {
        var registration = device(after: .notOffered(.text("404")))
        registration.scheduleRegistrationAfterMissingToken(at: .seconds(59))
        #expect(!registration.needsRegistration(at: .seconds(59)))
        registration.scheduleRegistrationAfterMissingToken(at: .seconds(60))
        #expect(registration.needsRegistration(at: .seconds(60)) && registration.obstacle == nil)
    }
}
