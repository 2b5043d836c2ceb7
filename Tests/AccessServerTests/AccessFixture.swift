import AccessAPI
import Domain
import TestSupport
import Varlink
import VarlinkSocket

@testable import AccessServer

/// A server on the access socket with two stand-in delegates. Each call appears to come from `app`.
@MainActor final class AccessFixture {
    static let service = AuthorizedService(
        engineName: "Notes", engineLink: "https://notes.example.org", homePageLink: "", apis: [:],
        authorization: ServiceAuthorization(accessToken: "token", tokenType: "Bearer"))

    let notes = AccessFixture.app("org.example.Notes")
    let other = AccessFixture.app("org.example.Other")
    let apps = StandInApps()
    let time = StandInTime()
    var isEnabled = true
    /// The errors that the service passed to the log.
    let reported = Shared<[String]>([])
    /// The identity that the server determines for the calling process.
    var app: AppIdentity
    private let path: String

    private init(_ path: String) {
        (self.path, app) = (path, notes)
        apps.time = time
    }

    static func app(_ id: String) -> AppIdentity {
        AppIdentity(ProcessFacts(cgroup: "0::/app.slice/app-test-\(id)-1.scope"), run: "1@1")
    }

    static func program(_ path: String) -> AppIdentity {
        let executable = ProcessFacts.Executable(path: path, device: 1, inode: 1)
        return AppIdentity(ProcessFacts(executable: executable, sharesMounts: true), run: "1@1")
    }

    /// Connects a client that decodes the errors in `faults` and throws all other errors as `UnknownFault`.
    func client(faults: [any Fault.Type] = AccessInterface.faults) async throws -> Client {
        try await Client(path: path, faults: FaultCatalog(faults))
    }

    func call<M: Method>(_ method: M) async throws -> M.Reply { try await client().call(method) }

    func isAnswered() async throws -> Bool { try await call(AppInstalled()).installed }

    static func with(_ body: (AccessFixture) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let fixture = AccessFixture(directory.file("s"))
        let clock = AccessService.Clock(
            uptime: { fixture.time.now }, sleep: { try await fixture.time.sleep($0) })
        let service = AccessService(
            hostApps: fixture.apps, services: fixture.apps, clock: clock,
            isEnabled: { fixture.isEnabled }, identify: { _ in fixture.app })
        let server = try service.makeServer(
            on: ListeningSocket(bindingTo: fixture.path),
            information: .init(vendor: "v", product: "p", version: "1", url: "u"), onEvent: { _ in },
            onFailure: { [reported = fixture.reported] in reported.value.append("\($0)") })
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await server.run() }
            try await body(fixture)
        }
        withExtendedLifetime(directory) {}
    }
}

/// A clock that the test sets.
@MainActor final class StandInTime {
    var now: Duration = .seconds(100)
    private(set) var sleeping: [Duration] = []
    private let sleepers = WaitingTasks()

    func sleep(_ duration: Duration) async throws {
        sleeping.append(duration)
        await sleepers.wait()
    }

    func wake() {
        sleepers.end()
        sleeping = []
    }
}

/// Stand-in delegates whose answers the test sets.
@MainActor final class StandInApps: HostAppDelegate, ServiceAccessDelegate {
    var services: [AuthorizedService] = []
    /// The simulated time that the user needs to answer a question.
    var thinks: Duration = .zero
    /// Whether a question stays unanswered until the test calls `answer()`.
    var waits = false
    var failure: (any Error)?
    var time: StandInTime?
    private(set) var asked = 0
    private(set) var calls = 0
    private let people = WaitingTasks()

    var waiting: Int { people.count }

    func answer() { people.end() }

    func authorizeProtocols(
        _ call: AuthorizeProtocols, for app: AppIdentity
    ) async throws -> AuthorizeProtocols.Reply {
        try await ask()
        return .init(services: services)
    }

