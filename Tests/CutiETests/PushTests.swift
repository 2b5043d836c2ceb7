import AccessAPI
import Foundation
import TestSupport
import Testing

@testable import CutiE

/// Tests of the delegate, the notification permission and the push tokens.
struct PushTests {
    private let server: FakeAccessServer
    private let cutiE: CutiE
    private var push: CutiEPushNotifications { cutiE.pushNotifications }

    init() throws {
        server = try FakeAccessServer()
        cutiE = CutiE(socket: server.socket)
    }

    private final class Delegate: CutiEPushNotificationDelegate {
        let calls: Shared<[String]>
        init(_ calls: Shared<[String]>) { self.calls = calls }

        func cutiEDidReceiveMessage(conversationId: String, messagePreview: String?) {
            calls.value.append("\(conversationId): \(messagePreview ?? "-")")
        }
        func cutiEShouldOpenConversation(conversationId: String) {
            calls.value.append("open \(conversationId)")
        }
    }

    @Test func `The delegate is notified of replies and opened conversations`() async throws {
        let calls = Shared<[String]>([])
        let delegate = Delegate(calls)
        try await server.running {
            push.delegate = delegate
            try await cutiE.configured()
            server.addMessage("Mine", in: "conv_1", own: true)
            server.addMessage("Hi", in: "conv_1")
            server.open("conv_1", by: "notification")
            try await eventually("both calls of the delegate") {
                calls.value == ["conv_1: Hi", "open conv_1"]
            }
        }
        #expect(try server.received(Watch.self).allSatisfy { $0.handlesOpening == nil })
        withExtendedLifetime(delegate) {}
    }

    @Test
    func `The library does not retain the delegate, and without a delegate a click opens the window`()
        async throws
    {
        let calls = Shared<[String]>([])
        try await server.running {
            try await cutiE.configured()
            var delegate: Delegate? = Delegate(calls)
            push.delegate = delegate
            push.handlesOpening = true
            try await eventually("the watch that handles clicks begins") {
                try server.received(Watch.self).contains { $0.handlesOpening == true }
            }
            server.addMessage("Hi", in: "conv_1")
            try await eventually("the reply") { calls.value.count == 1 }
            withExtendedLifetime(delegate) {}
            delegate = nil
            #expect(push.delegate == nil)
            server.open("conv_1", by: "notification")
            try await eventually("the window") {
                try server.received(OpenInbox.self).map(\.conversation) == ["conv_1"]
            }
        }
        #expect(calls.value.count == 1)
    }

    @Test func `The sequence of opened conversations contains each conversation and its source`() async throws
    {
        try await server.running {
            try await cutiE.configured()
            var openings = cutiE.openings(handlingOpening: true).makeAsyncIterator()
            server.addMessage("Hi", in: "conv_1")
            server.open("conv_1", by: "link")
            let opening = try await openings.next()
            #expect(opening?.conversationId == "conv_1" && opening?.source == .link)
        }
        #expect(try server.received(Watch.self).contains { $0.handlesOpening == true })
    }

    @Test func `An unanswered question does not count as a refusal, and only "requestPermission" asks again`()
        async throws
    {
        try await server.running {
            server.refuse(Configure.self, with: NotAllowed(reason: "no answer", unanswered: true))
            cutiE.configure(appId: "app_1")
            for _ in 1...2 {
                await #expect(throws: CutiEError.serverError(408, "no answer")) { try await cutiE.ready() }
            }
            #expect(try server.received(Configure.self).count == 1)
            #expect(cutiE.session.permission == .notDetermined && !cutiE.isConfigured)
            let isAllowed = try await cutiE.requestPermission()
            #expect(!isAllowed && cutiE.session.permission == .notDetermined)
            server.refuse(Configure.self, with: nil)
            #expect(await push.requestPermission())
            #expect(cutiE.session.permission == .authorized && cutiE.isConfigured)
        }
    }

    @Test func `"requestPermission" returns the user's answer, and false after an error`() async throws {
        #expect(await !push.requestPermission())
        try await server.running {
            server.refuse(Configure.self, with: NotAllowed(reason: "no"))
            cutiE.configure(appId: "app_1")
            #expect(await !push.requestPermission())
            #expect(cutiE.session.permission == .denied && !push.isEnabled)
            server.refuse(Configure.self, with: nil)
            let isAllowed = await withCheckedContinuation { continuation in
                push.requestPermission { continuation.resume(returning: $0) }
            }
            #expect(isAllowed && push.isEnabled)
            let status = await withCheckedContinuation { continuation in
                push.checkPermissionStatus { continuation.resume(returning: $0) }
            }
            #expect(status == .authorized)
            push.clearBadgeCount()
            try await eventually("the badge") { try server.received(ClearBadge.self).count == 1 }
        }
    }

    @Test(arguments: [
        ("", "empty"), ("ab", "fewer"), (String(repeating: "a", count: 201), "more"),
        (String(repeating: "g", count: 32), "hexadecimal"),
        (String(repeating: "é", count: 32), "hexadecimal"),
    ])
    func `An invalid push token is rejected with a reason`(token: String, reason: String) {
        guard case .invalidPushToken(let text) = push.validatePushToken(token) else {
            return #expect(Bool(false), "\(token)")
        }
        #expect(text.contains(reason))
        #expect(throws: CutiEError.self) { try push.registerToken(token).get() }
    }

    @Test func `A push token is registered in lower case and can be removed`() async throws {
        #expect(throws: CutiEError.notConfigured) {
            try push.registerToken(String(repeating: "a", count: 64)).get()
        }
        try await server.running {
            try await cutiE.configured()
            push.didRegisterForRemoteNotifications(withDeviceToken: Data(repeating: 0xAB, count: 32))
            try await eventually("the token") { try server.received(RegisterPush.self).count == 1 }
            let result = await withCheckedContinuation { continuation in
                push.unregisterToken { continuation.resume(returning: $0) }
            }
            try result.get()
        }
        #expect(
            try server.received(RegisterPush.self).map(\.token) == [String(repeating: "ab", count: 32), nil])
    }

    @Test func `A push payload from Cuti-E is passed to the delegate on the caller's thread`() {
        let calls = Shared<[String]>([])
        let delegate = Delegate(calls)
        push.delegate = delegate
        #expect(push.handleNotification(["conversation_id": "c", "aps": ["alert": ["body": "x"]]]))
        #expect(push.handleNotification(["conversation_id": "c", "aps": ["alert": "y"]]))
        #expect(push.handleNotification(["conversation_id": "c"]))
        #expect(push.handleNotificationTap(["conversation_id": "c"]))
        #expect(push.handleNotification(["cutie": 1]))
        #expect(!push.handleNotification(["other": "c"]))
        #expect(!push.handleNotificationTap([:]))
        #expect(calls.value == ["c: x", "c: y", "c: -", "open c"])
    }

    @Test
    func `App Attest is reported as unsupported, and an attempt to generate an assertion throws an error`()
        async
    {
        #expect(!cutiE.appAttest.isSupported && !cutiE.appAttest.isAttested)
        await #expect(throws: AppAttestError.self) {
            try await cutiE.appAttest.generateAssertion(for: Data())
        }
    }
}
