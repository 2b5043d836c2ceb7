import AccessAPI

/// Whether you may count the user as active: off by default. If it is on, cutied notifies the API once per
/// start, under a number that is not the id of the device.
extension CutiE {
    /// Whether the user agrees to be counted, as far as it is known: false before the app is configured.
    public var analyticsEnabled: Bool {
        get { session.settings.consent ?? false }
        set { setAnalyticsConsent(newValue) }
    }

    /// Stores whether the user agrees to be counted. Ask the user before, or let
    /// ``requestAnalyticsConsent(completion:)`` do it.
    public func setAnalyticsConsent(_ enabled: Bool) { session.set { $0.consent = enabled } }

    /// Whether the user has decided, as far as it is known: false before the app is configured.
    public var hasAskedForAnalyticsConsent: Bool { session.settings.consent != nil }

    /// Lets cutied ask the user, stores the answer, and calls `completion` once on a background thread. The
    /// answer is false if the user does not answer, or cutied cannot ask.
    public func requestAnalyticsConsent(completion: @escaping (Bool) -> Void) {
        nonisolated(unsafe) let completion = completion
        Task { completion(await requestAnalyticsConsent()) }
    }

    private func requestAnalyticsConsent() async -> Bool {
        do {
            let call = RequestConsent()
            let isAllowed = try await session.ask(call, timeout: AccessClient.questionTimeout).enabled
            session.setConsentAnswered(isAllowed)
            return isAllowed
        } catch {
            AppSession.log("the user could not be asked: \(error)")
            return false
        }
    }
}
