import CutieAPI
import Testing

@testable import Accounts

@MainActor
struct DeviceRegistrationTests {
    private let token = DeviceToken("token")

    /// Returns a device that found `token` of a previous run and received `answers` at 0 s.
    private func device(
        _ token: DeviceToken? = nil, after answers: DeviceRegistration.Answer...
    ) -> DeviceRegistration {
        var registration = DeviceRegistration()
        registration.find(token)
        for answer in answers { registration.accept(answer, at: .zero, random: { 0.5 }) }
        return registration
    }

    @Test func `It asks where no token is known`() {
        #expect(DeviceRegistration().isDue(at: .zero) && device().isDue(at: .zero))
        #expect(!device(token).isDue(at: .zero) && device(token).token == token)
        #expect(!device(after: .token(token)).isDue(at: .zero))
    }

    @Test func `What an earlier run left does not take the place of what is known`() {
        var registration = device(after: .notOffered("404"))
        registration.find(token)
        #expect(registration.token == nil)
    }

    @Test func `An API that registers nobody is asked again after a day, one that refuses sooner`() {
        let lacking = device(after: .notOffered("404"))
        #expect(lacking.obstacle?.cause == .lacking && lacking.due == .seconds(86_400))
        let refused = device(after: .refused("503", floor: .seconds(60)))
        #expect(refused.obstacle?.cause == .refused)
        #expect(refused.due.map { $0 >= .seconds(60) && $0 < .seconds(120) } == true)
    }

    @Test func `The waits grow with each refusal, and begin anew after a token`() throws {
        let once = try #require(device(after: .refused("403", floor: nil)).due)
        let twice = device(after: .refused("403", floor: nil), .refused("403", floor: nil))
        #expect(twice.due == once * 2)
        let anew = device(after: .refused("403", floor: nil), .token(token), .refused("403", floor: nil))
        #expect(anew.obstacle?.due == once)
    }

    @Test func `A refused token stays until there is another one, and nothing is asked for by itself`() {
        var registration = device(token, after: .refused("500", floor: nil))
        #expect(registration.token == token && registration.obstacle != nil && registration.due == nil)
        registration.accept(.token("other"), at: .zero, random: { 0 })
        #expect(registration.token == "other" && registration.obstacle == nil)
    }

    @Test func `A request is repeated with a token that is newer than its own`() {
        var registration = device(token, after: .token("other"))
        let recovery = registration.recover(from: 0, hadToken: true, isOfTheAPI: true, at: .zero)
        #expect(recovery == .repeatRequest)
    }

    @Test func `A device that the API does not register now waits for its time`() {
        var registration = device(token, after: .refused("503", floor: .seconds(60)))
        let recovery = registration.recover(from: 0, hadToken: true, isOfTheAPI: true, at: .seconds(59))
        guard case .wait(let floor, "503") = recovery else {
            Issue.record("it is \(recovery)")
            return
        }
        #expect(floor >= .seconds(1))
    }

    @Test(arguments: [true, false])
    func `A token is left out where an API without registration refused it itself`(_ isOfTheAPI: Bool) {
        var registration = device(token, after: .notOffered("404"))
        let recovery = registration.recover(from: 0, hadToken: true, isOfTheAPI: isOfTheAPI, at: .zero)
        #expect(recovery == (isOfTheAPI ? .repeatRequest : .giveUp))
        #expect((registration.token == nil) == isOfTheAPI && registration.generation == (isOfTheAPI ? 1 : 0))
    }

    @Test func `A refusal without a token has an API asked that registered nobody, once a minute`() {
        var registration = device(after: .notOffered("404"))
        registration.doubtLack(at: .seconds(59))
        #expect(!registration.isDue(at: .seconds(59)))
        registration.doubtLack(at: .seconds(60))
        #expect(registration.isDue(at: .seconds(60)) && registration.obstacle == nil)
    }
}
