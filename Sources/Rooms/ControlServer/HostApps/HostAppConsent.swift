import AccessAPI
import CutieAPI
import Log
import Screen
import Store

/// Asks the person whether an app may show the answers of its makers here. A no holds for a day: an app asks at each of
/// its starts.
struct HostAppConsent {
    private static let patience: Duration = .seconds(120)
    private static let day: Duration = .seconds(86_400)
    /// When the person said no, by the apps.
    private static let refusals = Setting<[String: Timestamp]>("host-apps-refused")

    let questions: Questions
    let store: Store
    let surroundings: Surroundings

    /// Returns where the person says yes; else throws `NotAllowed`. `isLasting` false: nothing would know the app again.
    func ask(_ request: HostAppRequest, isLasting: Bool) async throws {
        guard isLasting else {
            throw NotAllowed(reason: "nothing tells this program from others, so it cannot own an account")
        }
        if let last = try recentRefusals()[request.app] {
            let hours = max(1, Int((last + Self.day - surroundings.now()).components.seconds / 3600))
            throw NotAllowed(reason: "the person said no; they may be asked again in \(hours) h")
        }
        switch try await questions.decision(on: .hostApp(request), within: Self.patience) {
        case true: return
        case false:
            try remember(request.app)
            throw NotAllowed(reason: "the person said no")
        case nil: throw NotAllowed(reason: "the person did not answer")
        }
    }

    private func remember(_ app: String) throws {
        var refusals = try recentRefusals()
        refusals[app] = surroundings.now()
        try store.write { try $0.settings.set(Self.refusals, to: refusals) }
    }

    /// One from the future is of a clock that was wrong.
    private func recentRefusals() throws -> [String: Timestamp] {
        let now = surroundings.now()
        return try (store.read { try $0.settings.value(of: Self.refusals) } ?? [:])
            .filter { $0.value <= now && now - $0.value < Self.day }
    }
}
