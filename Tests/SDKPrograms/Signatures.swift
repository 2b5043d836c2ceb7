import CutiELink
import Foundation

// Each public declaration of the SDK with its signature. The file only has to compile: a changed signature is
// a compiler error. The functions are never called.

/// A class that is not Sendable. Completion handlers may capture its instances.
private final class Counter {
    var count = 0
}

/// The declarations that can be used in a synchronous function.
enum SynchronousSignatures {
    static func main() {
        let cutiE: CutiE = CutiE.shared
        let counter = Counter()
        cutiE.configure(appId: "a")
        cutiE.configure(appId: "a", apiURL: "u")
        cutiE.configure(appId: "a", useAppAttest: true)
        cutiE.configure(appId: "a", apiURL: "u", useAppAttest: true, deviceContext: .all)
        let _: Bool = cutiE.isConfigured
        cutiE.setUserID(nil)
        cutiE.setUserId("u")
        cutiE.setUserName("n")
        cutiE.setAppMetadata(version: "1", build: "2")
        cutiE.createConversation(category: .bug, message: "m") { result in
            counter.count += 1
            if case .success(let id) = result { let _: String = id }
        }
        cutiE.createConversation(
            category: ConversationCategory.other, message: "m", title: nil,
            completion: { (_: Result<String, CutiEError>) in })
        cutiE.registerForPushNotifications(deviceToken: "t")
        let _: Result<Void, CutiEError> = cutiE.registerForPushNotifications(deviceToken: "t")
        cutiE.analyticsEnabled = true
        cutiE.setAnalyticsConsent(cutiE.analyticsEnabled)
        let _: Bool = cutiE.hasAskedForAnalyticsConsent
        cutiE.requestAnalyticsConsent { (_: Bool) in counter.count += 1 }
        cutiE.showInbox()
        cutiE.showInbox(conversationId: "c")
        cutiE.showFeedback()
        cutiE.showFeedback { (_: String) in counter.count += 1 }
        let _: CutiEAppAttest = cutiE.appAttest
        let _: CutiEPushNotifications = cutiE.pushNotifications
    }

    @available(*, deprecated) static func deprecated() {
        CutiE.shared.configure(apiKey: "k", appId: "a")
        CutiE.shared.configure(apiKey: "k", appId: "a", apiURL: "u")
        CutiELink.configure(apiKey: "k")
        CutiELink.configure(apiKey: "k", appId: "a")
    }

    static func configuration(_ configuration: CutiEConfiguration) {
        let _: String? = configuration.apiKey
        let _: (String, String, String) = (configuration.apiURL, configuration.deviceID, configuration.appId)
        let _: (Bool, DeviceContextConfig) = (configuration.useAppAttest, configuration.deviceContext)
        (configuration.userID, configuration.userName) = (nil, "n")
        (configuration.appVersion, configuration.appBuild) = ("1", nil)
    }

    static func pushNotifications() {
        let push: CutiEPushNotifications = .shared
        let counter = Counter()
        push.delegate = nil
        let _: Bool = push.isEnabled
        push.requestPermission { (_: Bool) in counter.count += 1 }
        push.checkPermissionStatus { status in
            switch status {
            case .notDetermined, .denied, .authorized, .provisional, .ephemeral: counter.count += 1
            }
        }
        push.registerForRemoteNotifications()
        push.didRegisterForRemoteNotifications(withDeviceToken: Data())
        push.didFailToRegisterForRemoteNotifications(withError: CutiEError.notConfigured)
        push.registerToken("t")
        let _: Result<Void, CutiEError> = push.registerToken("t")
        let _: CutiEError? = push.validatePushToken("t")
        push.unregisterToken()
        push.unregisterToken { (_: Result<Void, CutiEError>) in counter.count += 1 }
        push.clearBadgeCount()
        let _: Bool = push.isCutiENotification(["a": 1])
        push.handleNotification(["conversation_id": "c"])
        push.handleNotificationTap([:])
        let _: (Bool, Bool) = (push.handleNotification([:]), push.handleNotificationTap([:]))
    }

