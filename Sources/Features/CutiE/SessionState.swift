import AccessAPI

/// The state of the app in this process.
struct SessionState {
    /// The configuration that the app requested; `nil` before `configure`.
    private(set) var request: AppRequest?
    /// Whether calls are possible: from `configure` until the user refuses access, leaves the question
    /// unanswered, or revokes access.
    var isConfigured = false
    /// The current configuration request, or its result; `nil` if the next call must send a request.
    var attempt: Task<Void, any Error>?
    /// The number of configuration requests, which identifies the current request.
    private(set) var attempts = 0
    /// Whether a configuration request is in progress.
    private(set) var isAsking = false
    private(set) var permission: UNAuthorizationStatus = .notDetermined
    var settings = AppSettings()
    /// The task that sends settings.
    var sending: Task<Void, Never>?
    var unreadCount = 0
    private(set) var start: Int64?
    private(set) var deviceID: String?

    mutating func replaceRequest(with request: AppRequest?) {
        // Ignore an equal configuration, because an app may call `configure` repeatedly, for example for each
        // window.
        if let request, request == self.request, isConfigured { return }
        // Reset the count, which belongs to the previous account.
        if request?.appID != self.request?.appID || request?.apiURL != self.request?.apiURL {
            unreadCount = 0
        }
        attempt?.cancel()
        (attempt, isAsking, self.request) = (nil, false, request)
        attempts += 1
        isConfigured = request != nil
    }

    mutating func nextAttempt() -> Int {
        attempts += 1
        isAsking = true
        return attempts
    }

    /// Records that the user allows the app. If the app is configured again, `start` stays unchanged.
    mutating func succeed(_ number: Int, _ reply: Configure.Reply, at entry: Watch.Reply) {
        guard number == attempts else { return }
        (isAsking, permission, deviceID) = (false, .authorized, reply.deviceId)
        settings.resend(consent: reply.consent)
        unreadCount = entry.badge ?? unreadCount
        start = start ?? entry.sequence
    }

    mutating func fail(_ number: Int, _ error: any Error) {
        guard number == attempts else { return }
        isAsking = false
        switch error {
        case CutiEError.serverError(403, _): (isConfigured, permission) = (false, .denied)
        // The user did not answer. Later calls do not ask again; only `requestPermission` asks again.
        case CutiEError.serverError(408, _): isConfigured = false
        case CutiEError.invalidRequest, CutiEError.invalidAPIKey: isConfigured = false
        // Let the next call send the request again: the daemon may be running when the next call is made.
        default: attempt = nil
        }
    }

    mutating func revoke() { (isConfigured, attempt, permission) = (false, nil, .denied) }
}

/// The configuration that an app requests.
struct AppRequest: Equatable {
    let appID: String
    let apiURL: String
    var appName = CutiE.executableName()
    var bundleID: String?
    var usesAttestation = false
    var context: Set<DeviceContextField> = []

    var call: Configure {
        Configure(
            appId: appID, apiUrl: apiURL, bundleId: bundleID, appName: appName,
            useAppAttest: usesAttestation ? true : nil,
            deviceContext: context.isEmpty ? nil : context.map(\.rawValue).sorted())
    }
}

/// The app's settings, including settings that the daemon has not received yet.
struct AppSettings {
    private(set) var unsent: Set<Kind> = []
    var user: User?
    var version: Version?
    /// Whether the app's developers may count the user as active; `nil` if the user has not decided.
    var consent: Bool?

    /// The user's ID and name, as set by the app.
    struct User: Equatable {
        var id: String?
        var name: String?
    }

    /// The version and the build number of the app.
    struct Version: Equatable {
        let version: String
        let build: String
    }

    enum Kind { case user, version, consent }

    enum Call {
        case user(SetUser)
        case version(SetAppMetadata)
        case consent(SetConsent)
    }

    mutating func change(_ change: (inout AppSettings) -> Void) {
        let former = self
        change(&self)
        if user != former.user { unsent.insert(.user) }
        if version != former.version { unsent.insert(.version) }
        if consent != former.consent { unsent.insert(.consent) }
    }

    /// Marks the user and the version as unsent, because the account may be new, and adopts the consent
    /// decision of the daemon.
    ///
    /// - Parameter stored: the decision that the daemon has stored. An unsent decision of the app is newer
    ///   and is sent instead.
    mutating func resend(consent stored: Bool?) {
        if user != nil { unsent.insert(.user) }
        if version != nil { unsent.insert(.version) }
        if !unsent.contains(.consent) { consent = stored }
    }

    mutating func removeUnsent() -> [Call] {
        defer { unsent = [] }
        return [
            unsent.contains(.user) ? user.map { .user(SetUser(userId: $0.id, userName: $0.name)) } : nil,
            unsent.contains(.version)
                ? version.map { .version(SetAppMetadata(version: $0.version, build: $0.build)) } : nil,
            unsent.contains(.consent) ? consent.map { .consent(SetConsent(enabled: $0)) } : nil,
        ].compactMap(\.self)
    }

    /// Marks the setting of a failed call as unsent. The current value is sent, not the value of the call.
    mutating func retry(_ call: Call) {
        switch call {
        case .user: unsent.insert(.user)
        case .version: unsent.insert(.version)
        case .consent: unsent.insert(.consent)
        }
    }

    /// Stores the user's answer to a question that the daemon asked. The answer need not be sent.
    mutating func setAnswered(_ isAllowed: Bool) {
        consent = isAllowed
        unsent.remove(.consent)
    }
}
