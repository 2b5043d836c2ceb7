import Config
import ControlAPI
import CutieAPI
import Dispatch
import Domain
import HTTP
import Identity
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

@MainActor
struct DeviceAuthorizerTests {
    /// While a slow keyring stores the token, requests already use it.
    @Test func `A token that is revoked while it is being stored is renewed`() async throws {
        let fixture = try IngestFixture()
        let machine = try Machine(secrets: .file, directory: fixture.directory.path, environment: [:])
        let keyring = BusyKeyring(machine.secrets)
        let api = try ScriptedAPI([
            ScriptedAPI.register: { connection, _, asked in
                if asked == 0 { keyring.occupy() }
                return connection.answer(body: #"{"device_token":"token-\#(asked)"}"#)
            },
            ScriptedAPI.list: { connection, request, _ in
                request.values(of: "X-Device-Token") == ["token-0"]
                    && connection.answer("401 Unauthorized")
            },
        ])
        let unit = try fixture.unit(at: api.url, machine: machine)
        let list = { _ = try await unit.feed.client.listConversations(limit: 1, offset: 0, etag: nil) }
        let first = Task { try await list() }
        try await eventually("the device is registered") { unit.authentication == .authenticated }
        let second = Task { try await list() }
        try await eventually("the token is refused") { api.requestCount(of: ScriptedAPI.list) > 0 }
        // The event loop handles responses in the order of their arrival. The refusal arrived before this
        // response, so it has been handled.
        _ = try await HTTPClient().send(HTTPRequest(api.url))
        keyring.release()
        try await first.value
        try await second.value
        #expect(api.requestCount(of: ScriptedAPI.register) == 2)
    }
}

/// A secret store that another call blocks until `release()`.
private final class BusyKeyring: Sendable {
    private let secrets: SecretStore
    private let begun = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    init(_ secrets: SecretStore) { self.secrets = secrets }

    /// Blocks the secret store. Returns once it is blocked.
    func occupy() {
        Task { [self] in await secrets.block(begun, end) }
        begun.wait()
    }

    func release() { end.signal() }
}

extension SecretStore {
    fileprivate func block(_ begun: DispatchSemaphore, _ end: DispatchSemaphore) {
        begun.signal()
        end.wait()
    }
}