    static func appAttest() {
        let attest = CutiEAppAttest.shared
        let _: (Bool, Bool) = (attest.isAttested, attest.isSupported)
        attest.reset()
    }

    static func link() {
        CutiELink.configure(appId: "a")
        CutiELink.configure(appId: "a", apiURL: "u")
        CutiELink.useSandbox()
        let _: CutiELink = CutiELink.shared
    }
}

/// The declarations that can be used in an asynchronous function. A synchronous function of the SDK must not
/// need `await` or `try` there.
enum AsynchronousSignatures {
    static func main() async throws {
        let cutiE = CutiE.shared
        cutiE.configure(appId: "a")
        cutiE.configure(
            appId: "a", apiURL: "http://example.org", useAppAttest: true,
            deviceContext: .custom([.language, .country]))
        cutiE.setUserID("u")
        cutiE.setUserId("u")
        cutiE.setUserName("n")
        cutiE.setAppMetadata(version: "1", build: "2")
        cutiE.setAnalyticsConsent(true)
        cutiE.createConversation(category: .bug, message: "m") { _ in }
        cutiE.showInbox()
        cutiE.showFeedback()
        let _: [Conversation] = try await cutiE.getConversations()
        let _: Conversation = try await cutiE.getConversation(id: "c")
        // The type must not be ambiguous, even if the result is discarded.
        let message = try await cutiE.sendMessage(conversationId: "c", message: "m")
        let _: Message = message
        _ = try await cutiE.sendMessage(conversationId: "c", message: "m")
        let _: Int = try await cutiE.getUnreadCount()
        let push = cutiE.pushNotifications
        let _: Bool = await push.requestPermission()
        push.requestPermission { _ in }
        push.clearBadgeCount()
        let _: String = try await cutiE.appAttest.generateAssertion(for: Data())
    }

    static func linking() async throws {
        let cutiE = CutiE.shared
        let offer: LinkTokenResponse = try await cutiE.initiateLinkToken()
        let _: (String, Int64, Int, Bool, Date) = (
            offer.linkToken, offer.expiresAt, offer.expiresIn, offer.hasExistingGroup, offer.expirationDate
        )
        _ = try await cutiE.confirmLink(token: "t")
        let confirmed: LinkConfirmResponse = try await cutiE.confirmLink(token: "t", deviceName: nil)
        let _: (Bool, String, String) = (confirmed.success, confirmed.groupId, confirmed.message)
        let status: LinkStatusResponse = try await cutiE.checkLinkStatus(token: "t")
        let _: (String?, String?, String?) = (status.linkToken, status.groupId, status.targetDeviceName)
        let _: (Int64?, Int64?) = (status.confirmedAt, status.expiresAt)
        switch status.status {
        case .pending, .confirmed, .expired: break
        }
        let group: LinkedDevicesResponse = try await cutiE.getLinkedDevices()
        let _: (Bool, String?) = (group.linked, group.groupId)
        for device: LinkedDevice in group.devices {
            let _: (String, String, String) = (device.deviceId, device.deviceName, device.id)
            let _: (Int64, Date) = (device.joinedAt, device.joinedDate)
            let _: (Bool, Bool) = (device.isPrimary, device.isCurrent)
        }
        try await cutiE.unlinkDevice("d")
    }

    @MainActor static func link() async throws {
        let _: Bool = CutiELink.isFeedbackAppInstalled
        try await CutiELink.openFeedbackApp()
        let _: Bool = try await CutiELink.openFeedbackApp()
    }
}

