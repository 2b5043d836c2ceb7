import Accounts
import CutieAPI
import Domain
import EventLog
import Notifications
import Reasons

/// Asks the user about actions that an app requests for its account. After a refusal, requests of the same
/// kind by the app are denied for ten minutes without asking the user.
final class HostAppActions {
    private static let timeout: Duration = .seconds(120)
    private static let pause: Duration = .seconds(600)

    private let questions: Questions
    private let runtime: RuntimeEnvironment
    /// The times of the refusals on the `uptime` clock.
    private var refusals: [Key: Duration] = [:]

    private struct Key: Hashable {
        let app: String
        let action: HostAppAction.Kind
        /// The ID of the affected device; `nil` for actions that affect no other device.
        let device: DeviceID?
    }

    /// A device that an action affects.
    struct AffectedDevice {
        let id: DeviceID
        /// The name in the question.
        let name: String
    }

    init(questions: Questions, runtime: RuntimeEnvironment) {
        (self.questions, self.runtime) = (questions, runtime)
    }

    /// Asks the user, and returns if the user agrees.
    ///
    /// - Throws: `accessDenied` if the user refuses, `unanswered` if the user does not answer.
    func requirePermission(
        for action: HostAppAction.Kind, of app: AppIdentity, owner: HostAppOwner,
        device: AffectedDevice? = nil
    ) async throws {
        guard try await requestPermission(for: action, of: app, owner: owner, device: device) else {
            throw ServiceError.accessDenied(reason: Reason(.userDenied))
        }
    }

    /// Asks the user. Returns whether the user agrees.
    ///
    /// - Throws: `unanswered` if the user does not answer, `accessDenied` if the user recently refused a
    ///   request of the same kind.
    func requestPermission(
        for action: HostAppAction.Kind, of app: AppIdentity, owner: HostAppOwner,
        device: AffectedDevice? = nil
    ) async throws -> Bool {
        let key = Key(app: app.description, action: action, device: device?.id)
        refusals = refusals.filter { runtime.uptime - $0.value < Self.pause }
        guard refusals[key] == nil else {
            throw ServiceError.accessDenied(
                reason: Reason(.userDeniedForMinutes, ["minutes": "10"]))
        }
        let question = HostAppAction(
            kind: action, app: app.description, name: owner.name, program: app.name,
            isVerified: app.isVerified, device: device?.name)
        switch try await questions.waitForDecision(on: .hostAppAction(question), within: Self.timeout) {
        case .allowed: return true
        case .refused:
            refusals[key] = runtime.uptime
            return false
        case nil: throw ServiceError.unanswered(reason: Reason(.userSilent))
        }
    }
}
