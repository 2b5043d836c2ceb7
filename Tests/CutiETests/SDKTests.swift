import AccessAPI
import Foundation
import TestSupport
import Testing

@testable import CutiE

/// Tests of the functions that return immediately and report their result to a completion handler.
struct SDKTests {
    private let server: FakeAccessServer
    private let cutiE: CutiE

    init() throws {
        server = try FakeAccessServer()
        cutiE = CutiE(socket: server.socket)
    }

    /// Calls `createConversation` and returns the result that its completion handler received.
    private func create(_ message: String) async -> Result<String, CutiEError> {
        await withCheckedContinuation { continuation in
            cutiE.createConversation(category: .bug, message: message) { continuation.resume(returning: $0) }
        }
    }

    @Test
    func `A new conversation is created after the app's settings have been sent, and its ID is returned`()
        async throws
    {
        try await server.running {
            cutiE.configure(appId: "app_1")
            cutiE.setUserName("Ada")
            cutiE.setAppMetadata(version: "2.0", build: "7")
            let id = try await create("It crashes").get()
            #expect(id == "conv_1")
        }
        #expect(try server.received(SetUser.self).map(\.userName) == ["Ada"])
        #expect(try server.received(SetAppMetadata.self).map(\.version) == ["2.0"])
    }

    @Test func `Without a daemon, the completion handler is called once with a network error`() async {
        let cutiE = CutiE(socket: "/nowhere/access.sock")
        cutiE.configure(appId: "app_1")
        let result = await withCheckedContinuation { continuation in
            cutiE.createConversation(category: .bug, message: "a") { continuation.resume(returning: $0) }
        }
        guard case .failure(.networkError) = result else { return #expect(Bool(false), "\(result)") }
        #expect(cutiE.isConfigured, "the daemon may start later")
    }

    @Test func `Before "configure", sending a message completes with an error`() async {
        #expect(await create("a") == .failure(.notConfigured))
    }

    @Test func `A send call completes when its queued message has been sent, and uses one idempotency key`()
        async throws
    {
        try await server.running {
            try await cutiE.configured()
            server.queue(calls: 2)
            let sent = try await cutiE.sendMessage(conversationId: "conv_1", message: "Hello")
            #expect(sent.id == "msg_1")
        }
        let keys = try server.received(SendMessage.self).map(\.idempotencyKey)
        #expect(keys.count == 3 && Set(keys).count == 1)
    }

    @Test func `A send call stops waiting for a queued message if its task is cancelled`() async throws {
        try await server.running {
            try await cutiE.configured()
            server.queue(calls: 1000)
            let sending = Task { try await cutiE.sendMessage(conversationId: "conv_1", message: "Hello") }
            try await eventually("the message is queued") { try !server.received(SendMessage.self).isEmpty }
            sending.cancel()
            await #expect(throws: CancellationError.self) { try await sending.value }
        }
    }

    @Test func `A call succeeds if the daemon was started after the previous call failed`() async throws {
        cutiE.configure(appId: "app_1")
        await #expect(throws: CutiEError.self) { try await cutiE.ready() }
        try await server.running {
            let unread = try await cutiE.getUnreadCount()
            #expect(unread == 0)
        }
    }

    @Test func `Consent is stored by the daemon and is available after the next "configure"`()
        async throws
    {
        try await server.running {
            #expect(!cutiE.analyticsEnabled && !cutiE.hasAskedForAnalyticsConsent)
            cutiE.setAnalyticsConsent(true)
            try await cutiE.configured()
            let restarted = CutiE(socket: server.socket)
            try await restarted.configured()
            #expect(restarted.analyticsEnabled && restarted.hasAskedForAnalyticsConsent)
            restarted.analyticsEnabled = false
            try await restarted.ready()
        }
        #expect(try server.received(SetConsent.self).map(\.enabled) == [true, false])
    }

    @Test func `Consent that the user gave in the daemon's dialog is not sent back to the daemon`()
        async throws
    {
        try await server.running {
            try await cutiE.configured()
            let answer = await withCheckedContinuation { continuation in
                cutiE.requestAnalyticsConsent { continuation.resume(returning: $0) }
            }
            #expect(answer && cutiE.analyticsEnabled)
            try await cutiE.ready()
        }
        #expect(try server.received(SetConsent.self).isEmpty)
    }

    @Test func `The SDK can create, confirm and remove links`() async throws {
        try await server.running {
            try await cutiE.configured()
            let offer = try await cutiE.initiateLinkToken()
            #expect((offer.linkToken, offer.expiresIn, offer.hasExistingGroup) == ("lt_1", 600, false))
            #expect(offer.expirationDate == Date(timeIntervalSince1970: 1_763_700_600))
            let status = try await cutiE.checkLinkStatus(token: offer.linkToken)
            #expect((status.status, status.groupId, status.linkToken) == (.confirmed, "group_1", "lt_1"))
            #expect(try await cutiE.confirmLink(token: "lt_2", deviceName: "Desk").groupId == "group_1")
            let devices = try await cutiE.getLinkedDevices()
            #expect(devices.linked && devices.devices.map(\.id) == ["device_1"])
            try await cutiE.unlinkDevice("device_1")
        }
        #expect(try server.received(ConfirmLink.self).map(\.deviceName) == ["Desk"])
        #expect(try server.received(UnlinkDevice.self).map(\.device) == ["device_1"])
    }

    @Test func `The feedback form returns the ID of the next conversation that the user starts`() async throws
    {
        try await server.running {
            try await cutiE.configured()
            server.addMessage("Before", in: "conv_0", own: true)
            let id = Shared("")
            cutiE.showFeedback { id.value = $0 }
            try await eventually("the form") { try !server.received(OpenForm.self).isEmpty }
            server.addMessage("After", in: "conv_7", own: true)
            try await eventually("the id") { id.value == "conv_7" }
        }
    }
}

/// Tests that the models encode to and decode from the JSON of the API.
struct ModelTests {
    private func unchanged<Model: Codable>(_ type: Model.Type, _ json: String) throws -> Model {
        let model = try JSONDecoder().decode(type, from: Data(json.utf8))
        let again = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(model)) as? NSDictionary
        let former = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
        #expect(again == former)
        return model
    }

