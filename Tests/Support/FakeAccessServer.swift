public import AccessAPI
import Foundation
import JSONReading
import Synchronization
public import Varlink
import VarlinkSocket

/// A real access socket with a simulated developer, who replies to each conversation immediately. All
/// requests are allowed. Stopping and restarting the server preserves its state.
public final class FakeAccessServer: Sendable {
    public let directory: TemporaryDirectory
    public var socket: String { directory.file("access.sock") }
    private let state = Mutex(State())

    fileprivate struct State {
        var log: [Watch.Reply] = []
        var conversations: [AppConversation] = []
        var messages: [AppMessage] = []
        var calls: [Call] = []
        var refusals: [String: any Fault] = [:]
        var isStalled = false
        var answer: String?
        var consent: Bool?
        /// The number of upcoming calls whose messages are queued instead of sent.
        var queuedCalls = 0
    }

    /// Creates a server whose developer replies to each new conversation with `answer`.
    public init(answering answer: String? = nil) throws {
        directory = try TemporaryDirectory()
        state.withLock { $0.answer = answer }
    }

    /// Serves the socket while `body` runs.
    public func running(while body: () async throws -> Void) async throws {
        let service = try Service(
            information: .init(vendor: "test", product: "test", version: "0", url: ""),
            interfaces: [try VarlinkInterface(parsing: AccessInterface.description)],
            implementations: [conversationMethods, appMethods],
            admitting: { [self] call, _ in try admit(call) },
            fault: { Failed(reason: "\($0)") })
        let server = Server(listener: try ListeningSocket(bindingTo: socket), service: service)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Makes all calls of `method` fail with `fault`. `nil` restores the normal behavior.
    public func refuse<M: AccessMethod>(_ method: M.Type, with fault: (any Fault)?) {
        state.withLock { $0.refusals[M.name] = fault }
    }

    /// If `isStalled` is true, delays the creation of conversations until this function is called with false.
    public func stall(_ isStalled: Bool) { state.withLock { $0.isStalled = isStalled } }

    /// Makes the next `count` calls queue their message, as if the API were unreachable.
    public func queue(calls count: Int) { state.withLock { $0.queuedCalls = count } }

    /// Notifies watching apps that the user opened a conversation.
    public func open(_ conversation: String, by source: String) {
        state.withLock { state in
            let next = Int64(state.log.count + 1)
            state.log.append(
                .init(
                    sequence: next, type: .opened, at: 0, conversation: conversation,
                    openedBy: source))
        }
    }

    /// Returns the received calls of `method`, oldest first.
    public func received<M: AccessMethod>(_ method: M.Type) throws -> [M] {
        let calls = state.withLock { $0.calls.filter { $0.method == M.name } }
        return try calls.map { try $0.decodeParameters(as: method) }
    }

    /// Adds a message and sends its event to watching apps.
    @discardableResult
    public func addMessage(_ text: String, in conversation: String, own: Bool = false) -> AppMessage {
        state.withLock { $0.addMessage(text, in: conversation, own: own) }
    }

    /// Sends an event without a message to watching apps.
    public func sendEntry(_ entry: WatchEntry, badge: Int? = nil) {
        state.withLock { state in
            let next = Int64(state.log.count + 1)
            state.log.append(.init(sequence: next, type: entry, at: 0, badge: badge))
        }
    }

    private func admit(_ call: Call) throws {
        let refusal = state.withLock { state in
            state.calls.append(call)
            return state.refusals[call.method]
        }
        if let refusal { throw refusal }
    }
}

extension FakeAccessServer {
    private var conversationMethods: Implementation {
        Implementation()
            .on { [self] (call: CreateConversation) in
                try await eventually("the server is no longer stalled") { !state.withLock { $0.isStalled } }
                if isQueued { return .init(queued: true) }
                return .init(conversationId: state.withLock { $0.begin(call) }, queued: false)
            }
            .on { [self] (call: SendMessage) in
                if isQueued { return .init(queued: true) }
                return .init(
                    messageId: addMessage(call.message, in: call.conversation, own: true).messageId,
                    queued: false)
            }
            .on { [self] (_: ListConversations) in
                state.withLock { .init(conversations: $0.conversations.reversed(), badge: $0.badge) }
            }
            .on { [self] (call: GetConversation) in
                try state.withLock { state in
                    guard
                        let found = state.conversations.first(where: {
                            $0.conversationId == call.conversation
                        })
                    else { throw NotFound(what: "conversation", id: call.conversation) }
                    let messages = state.messages.filter { $0.conversationId == call.conversation }
                    return .init(conversation: found, messages: messages)
                }
            }
            .on { [self] (_: MarkRead) in
                sendEntry(.badge, badge: 0)
                return Done()
            }
            .onStream(Watch.self) { [self] call, replies in
                let (head, badge) = state.withLock { (Int64($0.log.count), $0.badge) }
                var since = call.parameters.since ?? head
                try await replies.send(.init(sequence: head, type: .snapshot, at: 0, badge: badge))
                while true {
                    for entry in state.withLock({ $0.log }) where entry.sequence > since {
                        try await replies.send(entry)
                        since = entry.sequence
                    }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
    }

    private var appMethods: Implementation {
        Implementation()
            .on { [self] (call: Configure) in
                .init(
                    account: call.appName, apiUrl: call.apiUrl ?? "https://api.example",
                    deviceId: "device_1", consent: state.withLock { $0.consent })
            }
            .on { (_: SetAppMetadata) in Done() }
            .on { (_: SetUser) in Done() }
            .on { (_: ClearBadge) in Done() }
            .on { (_: OpenInbox) in Done() }
            .on { (_: OpenForm) in Done() }
            .on { (_: InitiateLink) in
                .init(
                    linkToken: "lt_1", expiresAt: 1_763_700_600_000, expiresIn: 600, hasExistingGroup: false)
            }
            .on { (_: LinkStatus) in .init(status: "confirmed", groupId: "group_1", targetDeviceName: "Phone")
            }
            .on { (_: ConfirmLink) in .init(groupId: "group_1") }
            .on { (_: LinkedDevices) in
                .init(
                    linked: true, groupId: "group_1",
                    devices: [.init(deviceId: "device_1", joinedAt: 1, isPrimary: true, isCurrent: true)])
            }
            .on { (_: UnlinkDevice) in Done() }
            .on { [self] (call: SetConsent) in
                state.withLock { $0.consent = call.enabled }
                return Done()
            }
            .on { (_: RequestConsent) in .init(enabled: true) }
            .on { (_: RegisterPush) in .init(queued: false) }
            .on { (_: AppInstalled) in .init(installed: true) }
            .on { (_: AppOpen) in .init(link: "cutie://link?token=flt_1") }
            .on { (_: AppCode) in .init(code: "AB12", link: "cutie://link?token=flt_2") }
            .on { (_: RevokeToken) in .init(revoked: true) }
            .on { (call: AuthorizeProtocols) in .init(services: [Self.service(call.protocols)]) }
    }

    private static func service(_ protocols: [String]) -> AuthorizedService {
        let api = ServiceAPI(
            apiLink: "https://notes.example/v1",
            settings: ["scope": .object(["read": .string("r"), "n": .int(1)])])
        return AuthorizedService(
            engineName: "Notes", engineLink: "https://notes.example/", homePageLink: "",
            apis: .init(uniqueKeysWithValues: protocols.map { ($0, api) }),
            authorization: .init(accessToken: "at_1", tokenType: "Bearer", expiresAt: 1_763_700_000_000))
    }
}

extension FakeAccessServer {
    /// Whether the message of the current call is queued.
    private var isQueued: Bool {
        state.withLock { state in
            guard state.queuedCalls > 0 else { return false }
            state.queuedCalls -= 1
            return true
        }
    }
}

extension FakeAccessServer.State {
    fileprivate var badge: Int { messages.count { !$0.own } }

    fileprivate mutating func begin(_ call: CreateConversation) -> String {
        let id = "conv_\(conversations.count + 1)"
        conversations.append(
            .init(
                conversationId: id, status: "open", title: call.title, category: call.category, unreadCount: 0
            ))
        addMessage(call.message, in: id, own: true)
        if let answer { addMessage(answer, in: id, own: false) }
        return id
    }

    @discardableResult
    fileprivate mutating func addMessage(_ text: String, in conversation: String, own: Bool) -> AppMessage {
        let message = AppMessage(
            messageId: "msg_\(messages.count + 1)", conversationId: conversation,
            senderType: own ? "user" : "admin", senderName: own ? nil : "Mia", message: text,
            messageType: "text", own: own, createdAt: 1_763_700_000_123)
        messages.append(message)
        log.append(
            .init(
                sequence: Int64(log.count + 1), type: .message, at: 0,
                conversation: conversation, message: message, badge: badge))
        return message
    }
}