/// The models and enumerations.
enum ModelSignatures {
    static func conversation() {
        let conversation = Conversation(
            id: "c", customerID: nil, userID: nil, userName: nil, deviceID: nil, title: nil, category: .bug,
            status: .open, priority: .low, assignedAdminID: nil, appId: nil, messageCount: nil,
            unreadCount: nil, messages: nil, tags: nil, createdAt: 1, updatedAt: nil)
        _ = Conversation(id: "c", status: .open, createdAt: 1)
        let _: (String?, String?, String?) = (
            conversation.customerID, conversation.userID, conversation.userName
        )
        let _: (String?, String?, String?) = (
            conversation.deviceID, conversation.title, conversation.assignedAdminID
        )
        let _: (String?, String?, Int?, Int?) = (
            conversation.appId, conversation.appName, conversation.messageCount, conversation.unreadCount
        )
        let _: (ConversationCategory?, ConversationPriority?) = (conversation.category, conversation.priority)
        let _: (Int64, Int64?, Date, Date) = (
            conversation.createdAt, conversation.updatedAt, conversation.createdDate, conversation.updatedDate
        )
        let _: Bool = conversation.hasUnread
        let _: [Message]? = conversation.messages
        for tag: Tag in conversation.tags ?? [] {
            let _: (String, String, String, String?) = (tag.id, tag.conversationID, tag.tagName, tag.tagColor)
        }
        switch conversation.status {
        case .open, .inProgress, .waitingUser, .waitingAdmin, .resolved, .closed: break
        }
    }

    static func message() {
        let message = Message(
            id: "m", conversationID: "c", senderType: .user, senderID: nil, senderName: nil,
            senderAvatarUrl: nil, message: "t", messageType: "text", isInternalNote: false, createdAt: 1)
        _ = Message(id: "m", conversationID: "c", senderType: .user, message: "t", createdAt: 1)
        let _: (String?, String?, String?) = (message.senderID, message.senderName, message.senderAvatarUrl)
        let _: (String, String, Bool) = (message.message, message.messageType, message.isInternalNote)
        let _: (Int64, Date) = (message.createdAt, message.createdDate)
        switch message.senderType {
        case .user, .admin, .system: break
        }
    }

    static func enumerations() {
        let _: [(String, String, String)] = ConversationCategory.allCases.map {
            ($0.displayName, $0.color, $0.sfSymbol)
        }
        let _: [(String, String)] = ConversationStatus.allCases.map { ($0.displayName, $0.color) }
        let _: [(String, String)] = ConversationPriority.allCases.map { ($0.displayName, $0.color) }
        let context = DeviceContextConfig.custom([
            .language, .country, .appVersion, .osVersion, .deviceModel,
        ])
        let _: Set<DeviceContextField> = context.enabledFields
        switch context {
        case .none, .minimal, .standard, .all: break
        case .custom(let fields): let _: Set<DeviceContextField> = fields
        }
    }

    static func attestation(_ status: AttestationStatus) {
        let _: Bool = status.attested
        guard let info: AttestationInfo = status.attestation else { return }
        let _: (String, String, Int) = (info.keyId, info.environment, info.signCount)
        let _: (Int64, Int64?) = (info.createdAt, info.lastAssertionAt)
    }

    /// Checks that an app can switch over each error type exhaustively, without a `default` case.
    static func errors(_ error: CutiEError, _ attest: AppAttestError, _ link: CutiELinkError) {
        let _: [any LocalizedError] = [error, attest, link]
        _ = [CutiEError.decodingError(), .decodingError("s"), .decodingError(nil)]
        switch error {
        case .notConfigured, .invalidAPIKey, .invalidRequest: break
        case .networkError(let cause): let _: any Error = cause
        case .serverError(let status, let text): let _: (Int, String) = (status, text)
        case .decodingError(let details): let _: String? = details
        case .invalidPushToken(let reason): let _: String = reason
        }
        switch attest {
        case .notSupported, .notAttested, .hashingFailed, .keyGenerationFailed: break
        case .attestationFailed(let cause), .assertionFailed(let cause): let _: any Error = cause
        case .serverError(let text): let _: String = text
        }
        switch link {
        case .notConfigured, .invalidCredentials, .invalidURL, .invalidDeepLink, .invalidResponse: break
        case .serverError(let status): let _: Int = status
        case .feedbackAppNotInstalled: break
        }
    }
}
