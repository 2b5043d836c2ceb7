import Config
import CutieAPI
import Domain
import TestSupport
import Testing

@testable import Accounts
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct ConsentQuestionTests {
    private let staff: StaffFixture
    private let questions: Questions

    init() throws {
        staff = try StaffFixture()
        questions = try staff.fixture.questions(staff.fixture.queue())
    }

    private var isAsked: Bool { get throws { try questions.findLastQuestion(of: .consent) != nil } }

    private func consentQuestion() -> ConsentQuestion {
        ConsentQuestion(
            ActivityConsent(store: staff.fixture.store), ingest: staff.fixture.ingest, questions: questions,
            accounts: staff.accounts, runtime: staff.fixture.runtime)
    }

    @Test func `The question about active use is not asked if all accounts are support accounts`()
        async throws
    {
        staff.unit.feed.status.update(.connected)
        try staff.user("m1", at: 1)
        try await running(consentQuestion().run) {
            try await staff.fixture.time.waitForEventLoop()
            try staff.user("m2", at: 2)
            try await staff.fixture.time.waitForEventLoop()
        }
        #expect(try !isAsked)
    }

    @Test func `The question about active use waits for a connected device account with a conversation`()
        async throws
    {
        var device = AccountConfiguration(name: "default", appID: "app")
        device.apiURL = staff.unit.account.address
        try staff.supervisor.applyConfigurations([device, staff.unit.account.configuration])
        let unit = try #require(staff.accounts.units.first { $0.account.device != nil })
        for unit in staff.accounts.units where unit.account.isStaff { unit.feed.status.update(.connected) }
        try staff.user("m1", at: 1)
        try await running(consentQuestion().run) {
            try await staff.fixture.time.waitForEventLoop()
            unit.feed.status.update(.connected)
            try await staff.fixture.time.waitForEventLoop()
            #expect(try !isAsked)
            try staff.fixture.ingest.apply(
                [.reply(.sample("m2", in: "d", at: 2), unread: 1, event: "e")], to: unit.account.id,
                receivedOver: .stream)
            try await eventually("the question is asked") { try isAsked }
        }
    }
}
