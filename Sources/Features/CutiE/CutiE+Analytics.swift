import AccessAPI

// MARK: - Consent to be counted as active
//
// Off by default. With the user's consent, cutied reports to the API at each start of cutied that the device
// is in use. The report identifies the device only by a hash of the device ID.

extension CutiE {
    /// Whether the user has agreed to be counted as active. `false` if the app is not configured yet, or the
    /// user has not decided.
    public var analyticsEnabled: Bool {
        get { session.settings.consent ?? false }
        set { setAnalyticsConsent(newValue) }
    }

    /// Stores whether the user agrees to be counted as active. Ask the user before this call, or call
    /// ``requestAnalyticsConsent(completion:)``, which asks the user.
    public func setAnalyticsConsent(_ enabled: Bool) { session.set { $0.consent = enabled } }

    /// Whether the user has decided. `false` if the app is not configured yet.
    public var hasAskedForAnalyticsConsent: Bool { session.settings.consent != nil }

    /// Asks the user through cutied, stores the answer, and calls `completion` once on a background thread.
    /// The value is `false` if the user does not answer or cutied cannot ask.
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
