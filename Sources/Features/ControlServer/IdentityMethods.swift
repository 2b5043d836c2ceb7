import Accounts
import AttestationFormat
import Config
import ControlAPI
import CutieAPI
import Domain
import EventLog
import Identity
import Reasons
import Services
import VarlinkSocket

/// The handlers for the identity of the user and the device, and for the storage of secrets.
struct IdentityMethods: ControlMethods {
    let accounts: AccountRegistry
    let secrets: SecretStore
    let runtime: RuntimeEnvironment

    var implementation: Implementation {
        Implementation()
            .on(getUser).on(setUser).on(clearUser)
            .on(getAttestation).on(renewAttestation).on(resetAttestation)
            .on(getSecretPlace)
    }

    private var attestations: AttestationService {
        AttestationService(accounts: accounts, runtime: runtime)
    }
    private var profiles: ProfileService { ProfileService(accounts: accounts) }

    func getUser(_ call: GetUser) throws -> UserView {
        UserView(try accounts.findSingleAccount(named: call.account))
    }

    func setUser(_ call: SetUser) throws -> UserView {
        UserView(try profiles.update(id: call.userId, name: call.userName, account: call.account))
    }

    func clearUser(_ call: ClearUser) throws -> UserView {
        UserView(try profiles.clear(account: call.account))
    }

    func getAttestation(_ call: GetAttestation) async throws -> AttestationView {
        AttestationView(try await attestations.fetchState(account: call.account))
    }

    func renewAttestation(_ call: RenewAttestation) async throws -> AttestationView {
        AttestationView(try await attestations.renew(account: call.account))
    }

    func resetAttestation(_ call: ResetAttestation) async throws -> AttestationView {
        AttestationView(try await attestations.reset(account: call.account))
    }

    func getSecretPlace(_: GetSecretPlace) async -> GetSecretPlace.Reply {
        let place = await secrets.resolveLocation()
        return GetSecretPlace.Reply(
            place: place.kind.rawValue, path: place.path, waiting: place.waiting,
            problem: place.problem?.english, notes: place.notes.map(\.english),
            problemReason: place.problem.map(ReasonView.init(_:)),
            noteReasons: place.notes.map(ReasonView.init(_:)))
    }
}

extension AttestationView {
    fileprivate init(_ state: AttestationService.State) {
        let (account, record) = (state.unit.account, state.record)
        let isAttested = record.keyID != nil
        self.init(
            account: account.name, mode: account.configuration.attestation.rawValue,
            isSupported: state.obstacle == nil, isAttested: isAttested,
            environment: record.environment?.rawValue, keyId: record.keyID,
            counter: isAttested ? Int64(clamping: record.counter) : nil, reason: state.reason?.english)
        self = withReasonFields(of: state.reason)
    }
}

extension UserView {
    fileprivate init(_ unit: AccountUnit) {
        self.init(
            account: unit.account.name, userId: unit.profile.userID, userName: unit.profile.userName)
    }
}
