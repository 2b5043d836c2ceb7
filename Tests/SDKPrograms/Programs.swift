import CutiE
import Foundation

// Programs in the style of app developers. They must compile without changes in language modes 5 and 6.

/// Programs that call the SDK in a synchronous function.
enum SynchronousPrograms {
    static func configure(_ appId: String) {
        CutiE.shared.configure(appId: appId)
        print("isConfigured \(CutiE.shared.isConfigured)")
    }

    static func configureCompletely(_ appId: String, _ url: String) {
        CutiE.shared.configure(
            appId: appId, apiURL: "http://example.org", useAppAttest: true,
            deviceContext: .custom([.language, .country]))
        print("isConfigured \(CutiE.shared.isConfigured)")
        CutiE.shared.configure(
            appId: appId, apiURL: url, useAppAttest: true, deviceContext: .custom([.language, .country]))
        print("isConfigured \(CutiE.shared.isConfigured)")
    }

    static func create(_ appId: String, _ url: String) {
        let done = DispatchSemaphore(value: 0)
        let log = Log()
        CutiE.shared.configure(appId: appId, apiURL: url)
        CutiE.shared.setUserID("u1")
        CutiE.shared.setUserName("Ada")
        CutiE.shared.setAppMetadata(version: "2.0", build: "7")
        CutiE.shared.createConversation(category: .bug, message: "It crashes", title: "Crash") { result in
            switch result {
            case .success(let id): log.lines.append("created \(id)")
            case .failure(let error): log.lines.append("failed: \(error.localizedDescription)")
            }
            done.signal()
        }
        done.wait()
        print(log.lines.joined(separator: "\n"))
    }

    static func push() {
        let notifications = CutiE.shared.pushNotifications
        notifications.clearBadgeCount()
        let isOurs = notifications.handleNotification([
            "conversation_id": "c", "aps": ["alert": ["body": "x"]],
        ])
        print("isOurs \(isOurs)")
        CutiEPushNotifications.shared.registerToken("zz")
        notifications.unregisterToken()
    }

    static func consent() {
        CutiE.shared.setAnalyticsConsent(true)
        print("enabled \(CutiE.shared.analyticsEnabled) asked \(CutiE.shared.hasAskedForAnalyticsConsent)")
    }
}

/// A class that is not Sendable. Completion handlers capture its instances.
final class Log {
    var lines: [String] = []
}

final class ReplyDelegate: CutiEPushNotificationDelegate {
    func cutiEDidReceiveMessage(conversationId: String, messagePreview: String?) {
        print("reply \(messagePreview ?? "-")")
        fflush(nil)
    }
}

final class OpeningDelegate: CutiEPushNotificationDelegate {
    func cutiEShouldOpenConversation(conversationId: String) {
        print("open \(conversationId)")
        fflush(nil)
    }
}

/// Programs that call the SDK in an asynchronous function.
enum AsynchronousPrograms {
    static func configure(_ appId: String) async {
        CutiE.shared.configure(appId: appId)
        print("isConfigured \(CutiE.shared.isConfigured)")
    }

    static func configureCompletely(_ appId: String, _ url: String) async {
        CutiE.shared.configure(
            appId: appId, apiURL: "http://example.org", useAppAttest: true,
            deviceContext: .custom([.language, .country]))
        print("isConfigured \(CutiE.shared.isConfigured)")
        CutiE.shared.configure(
            appId: appId, apiURL: url, useAppAttest: true, deviceContext: .custom([.language, .country]))
        print("isConfigured \(CutiE.shared.isConfigured)")
    }

    static func create(_ appId: String, _ url: String) async {
        CutiE.shared.configure(appId: appId, apiURL: url)
        CutiE.shared.setUserId("u1")
        CutiE.shared.setUserName("Ada")
        CutiE.shared.setAppMetadata(version: "2.0", build: "7")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            CutiE.shared.createConversation(category: .question, message: "Where?") { result in
                switch result {
                case .success(let id): print("created \(id)")
                case .failure(let error): print("failed: \(error.localizedDescription)")
                }
                continuation.resume()
            }
        }
    }

    static func list() async throws {
        for conversation in try await CutiE.shared.getConversations() {
            print(
                conversation.title ?? "-", conversation.status.displayName, conversation.unreadCount ?? 0,
                conversation.hasUnread, conversation.category?.color ?? "")
        }
    }

    static func read(_ id: String) async throws {
        let conversation = try await CutiE.shared.getConversation(id: id)
        let messages = (conversation.messages ?? []).sorted { $0.createdAt < $1.createdAt }
        for message in messages {
            switch message.senderType {
            case .user: print("user: \(message.message)")
            case .admin: print("admin: \(message.message)")
            case .system: print("system: \(message.message)")
            }
        }
    }

    static func send(_ id: String, _ text: String) async throws {
        let message = try await CutiE.shared.sendMessage(conversationId: id, message: text)
        print("sent \(message.id)")
    }

    static func push() async {
        let notifications = CutiE.shared.pushNotifications
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            notifications.requestPermission { isAllowed in
                print("callback \(isAllowed)")
                continuation.resume()
            }
        }
        print("async \(await notifications.requestPermission())")
        notifications.clearBadgeCount()
        print(
            "isOurs \(notifications.handleNotification(["conversation_id": "c", "aps": ["alert": ["body": "x"]]]))"
        )
    }

    static func link() async throws {
        let offer = try await CutiE.shared.initiateLinkToken()
        print("token \(offer.linkToken)")
        fflush(nil)
        while try await CutiE.shared.checkLinkStatus(token: offer.linkToken).status != .confirmed {
            try await Task.sleep(nanoseconds: 200_000_000)
        }
        let devices = try await CutiE.shared.getLinkedDevices().devices
        print("devices \(devices.count)")
        fflush(nil)
        for device in devices where !device.isCurrent {
            try await CutiE.shared.unlinkDevice(device.deviceId)
            print("removed \(device.deviceName)")
        }
    }

    static func consent() async {
        CutiE.shared.setAnalyticsConsent(true)
        print("enabled \(CutiE.shared.analyticsEnabled) asked \(CutiE.shared.hasAskedForAnalyticsConsent)")
    }
}
