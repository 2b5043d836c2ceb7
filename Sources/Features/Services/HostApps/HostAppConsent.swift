import Accounts
import CutieAPI
import Domain
package import EventLog
import Notifications
import Reasons
import Store

/// Asks the user whether an app may show the replies of its developers on this computer. A refusal is valid
/// for a day, because apps ask on each launch.
struct HostAppConsent {
    private static let timeout: Duration = .seconds(120)

    let questions: Questions
    let refusals: HostAppRefusals

    /// Asks the user, and returns if the user agrees.
    ///
    /// - Parameter isPersistent: whether the app can be recognized later.
    /// - Throws: `accessDenied` if the user refuses or has refused within the last day, or if the app
    ///   cannot be recognized; `unanswered` if the user does not answer.
    func requireConsent(for request: HostAppRequest, isPersistent: Bool) async throws {
        guard isPersistent else {
            throw ServiceError.accessDenied(
                reason: Reason(.programUnknown))
        }
        if let hours = try refusals.hoursUntilNextRequest(by: request.app) {
            throw ServiceError.accessDenied(
                reason: Reason(.userDeniedForHours, ["hours": "\(hours)"]))
        }
        switch try await questions.waitForDecision(on: .hostApp(request), within: Self.timeout) {
        case .allowed: return
        case .refused:
            try refusals.addRefusal(of: request)
            throw ServiceError.accessDenied(reason: Reason(.userDenied))
        case nil: throw ServiceError.unanswered(reason: Reason(.userSilent))
        }
    }
}

/// The apps that the user refused within the last day.
package struct HostAppRefusals {
    private static let day: Duration = .seconds(86_400)
    /// The stored refusals; the keys are the identities of the apps.
    private static let setting = StoredSetting<[String: Refusal]>("host-app-refusals")

    struct Refusal: Codable {
        /// The app's name, as the app reported it.
        let name: String
        let isVerified: Bool
        let at: Timestamp
    }

    private let ingest: Ingest
    private let runtime: RuntimeEnvironment

    package init(ingest: Ingest, runtime: RuntimeEnvironment) {
        (self.ingest, self.runtime) = (ingest, runtime)
    }

    /// Returns the hours until the app may ask again; `nil` if it may ask now.
    func hoursUntilNextRequest(by app: String) throws -> Int? {
        try fetchRecentRefusals()[app].map {
            max(1, Int(($0.at + Self.day - runtime.now()).components.seconds / 3600))
        }
    }

    func addRefusal(of request: HostAppRequest) throws {
        let refusal = Refusal(name: request.name, isVerified: request.isVerified, at: runtime.now())
        try updateRefusals(logging: AccessLogEntry(.accessRefused, of: request.app, name: request.name)) {
            $0[request.app] = refusal
        }
    }

    /// Removes a refusal, so that the app may ask again.
    func removeRefusal(of app: String) throws {
        guard let refusal = try fetchRecentRefusals()[app] else { return }
        try updateRefusals(logging: AccessLogEntry(.accessRevoked, of: app, name: refusal.name)) {
            $0[app] = nil
        }
    }

    private func updateRefusals(logging change: AccessLogEntry, _ body: (inout [String: Refusal]) -> Void)
        throws
    {
        var refusals = try fetchRecentRefusals()
        body(&refusals)
        try ingest.log(change) { try $0.settings.setValue(of: Self.setting, to: refusals) }
    }

    /// Returns the refusals of the last day. Ignores refusals with a time in the future, which were stored
    /// while the clock was wrong.
    func fetchRecentRefusals() throws -> [String: Refusal] {
        let now = runtime.now()
        return try (ingest.store.read { try $0.settings.fetchValue(of: Self.setting) } ?? [:])
            .filter { $0.value.at <= now && now - $0.value.at < Self.day }
    }
}