    @Test func `Each model is unchanged after it is decoded and encoded`() throws {
        let conversation = try unchanged(
            Conversation.self,
            """
            {"conversation_id":"c","customer_id":"k","user_id":"u","user_name":"Ada","device_id":"d",
            "title":"T","category":"bug","status":"in_progress","priority":"high","assigned_admin_id":"a",
            "app_id":"app","app_name":"Notes","message_count":2,"unread_count":1,"messages":[
            {"message_id":"m","conversation_id":"c","sender_type":"admin","sender_id":"a","sender_name":"Mia",
            "sender_avatar_url":"https://a.example/m.png","message":"Hi","message_type":"text",
            "is_internal_note":false,"created_at":1763700000123}],
            "tags":[{"tag_id":"t","conversation_id":"c","tag_name":"ui","tag_color":"#f00"}],
            "created_at":1763700000123,"updated_at":1763700000124}
            """)
        #expect((conversation.status, conversation.category) == (.inProgress, .bug))
        #expect(conversation.hasUnread && conversation.tags?.first?.tagName == "ui")
        #expect(conversation.updatedDate == Date(timeIntervalSince1970: 1_763_700_000.124))
        _ = try unchanged(
            LinkTokenResponse.self,
            #"{"link_token":"t","expires_at":1,"expires_in":2,"has_existing_group":true}"#)
        _ = try unchanged(LinkConfirmResponse.self, #"{"success":true,"group_id":"g","message":"m"}"#)
        _ = try unchanged(
            LinkStatusResponse.self,
            #"{"status":"pending","link_token":"t","group_id":"g","target_device_name":"n","confirmed_at":1,"expires_at":2}"#
        )
        _ = try unchanged(
            LinkedDevicesResponse.self,
            #"{"linked":true,"group_id":"g","devices":[{"device_id":"d","device_name":"n","joined_at":1,"is_primary":true,"is_current":false}]}"#
        )
        _ = try unchanged(
            AttestationStatus.self,
            #"{"attested":true,"attestation":{"key_id":"k","environment":"production","sign_count":3,"created_at":1,"last_assertion_at":2}}"#
        )
    }

    @Test func `An unknown status is decoded as open, and an unknown value of another type as nil`() throws {
        let json = #"{"conversation_id":"c","status":"parked","category":"x","priority":"y","created_at":1}"#
        let conversation = try JSONDecoder().decode(Conversation.self, from: Data(json.utf8))
        #expect((conversation.status, conversation.category, conversation.priority) == (.open, nil, nil))
        #expect(conversation.updatedDate == conversation.createdDate)
    }

    @Test func `Each level of the device context contains the same fields as in the Cuti-E SDK`() {
        #expect(DeviceContextConfig.none.enabledFields == [])
        #expect(DeviceContextConfig.minimal.enabledFields == [.appVersion])
        #expect(
            DeviceContextConfig.standard.enabledFields == [.language, .country, .appVersion, .osVersion])
        #expect(DeviceContextConfig.all.enabledFields == Set(DeviceContextField.allCases))
        #expect(DeviceContextConfig.custom([.country]).enabledFields == [.country])
    }

    private static let errors: [(CutiEError, String)] = [
        (.networkError(ConnectionProblem(reason: "no network")), "Network error: no network"),
        (.serverError(500, ""), "Server error (500): Unknown error"),
        (.serverError(404, "no such thing"), "Server error (404): no such thing"),
        (.decodingError("bad"), "bad"), (.invalidPushToken("short"), "Invalid push token: short"),
    ]

    @Test func `Errors have the same messages as in the Cuti-E SDK`() {
        for (error, sentence) in Self.errors { #expect(error.localizedDescription == sentence) }
        #expect(CutiEError.decodingError().errorDescription?.isEmpty == false)
    }
}