    func configure(_ call: Configure, for app: AppIdentity) async throws -> Configure.Reply {
        try await ask()
        return .init(account: "notes", apiUrl: "https://api.example.org")
    }

    private func ask() async throws {
        if let failure { throw failure }
        asked += 1
        time?.now += thinks
        if waits { await people.wait() }
    }

    func checkFeedbackAppIsInstalled(_ call: AppInstalled, for app: AppIdentity) async throws
        -> AppInstalled.Reply
    {
        calls += 1
        return .init(installed: true)
    }

    func createConversation(
        _ call: CreateConversation, for app: AppIdentity
    ) async throws -> CreateConversation.Reply { .init(queued: true) }

    func revokeToken(_ call: RevokeToken, for app: AppIdentity) async throws -> RevokeToken.Reply {
        .init(revoked: false)
    }

    func setAppMetadata(_ call: SetAppMetadata, for app: AppIdentity) async throws -> Done { Done() }

    func listConversations(
        _ call: ListConversations, for app: AppIdentity
    ) async throws -> ListConversations.Reply { throw NotConfigured() }

    func getConversation(
        _ call: GetConversation, for app: AppIdentity
    ) async throws -> GetConversation.Reply { throw NotConfigured() }

    func sendMessage(_ call: SendMessage, for app: AppIdentity) async throws -> SendMessage.Reply {
        throw NotConfigured()
    }

    func markRead(_ call: MarkRead, for app: AppIdentity) async throws -> Done { Done() }

    func clearBadge(_ call: ClearBadge, for app: AppIdentity) async throws -> Done { Done() }

    func setUser(_ call: SetUser, for app: AppIdentity) async throws -> Done { Done() }

    func openForm(_ call: OpenForm, for app: AppIdentity) async throws -> Done { Done() }

    func initiateLink(_ call: InitiateLink, for app: AppIdentity) async throws -> InitiateLink.Reply {
        throw NotConfigured()
    }

    func fetchLinkStatus(_ call: LinkStatus, for app: AppIdentity) async throws -> LinkStatus.Reply {
        throw NotConfigured()
    }

    func confirmLink(_ call: ConfirmLink, for app: AppIdentity) async throws -> ConfirmLink.Reply {
        try await ask()
        return .init()
    }

    func listLinkedDevices(_ call: LinkedDevices, for app: AppIdentity) async throws -> LinkedDevices.Reply {
        throw NotConfigured()
    }

    func unlinkDevice(_ call: UnlinkDevice, for app: AppIdentity) async throws -> Done {
        try await ask()
        return Done()
    }

    func setConsent(_ call: SetConsent, for app: AppIdentity) async throws -> Done { Done() }

    func requestConsent(_ call: RequestConsent, for app: AppIdentity) async throws -> RequestConsent.Reply {
        try await ask()
        return .init(enabled: true)
    }

    func registerPush(_ call: RegisterPush, for app: AppIdentity) async throws -> RegisterPush.Reply {
        .init(queued: false)
    }

    func openInbox(_ call: OpenInbox, for app: AppIdentity) async throws -> Done { Done() }

    func openFeedbackApp(_ call: AppOpen, for app: AppIdentity) async throws -> AppOpen.Reply {
        throw NotConfigured()
    }

    func createFeedbackAppCode(_ call: AppCode, for app: AppIdentity) async throws -> AppCode.Reply {
        throw NotConfigured()
    }

    func watch(
        _ call: Watch, for app: AppIdentity, send: @MainActor (Watch.Reply) async throws -> Void
    ) async throws { throw NotConfigured() }
}

/// A list of suspended tasks. `end()` resumes all tasks; cancelling a task resumes only that task.
@MainActor private final class WaitingTasks {
    private var waiting: [AsyncStream<Void>.Continuation] = []

    var count: Int { waiting.count }

    func wait() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        waiting.append(continuation)
        for await _ in stream {}
    }

    func end() {
        for continuation in waiting { continuation.finish() }
        waiting = []
    }
}
