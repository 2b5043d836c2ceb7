import AccessAPI
public import FoundationEssentials
import Runtime

/// Receives events about replies while your app runs. All methods have empty default implementations.
///
/// The methods are called on a background thread, except when
/// ``CutiEPushNotifications/handleNotification(_:)`` or ``CutiEPushNotifications/handleNotificationTap(_:)``
/// calls them.
public protocol CutiEPushNotificationDelegate: AnyObject {
    /// Called when a reply has arrived.
    ///
    /// - Parameters:
    ///   - conversationId: the ID of the conversation.
    ///   - messagePreview: the text of the reply; `nil` if it must not be shown.
    func cutiEDidReceiveMessage(conversationId: String, messagePreview: String?)

    /// Called when the user has opened a conversation of your app, for example by clicking on a notification.
    func cutiEShouldOpenConversation(conversationId: String)
}

extension CutiEPushNotificationDelegate {
    /// Does nothing by default.
    public func cutiEDidReceiveMessage(conversationId: String, messagePreview: String?) {}

    /// Does nothing by default.
    public func cutiEShouldOpenConversation(conversationId: String) {}
}

/// The user's decision whether an app may show notifications. The names are those of Apple's
/// UserNotifications.
public enum UNAuthorizationStatus: Int, Hashable, Sendable {
    /// The user has not answered yet.
    case notDetermined
    /// The user refused, or revoked the permission.
    case denied
    /// The user allows replies.
    case authorized
    /// Does not occur on Linux.
    case provisional
    /// Does not occur on Linux.
    case ephemeral
}

/// The user's permission, the badge, and the delegate for replies.
///
/// cutied receives replies itself and shows them as notifications. You need no push service; the methods for
/// push tokens are useful only if your app has its own push service.
public final class CutiEPushNotifications: @unchecked Sendable {
    /// The instance that belongs to ``CutiE/shared``.
    public static var shared: CutiEPushNotifications { CutiE.shared.pushNotifications }

    let session: AppSession
    private let state = Locked(State())

    private struct State {
        var delegate = DelegateReference()
        var handlesOpening = false
        var follower: Task<Void, Never>?
        /// The sequence number of the last log entry that a follower received; `nil` before the first entry.
        var position: Int64?
    }

    /// A reference that can be passed between threads although the delegate, as in the SDK, is not Sendable.
    private struct DelegateReference: @unchecked Sendable {
        weak var value: (any CutiEPushNotificationDelegate)?
    }

    init(_ session: AppSession) { self.session = session }

    deinit { state.withLock { $0.follower?.cancel() } }

    /// The object that receives later replies and opened conversations. The reference is weak: events are
    /// discarded after the object is released.
    public weak var delegate: (any CutiEPushNotificationDelegate)? {
        get { state.withLock { $0.delegate }.value }
        set {
            let reference = DelegateReference(value: newValue)
            state.withLock { $0.delegate = reference }
            follow()
        }
    }

    /// Whether the delegate shows the conversations that the user opens. If so, a click on a notification
    /// does not open the window of cutied while a delegate is set. Not part of the SDK.
    public var handlesOpening: Bool {
        get { state.withLock { $0.handlesOpening } }
        set {
            state.withLock { $0.handlesOpening = newValue }
            follow()
        }
    }

    /// Follows the log with the current settings if a delegate is set and the app is configured. Continues
    /// after the last received entry, or starts at the entry at which the app was configured.
    func follow() {
        let isConfigured = session.isConfigured
        state.withLock { current in
            current.follower?.cancel()
            current.follower = nil
            guard current.delegate.value != nil, isConfigured else { return }
            let handlesOpening = current.handlesOpening
            // The task does not retain this object, so that `deinit` can cancel the task.
            current.follower = Task { [session, state] in
                await Self.follow(session, state, handlesOpening: handlesOpening)
            }
        }
    }

    private static func follow(
        _ session: AppSession, _ state: Locked<State>, handlesOpening: Bool
    ) async {
        do {
            let since = state.withLock { $0.position }
            var entries = WatchEntries(session, since: since, handlesOpening: handlesOpening)
            while true {
                let entry = try await entries.next()
                try Task.checkCancellation()
                if entry.type != .snapshot {
                    state.withLock { $0.position = entry.sequence }
                }
                if let delegate = state.withLock({ $0.delegate }).value {
                    report(entry, to: delegate)
                } else if entry.type != .snapshot {
                    // The delegate was released, so the app cannot show the conversation that the user
                    // opened. Open the window instead.
                    guard handlesOpening, let opened = Openings.Element(entry), opened.source != .app else {
                        return
                    }
                    _ = try await session.ask(OpenInbox(conversation: opened.conversationId))
                    return
                }
            }
        } catch is CancellationError {
            // The task was cancelled, for example because another delegate was set.
        } catch { AppSession.log("the delegate receives nothing more: \(error)") }
    }

    private static func report(_ entry: Watch.Reply, to delegate: any CutiEPushNotificationDelegate) {
        if let opened = Openings.Element(entry) {
            delegate.cutiEShouldOpenConversation(conversationId: opened.conversationId)
        } else if let message = entry.message, !message.own {
            delegate.cutiEDidReceiveMessage(
                conversationId: message.conversationId, messagePreview: message.message)
        }
    }
}

// MARK: - Permission

