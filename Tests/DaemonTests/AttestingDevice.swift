import AttestationFormat
import Config
import CutieAPI
import HTTP
import Logging
import Store
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// A device account, and an API that accepts or refuses the account's attestation keys.
@MainActor
struct AttestingDevice {
    let fixture: IngestFixture
    private let server: RawServer
    private let refusal = Refusal()

    private final class Refusal: Sendable {
        let status = Mutex<String?>(nil)
    }

    init() throws {
        fixture = try IngestFixture()
        server = try RawServer { [refusal] connection, _ in
            while let request = connection.readRequest() {
                let isAttesting = request.line.hasPrefix("POST /v1/device/attest HTTP")
                let status = isAttesting ? refusal.status.withLock { $0 } : nil
                let body = #"{"device_token":"token","challenge":"words","attested":true}"#
                connection.answer(status ?? "200 OK", body: body)
            }
        }
    }

    func refuse(with status: String) { refusal.status.withLock { $0 = status } }

    func machine() throws -> Machine {
        try Machine(secrets: .file, directory: fixture.directory.path, environment: [:])
    }

    /// Creates the account unit in the same way as the daemon at its start.
    func start(_ mode: AccountConfiguration.Attestation = .software) throws -> AccountUnit {
        let accounts = AccountRegistry(log: fixture.log)
        let supervisor = AccountSupervisor(
            accounts: accounts, ingest: fixture.ingest, httpClient: HTTPClient(),
            machine: try machine(), runtime: .still,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onPendingReplies: {})
        var configuration = AccountConfiguration(appID: "app")
        configuration.apiURL = try APIAddress(server.url)
        configuration.attestation = mode
        try supervisor.applyConfigurations([configuration])
        return try #require(accounts.units.first)
    }

    func attested() async throws -> AccountUnit {
        let unit = try start()
        try await unit.attestor.attest(using: unit.feed.client)
        return unit
    }

    /// A request that changes data and must therefore be signed.
    let change = Endpoint.markMessagesRead(in: "c", upTo: nil).request

    /// Returns the assertion that accompanies `change`; `nil` if the request is sent without an assertion.
    func signature(by unit: AccountUnit) async throws -> AssertionObject? {
        try await unit.attestor.makeAssertion(about: change).map { try AssertionObject(base64: $0) }
    }

    /// Returns the stored text of the account's attestation key.
    nonisolated func row(of account: AccountID) throws -> String? {
        try fixture.store.read { try $0.settings.fetchText(ofSetting: "attestation", account: account) }
    }
}
