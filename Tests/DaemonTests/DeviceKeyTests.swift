import AttestationFormat
import Config
import CutieAPI
import HTTP
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Daemon
@testable import Store

@MainActor
struct DeviceKeyTests {
    private let device: AttestingDevice

    init() throws { device = try AttestingDevice() }

    @Test func `Each signature has a number of its own, and the store has it before`() async throws {
        let unit = try await device.attested()
        for number in 1...3 {
            #expect(try await device.signature(by: unit)?.counter == UInt64(number))
            #expect(try device.row(of: unit)?.hasPrefix(#"{"counter":\#(number),"#) == true)
        }
    }

    @Test func `Where the store does not take the number, nothing is signed`() async throws {
        let unit = try await device.attested()
        try device.desk.store.write { try $0.run("PRAGMA query_only = 1") }
        #expect(try await device.signature(by: unit) == nil)
        #expect(unit.attestor.problem != nil && unit.attestor.record.counter == 0)
        try device.desk.store.read { try $0.run("PRAGMA query_only = 0") }
        #expect(try await device.signature(by: unit)?.counter == 1)
    }

    @Test func `What is signed at once has different numbers`() async throws {
        let unit = try await device.attested()
        let numbers = try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await self.device.signature(by: unit)?.counter } }
            var numbers: Set<UInt64?> = []
            for try await number in group { numbers.insert(number) }
            return numbers
        }
        #expect(numbers == Set(1...20))
    }

    @Test func `After a start the numbers go on behind a gap, without a key they do not`() async throws {
        let unit = try await device.attested()
        let former = try await device.signature(by: unit)
        let next = try await device.signature(by: try device.start())
        #expect(next?.counter == 1002 && next?.keyID == former?.keyID)
        try await unit.attestor.reset(by: unit.feed.client)
        #expect(try device.start().attestor.record == AttestationRecord(wasReset: true))
    }

    @Test func `A key that the server has not taken signs nothing, also after a start`() async throws {
        let unit = try await device.attested()
        let former = try await device.signature(by: unit)
        device.refuse(with: "500 Internal Server Error")
        await #expect(throws: APIFailure.self) { try await unit.attestor.attest(by: unit.feed.client) }
        #expect(try await device.signature(by: unit)?.keyID == former?.keyID)
        #expect(try await device.signature(by: try device.start()) == nil)
        #expect(try device.row(of: unit)?.hasPrefix(#"{"counter":2,"#) == true)
    }

    @Test func `Once the server wants no key, none signs`() async throws {
        let unit = try await device.attested()
        device.refuse(with: "404 Not Found")
        await #expect(throws: APIFailure.self) { try await unit.attestor.attest(by: unit.feed.client) }
        #expect(unit.attestor.record == AttestationRecord())
        #expect(try device.row(of: unit) == #"{"counter":0,"wasReset":false}"#)
        #expect(try await device.signature(by: unit) == nil)
    }

    @Test func `A new key begins with the first number`() async throws {
        let unit = try await device.attested()
        let former = try await device.signature(by: unit)
        try await unit.attestor.attest(by: unit.feed.client)
        let next = try await device.signature(by: unit)
        #expect(next?.counter == 1 && next?.keyID != former?.keyID)
    }

    @Test(arguments: [AccountConfiguration.Attestation.off, .tpm2])
    func `A key that is to be elsewhere signs nothing`(
        _ mode: AccountConfiguration.Attestation
    ) async throws {
        _ = try await device.attested()
        let unit = try device.start(mode)
        #expect(try await device.signature(by: unit) == nil && unit.attestor.problem == nil)
    }
}

/// A device at a server that takes each key, or refuses.
@MainActor
private struct AttestingDevice {
    let desk: Desk
    private let server: RawServer
    private let refusal = Refusal()

    private final class Refusal: Sendable {
        let status = Mutex<String?>(nil)
    }

    init() throws {
        desk = try Desk()
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

    /// The daemon's side of it, as a start finds it.
    func start(_ mode: AccountConfiguration.Attestation = .software) throws -> AccountUnit {
        let accounts = Accounts(store: desk.store)
        let keeper = AccountKeeper(
            accounts: accounts, ingest: desk.ingest, transport: Transport(),
            machine: try Machine(secrets: .file, directory: desk.directory.path, environment: [:]),
            surroundings: .still, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            onNews: {})
        var configuration = AccountConfiguration(appID: "app")
        configuration.apiURL = try APIAddress(server.url)
        configuration.attestation = mode
        try keeper.apply([configuration])
        return try #require(accounts.units.first)
    }

    func attested() async throws -> AccountUnit {
        let unit = try start()
        try await unit.attestor.attest(by: unit.feed.client)
        return unit
    }

    /// What goes along with a request that changes something.
    func signature(by unit: AccountUnit) async throws -> AssertionObject? {
        let request = Endpoint.markAllRead("c", upTo: nil).request
        return try await unit.attestor.assertion(about: request).map { try AssertionObject(base64: $0) }
    }

    /// What the store keeps of the key.
    func row(of unit: AccountUnit) throws -> String? {
        try desk.store.read { try $0.setting("attestation/\(unit.account.id.rawValue)") }
    }
}
