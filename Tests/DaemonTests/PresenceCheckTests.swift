import Config
import ControlAPI
import CutieAPI
import NotificationPolicy
import Platform
import TestSupport
import Testing

@testable import ControlServer
@testable import EventLog
@testable import Notifications

/// Tests of actions and message previews that require the user's presence.
@MainActor
final class PresenceCheckTests {
    private let fixture: IngestFixture
    private var questions = 0
    private var answer = Polkit.Outcome.authorized
    /// Whether the simulated authentication dialog may close. If `false`, the dialog waits for `openings`.
    private var isOpen = true
    private let openings = ChangeSignal()

    init() throws { fixture = try IngestFixture() }

    private func presence(
        _ purposes: Set<Configuration.PresenceAction>,
        onChange: @escaping (Policy.TextVisibility) -> Void = { _ in }
    ) -> PresenceCheck {
        let presence = PresenceCheck(runtime: fixture.runtime, onChange: onChange) { [self] in
            questions += 1
            while !isOpen { try? await openings.wait(past: openings.count) }
            return answer
        }
        presence.protectedActions = purposes
        return presence
    }

    @Test
    func `An action needs no confirmation if the configuration does not require presence for the action`()
        async throws
    {
        let presence = presence([.signIn])
        try await presence.requirePresence(for: .grant)
        try await presence.requirePresence(for: .preview)
        #expect(questions == 0 && presence.showsTexts)
    }

    @Test func `A presence confirmation is valid for five minutes`() async throws {
        let presence = presence([.signIn, .grant])
        try await presence.requirePresence(for: .signIn)
        fixture.time.pass(.seconds(299))
        try await presence.requirePresence(for: .grant)
        #expect(questions == 1)
        fixture.time.pass(.seconds(2))
        try await presence.requirePresence(for: .grant)
        #expect(questions == 2)
    }

    @Test(arguments: [
        (Polkit.Outcome.refused, "your presence was not confirmed; try again"),
        (.noAgent, "your presence cannot be confirmed because this session has no polkit agent"),
        (
            .failed("Action is not registered"),
            "polkit cannot confirm your presence (Action is not registered)"
        ),
    ])
    func `The error for a failed presence check suggests a solution`(
        _ answer: Polkit.Outcome, _ sentence: String
    ) async throws {
        self.answer = answer
        let presence = presence([.grant])
        let fault = await #expect(throws: PresenceRequired.self) {
            try await asClient { try await presence.requirePresence(for: .grant) }
        }
        #expect(fault?.reason.hasPrefix(sentence) == true)
        #expect(fault?.reason.contains("; ") == true)
        self.answer = .authorized
        try await presence.requirePresence(for: .grant)
        #expect(questions == 2, "a refusal is not kept")
    }

    @Test func `Concurrent presence checks share one dialog`() async throws {
        let presence = presence([.preview])
        (isOpen, answer) = (false, .refused)
        let asking = (1...3).map { _ in Task { try await presence.requirePresence(for: .preview) } }
        try await eventually("the question is asked") { self.questions == 1 }
        isOpen = true
        openings.notify()
        for task in asking {
            await #expect(throws: PresenceRequired.self) { try await asClient { try await task.value } }
        }
        #expect(questions == 1)
    }

    @Test func `A presence check that one caller cancels is repeated for the other callers`() async throws {
        let presence = presence([.preview])
        isOpen = false
        let first = Task { try await presence.requirePresence(for: .preview) }
        try await eventually("the question is asked") { self.questions == 1 }
        let second = Task { try await presence.requirePresence(for: .preview) }
        first.cancel()
        isOpen = true
        openings.notify()
        await #expect(throws: CancellationError.self) { try await first.value }
        try await second.value
        #expect(questions == 2)
    }

    @Test
    func
        `Message text is hidden until the user confirms their presence, and again when the confirmation expires`()
        async throws
    {
        let notificationController = fixture.queue().notificationController
        let presence = presence([.preview]) { notificationController.policy.texts = $0 }
        presence.protectedActions = [.preview, .grant]
        #expect(notificationController.policy.preview(at: fixture.runtime.clockReading) == .sender)
        try await presence.requirePresence(for: .preview)
        #expect(notificationController.policy.preview(at: fixture.runtime.clockReading) == .full)
        fixture.time.pass(.seconds(301))
        #expect(notificationController.policy.preview(at: fixture.runtime.clockReading) == .sender)
        presence.protectedActions = []
        #expect(notificationController.policy.preview(at: fixture.runtime.clockReading) == .full)
    }
}
