import AttestationFormat
import Config
import CutieAPI
import Identity
import Synchronization
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications
@testable import Store

@MainActor
struct DeviceKeyTests {
    private let device: AttestingDevice

    init() throws { device = try AttestingDevice() }

    @Test func `The counter is stored before the attestation key uses the counter in a signature`()
        async throws
    {
        let unit = try await device.attested()
        let signer = RecordingSigner { [device, id = unit.account.id] in try? device.row(of: id) }
        let key = try DeviceKey(
            of: "device_1", account: unit.account, on: try device.machine(), store: device.fixture.store)
        try key.adopt(AttestationKey(signer))
        for _ in 1...2 { _ = try await key.makeAssertion(about: device.change) }
        let numbers = signer.seen.withLock { $0 }.map { $0?.prefix(12) }
        #expect(numbers == [#"{"counter":1"#, #"{"counter":2"#])
    }

    @Test func `Each signature uses a new counter value, and this value is stored`() async throws {
        let unit = try await device.attested()
        for number in 1...3 {
            #expect(try await device.signature(by: unit)?.counter == UInt64(number))
            #expect(try device.row(of: unit.account.id)?.hasPrefix(#"{"counter":\#(number),"#) == true)
        }
    }

    @Test func `The attestation key signs nothing if the counter cannot be stored`() async throws {
        let unit = try await device.attested()
        try device.fixture.store.write { try $0.run("PRAGMA query_only = 1") }
        #expect(try await device.signature(by: unit) == nil)
        #expect(try unit.attestor.problem != nil && unit.attestor.record.counter == 0)
        try device.fixture.store.read { try $0.run("PRAGMA query_only = 0") }
        #expect(try await device.signature(by: unit)?.counter == 1)
    }

    @Test func `Concurrent signatures have different counter values`() async throws {
        let unit = try await device.attested()
        let numbers = try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { try await self.device.signature(by: unit)?.counter } }
            var numbers: Set<UInt64?> = []
            for try await number in group { numbers.insert(number) }
            return numbers
        }
        #expect(numbers == Set(1...20))
    }

    @Test func `A restart increases the counter by a margin, and a reset deletes the key and its counter`()
        async throws
    {
        let unit = try await device.attested()
        let former = try await device.signature(by: unit)
        let next = try await device.signature(by: try device.start())
        #expect(next?.counter == 1002 && next?.keyID == former?.keyID)
        try await unit.attestor.reset(using: unit.feed.client)
        #expect(try device.start().attestor.record == AttestationRecord(wasReset: true))
    }

    @Test func `An attestation key that the server did not accept is never used, even after a restart`()
        async throws
    {
        let unit = try await device.attested()
        let former = try await device.signature(by: unit)
        device.refuse(with: "500 Internal Server Error")
        await #expect(throws: APIFailure.self) { try await unit.attestor.attest(using: unit.feed.client) }
        #expect(try await device.signature(by: unit)?.keyID == former?.keyID)
        #expect(try await device.signature(by: try device.start()) == nil)
        #expect(try device.row(of: unit.account.id)?.hasPrefix(#"{"counter":2,"#) == true)
    }

    @Test func `Requests are not signed if the server no longer supports attestation`() async throws {
        let unit = try await device.attested()
        device.refuse(with: "404 Not Found")
        await #expect(throws: APIFailure.self) { try await unit.attestor.attest(using: unit.feed.client) }
        #expect(try unit.attestor.record == AttestationRecord())
        #expect(try device.row(of: unit.account.id) == #"{"counter":0,"wasReset":false}"#)
        #expect(try await device.signature(by: unit) == nil)
    }

    @Test func `The first signature of a new attestation key has the counter value 1`() async throws {
        let unit = try await device.attested()
        let former = try await device.signature(by: unit)
        try await unit.attestor.attest(using: unit.feed.client)
        let next = try await device.signature(by: unit)
        #expect(next?.counter == 1 && next?.keyID != former?.keyID)
    }

    @Test(arguments: [AccountConfiguration.Attestation.off, .tpm2])
    func `The previous attestation key is not used for signatures after the attestation mode changes`(
        _ mode: AccountConfiguration.Attestation
    ) async throws {
        _ = try await device.attested()
        let unit = try device.start(mode)
        #expect(try await device.signature(by: unit) == nil && unit.attestor.problem == nil)
    }
}

/// A signer that returns an empty signature, and records the stored key row at each call.
private final class RecordingSigner: Signer {
    let environment = AttestationEnvironment.software
    let publicKey: [UInt8] = [1]
    let seen = Mutex<[String?]>([])
    private let row: @Sendable () -> String?

    init(row: @escaping @Sendable () -> String?) { self.row = row }

    func sign(_ message: [UInt8]) async throws(SigningFailure) -> [UInt8] {
        seen.withLock { $0.append(row()) }
        return []
    }

    func createQuote(over hash: [UInt8]) async throws(SigningFailure) -> AttestationObject.Quote? { nil }
}
