import Accounts
import AttestationFormat
import Config
import ControlAPI
import CutieAPI
import EventLog
import Identity
import VarlinkSocket

/// The handlers for the identity of the user and of the device, and for the storage of secrets.
struct IdentityMethods: ControlMethods {
    let accounts: AccountRegistry
    let secrets: SecretStore
    let surroundings: RuntimeEnvironment

    var implementation: Implementation {
        Implementation()
            .on(getUser).on(setUser).on(clearUser)
            .on(getAttestation).on(renewAttestation).on(resetAttestation)
            .on(getSecretPlace)
    }

    func getUser(_ call: GetUser) throws -> UserView { UserView(try accounts.single(call.account)) }

    func setUser(_ call: SetUser) throws -> UserView {
        let unit = try accounts.single(call.account)
        guard call.userId != nil || call.userName != nil else {
            throw InvalidArgument(parameter: "userId", reason: "neither an id nor a name is given")
        }
        try unit.profile.set(
            id: try checked(call.userId, "userId"), name: try checked(call.userName, "userName"))
        return UserView(unit)
    }

    /// Sets both values: one that is `nil` is removed, so that the configured one is in use again.
    func replaceUser(_ call: SetUser) throws -> UserView {
        let unit = try accounts.single(call.account)
        let (id, name) = (try checked(call.userId, "userId"), try checked(call.userName, "userName"))
        try unit.profile.replace(id: id, name: name)
        return UserView(unit)
    }

    func clearUser(_ call: ClearUser) throws -> UserView {
        let unit = try accounts.single(call.account)
        try unit.profile.clear()
        return UserView(unit)
    }

    /// Returns the value to store, which is empty if `text` is blank.
    private func checked(_ text: String?, _ parameter: String) throws -> String? {
        guard let text else { return nil }
        let value = SetUser.value(of: text)
        if let problem = SetUser.problem(of: value) {
            throw InvalidArgument(parameter: parameter, reason: problem.rawValue)
        }
        guard value.isEmpty || DisplayName.isReadable(value) else {
            throw InvalidArgument(parameter: parameter, reason: DisplayName.limits)
        }
        return value
    }

    func getAttestation(_ call: GetAttestation) async throws -> AttestationView {
        try await view(try accounts.single(call.account))
    }

    func renewAttestation(_ call: RenewAttestation) async throws -> AttestationView {
        let unit = try accounts.single(call.account)
        let attestor = try unit.requireDevice().attestor
        guard attestor.choice != nil else {
            throw NotConfigured(reason: "attestation is off; set `attestation: auto` in the configuration")
        }
        try await change(unit) { try await attestor.attest(by: unit.feed.client) }
        return try await view(unit)
    }

    func resetAttestation(_ call: ResetAttestation) async throws -> AttestationView {
        let unit = try accounts.single(call.account)
        let attestor = try unit.requireDevice().attestor
        try await change(unit) { try await attestor.reset(by: unit.feed.client) }
        return try await view(unit)
    }

    func getSecretPlace(_: GetSecretPlace) async -> GetSecretPlace.Reply {
        let place = await secrets.describe()
        return GetSecretPlace.Reply(
            place: place.kind.rawValue, path: place.path, waiting: place.waiting, problem: place.problem,
            notes: place.notes)
    }

    /// The timeout of an attestation. A TPM takes long to create a key.
    private static let attestationLimit: Duration = .seconds(15)

    private func change(
        _ unit: AccountUnit, _ body: @escaping @MainActor () async throws -> Void
    ) async throws {
        do {
            let done: Void? = try await surroundings.withTimeout(Self.attestationLimit, body)
            if done == nil { throw Offline(reason: "it does not respond") }
        } catch APIFailure.absent {
            throw Failed(reason: "the API does not support attestation; no action is needed")
        } catch let failure as APIFailure {
            throw failure.fault(about: nil)
        }
    }

    private func view(_ unit: AccountUnit) async throws -> AttestationView {
        let attestor = try unit.requireDevice().attestor
        var lack: String?
        do { try await attestor.checkSupport() } catch { lack = error.description }
        let record = attestor.record
        let isAttested = record.keyID != nil
        return AttestationView(
            account: unit.account.name, mode: unit.account.configuration.attestation.rawValue,
            isSupported: lack == nil, isAttested: isAttested, environment: record.environment?.rawValue,
            keyId: record.keyID, counter: isAttested ? Int64(clamping: record.counter) : nil,
            reason: lack ?? attestor.reason)
    }
}

extension Attestor {
    /// The reason for a missing attestation or a description of the problem, as text for the user.
    fileprivate var reason: String? {
        if choice == nil { return "attestation is off; set `attestation: auto` in the configuration" }
        if record.wasReset {
            return "the attestation was reset; run `cutied ctl attest renew` to attest again"
        }
        return problem ?? (record.keyID == nil ? "not done yet" : nil)
    }
}

extension UserView {
    fileprivate init(_ unit: AccountUnit) {
        self.init(
            account: unit.account.name, userId: unit.profile.userID, userName: unit.profile.userName)
    }
}