extension CutiEPushNotifications {
    /// Whether the user is known to allow replies.
    public var isEnabled: Bool { session.permission == .authorized }

    /// Waits for the answer to the question of `configure`, and calls `completion` once on the main queue.
    /// Asks again if the user did not answer, or refused at least a day ago.
    public func requestPermission(completion: @escaping (Bool) -> Void) {
        nonisolated(unsafe) let completion = completion
        Task {
            let isAllowed = await requestPermission()
            await MainActor.run { completion(isAllowed) }
        }
    }

    /// Returns whether the user allows replies; `false` if the user has not allowed them or cutied cannot
    /// ask. Asks again if the user did not answer, or refused at least a day ago.
    public func requestPermission() async -> Bool {
        do {
            try await session.askAgain()
            follow()
            return true
        } catch {
            AppSession.log("replies are not allowed: \(error)")
            return false
        }
    }

    /// Calls `completion` once on the main queue with the last known answer of the user. Does not ask the
    /// user.
    public func checkPermissionStatus(completion: @escaping (UNAuthorizationStatus) -> Void) {
        nonisolated(unsafe) let completion = completion
        let status = session.permission
        Task { await MainActor.run { completion(status) } }
    }

    /// Sets the badge to 0 on this desktop, in the background. Does not mark messages as read.
    public func clearBadgeCount() {
        session.setUnread(0)
        guard session.isConfigured else { return }
        session.inBackground { [session] in _ = try await session.ask(ClearBadge()) }
    }
}

// MARK: - Push services

extension CutiEPushNotifications {
    /// Does nothing, because cutied receives replies itself.
    public func registerForRemoteNotifications() {}

    /// Registers the token of a push service like ``registerToken(_:)``.
    public func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {
        registerToken(deviceToken.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    /// Writes the error to standard error.
    public func didFailToRegisterForRemoteNotifications(withError error: any Error) {
        AppSession.log("no push service: \(CutiEError.sentence(of: error))")
    }

    /// Registers the address that your own push service uses to reach the app, in the background.
    ///
    /// - Returns: an error if the token is invalid or the app is not configured.
    @discardableResult
    public func registerToken(_ token: String) -> Result<Void, CutiEError> {
        if let problem = validatePushToken(token) { return .failure(problem) }
        guard session.isConfigured else { return .failure(.notConfigured) }
        session.inBackground { [session] in _ = try await session.ask(RegisterPush(token: token)) }
        return .success(())
    }

    /// Returns an error if the token is invalid; `nil` if the token consists of 32 to 200 hexadecimal
    /// characters.
    public func validatePushToken(_ token: String) -> CutiEError? {
        if token.isEmpty { return .invalidPushToken("the token is empty") }
        if token.count < 32 { return .invalidPushToken("the token has fewer than 32 characters") }
        if token.count > 200 { return .invalidPushToken("the token has more than 200 characters") }
        let isHexadecimal = token.allSatisfy { $0.isASCII && $0.isHexDigit }
        return isHexadecimal ? nil : .invalidPushToken("the token is not hexadecimal")
    }

    /// Removes the address of the push service, in the background, and calls `completion` once on a
    /// background thread.
    public func unregisterToken(completion: ((Result<Void, CutiEError>) -> Void)? = nil) {
        nonisolated(unsafe) let completion = completion
        Task {
            let result = await session.result { _ = try await session.ask(RegisterPush(token: nil)) }
            completion?(result)
        }
    }
}

// MARK: - Payloads

extension CutiEPushNotifications {
    /// Returns whether a push payload comes from Cuti-E.
    public func isCutiENotification(_ userInfo: [AnyHashable: Any]) -> Bool {
        userInfo["conversation_id"] != nil || userInfo["cutie"] != nil
    }

    /// Notifies the delegate, on this thread, of the reply in a push payload that your app received. Returns
    /// `false` if the payload does not come from Cuti-E.
    @discardableResult
    public func handleNotification(_ userInfo: [AnyHashable: Any]) -> Bool {
        guard isCutiENotification(userInfo) else { return false }
        if let id = userInfo["conversation_id"] as? String {
            delegate?.cutiEDidReceiveMessage(conversationId: id, messagePreview: Self.preview(of: userInfo))
        }
        return true
    }

    /// Notifies the delegate, on this thread, that the user opened the conversation of a push payload.
    /// Returns `false` if the payload does not come from Cuti-E.
    @discardableResult
    public func handleNotificationTap(_ userInfo: [AnyHashable: Any]) -> Bool {
        guard isCutiENotification(userInfo) else { return false }
        if let id = userInfo["conversation_id"] as? String {
            delegate?.cutiEShouldOpenConversation(conversationId: id)
        }
        return true
    }

    private static func preview(of userInfo: [AnyHashable: Any]) -> String? {
        guard let service = userInfo["aps"] as? [AnyHashable: Any] else { return nil }
        if let text = service["alert"] as? String { return text }
        return (service["alert"] as? [AnyHashable: Any])?["body"] as? String
    }
}

extension CutiE {
    /// Registers the token of a push service. See ``CutiEPushNotifications/registerToken(_:)``.
    @discardableResult
    public func registerForPushNotifications(deviceToken: String) -> Result<Void, CutiEError> {
        pushNotifications.registerToken(deviceToken)
    }
}
