import AccessAPI
import Foundation
import TestSupport
import Testing

@testable public import CutiE

/// Tests of the library's calls over a real socket.
struct ConversationTests {
    private let server: FakeAccessServer
    private let cutiE: CutiE

    init() throws {
        server = try FakeAccessServer()
        cutiE = CutiE(socket: server.socket)
    }

    @Test func `The question about an app contains the app's name, and approval configures the app`()
        async throws
    {
        try await server.running {
            #expect(!cutiE.isConfigured)
            cutiE.configure(
                appId: "app_1", apiURL: "http://127.0.0.1:1", appName: "Notes", bundleId: "org.example.Notes",
                useAppAttest: true, deviceContext: .custom([.language, .country]))
            #expect(cutiE.isConfigured)
            try await cutiE.ready()
            #expect(cutiE.configuration?.deviceID == "device_1")
        }
        let asked = try #require(try server.received(Configure.self).first)
        #expect((asked.appId, asked.apiUrl) == ("app_1", "http://127.0.0.1:1"))
        #expect((asked.appName, asked.bundleId) == ("Notes", "org.example.Notes"))
        #expect((asked.useAppAttest, asked.deviceContext) == (true, ["country", "language"]))
    }

    @Test func `The question about an app without a name shows the file name of the app's executable`()
        async throws
    {
        try await server.running { try await cutiE.configured() }
        let name = try #require(try server.received(Configure.self).first?.appName)
        #expect(!name.isEmpty && !name.contains("/"))
    }

    @Test func `Calls before "configure" fail without reaching the daemon`() async throws {
        try await server.running {
            await #expect(throws: CutiEError.notConfigured) { try await cutiE.getConversations() }
            await #expect(throws: CutiEError.notConfigured) { try await cutiE.requestPermission() }
        }
        #expect(try server.received(ListConversations.self).isEmpty)
    }

    @Test func `After a refusal, only "requestPermission" asks the user again`() async throws {
        try await server.running {
            server.refuse(Configure.self, with: NotAllowed(reason: "not now"))
            await #expect(throws: CutiEError.serverError(403, "not now")) {
                try await cutiE.configured()
            }
            #expect(!cutiE.isConfigured)
            let refused = try await cutiE.requestPermission()
            #expect(!refused)
            server.refuse(Configure.self, with: nil)
            let allowed = try await cutiE.requestPermission()
            #expect(allowed)
            #expect(cutiE.isConfigured)
        }
    }

    @Test func `An app can create a conversation, and receives the reply`() async throws {
        try await server.running {
            try await cutiE.configured()
            let receipt = try await cutiE.submitConversation(
                category: .bug, message: "It crashes", title: "Crash")
            let id = try #require(receipt.conversationId)
            #expect(!receipt.isQueued)
            server.addMessage("Which version?", in: id)
            let answered = try await cutiE.sendMessage(conversationId: id, message: "2.0")
            #expect(answered.id == "msg_3" && answered.message == "2.0" && answered.senderType == .user)
            #expect(try await cutiE.submitMessage(conversationId: id, message: "3").messageId == "msg_4")
            let conversation = try await cutiE.getConversation(id: id)
            #expect(conversation.messages?.map(\.message) == ["It crashes", "Which version?", "2.0", "3"])
            #expect(conversation.messages?.map(\.senderType) == [.user, .admin, .user, .user])
            #expect(
                conversation.messages?.first?.createdDate == Date(timeIntervalSince1970: 1_763_700_000.123))
            #expect((conversation.category, conversation.title) == (.bug, "Crash"))
            let list = try await cutiE.getConversations(limit: 5)
            #expect(list.map(\.id) == [id])
            #expect(list.first?.messages == nil)
        }
        #expect(try server.received(ListConversations.self).map(\.limit) == [5])
    }

    @Test func `A message is sent again with the same idempotency key if the daemon stops during the call`()
        async throws
    {
        server.stall(true)
        try await withThrowingTaskGroup(of: Receipt.self) { group in
            try await server.running {
                try await cutiE.configured()
                group.addTask { try await cutiE.submitConversation(category: .question, message: "Hello?") }
                try await eventually("the call arrives") {
                    try !server.received(CreateConversation.self).isEmpty
                }
            }
            server.stall(false)
            try await server.running {
                let receipt = try await group.next()
                #expect(receipt?.conversationId == "conv_1")
            }
        }
        let keys = try server.received(CreateConversation.self).map(\.idempotencyKey)
        #expect(keys.count == 2)
        #expect(Set(keys).count == 1 && keys[0] != nil)
    }

    @Test func `The unread count equals the daemon's count, and is 0 after the badge has been cleared`()
        async throws
    {
        try await server.running {
            try await cutiE.configured()
            #expect(cutiE.unreadCount == 0)
            server.addMessage("One", in: "conv_1")
            server.addMessage("Two", in: "conv_1")
            #expect(try await cutiE.getUnreadCount() == 2)
            #expect(cutiE.unreadCount == 2)
            try await cutiE.clearBadgeCount()
            #expect(cutiE.unreadCount == 0)
            try await cutiE.markAllMessagesRead()
            try await cutiE.markAllMessagesRead(conversationId: "conv_1")
            cutiE.showInbox(conversationId: "conv_1")
            try await eventually("the inbox") { try !server.received(OpenInbox.self).isEmpty }
        }
        #expect(try server.received(MarkRead.self).map(\.conversation) == [nil, "conv_1"])
        #expect(try server.received(OpenInbox.self).map(\.conversation) == ["conv_1"])
    }

    @Test
    func `Settings made before "configure" are sent afterwards, and a new name does not change the user ID`()
        async throws
    {
        cutiE.setUserId("u1")
        cutiE.setAppMetadata(version: "2.0", build: "7")
        try await server.running {
            try await cutiE.configured()
            cutiE.setUserName("Ada")
            try await cutiE.ready()
            cutiE.setUserID(nil)
            try await cutiE.ready()
        }
        #expect(try server.received(SetUser.self).map(\.userId) == ["u1", "u1", nil])
        #expect(try server.received(SetUser.self).map(\.userName) == [nil, "Ada", "Ada"])
        #expect(try server.received(SetAppMetadata.self).map(\.version) == ["2.0"])
    }
}

extension CutiE {
    /// Configures the app, and waits for the user's answer.
    func configured(appId: String = "app_1") async throws {
        configure(appId: appId)
        try await ready()
    }
}

extension CutiEError: Equatable {
    public static func == (left: CutiEError, right: CutiEError) -> Bool { "\(left)" == "\(right)" }
}
