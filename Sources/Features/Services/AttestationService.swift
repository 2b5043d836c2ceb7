package import Accounts
import CutieAPI
import Domain
package import EventLog
import Identity
package import Reasons

/// Reports and changes the attestation of devices.
package struct AttestationService {
    private let accounts: AccountRegistry
    private let runtime: RuntimeEnvironment

    package init(accounts: AccountRegistry, runtime: RuntimeEnvironment) {
        (self.accounts, self.runtime) = (accounts, runtime)
    }

    /// The attestation of an account, and the reason if the account is not attested.
    package struct State {
        package let unit: AccountUnit
        package let record: AttestationRecord
        /// The reason why this computer cannot attest the device; `nil` if attestation is possible.
        package let obstacle: Reason?
        /// The reason why the account is not attested, or the current problem; `nil` if the account is
        /// attested and there is no problem.
        package let reason: Reason?
    }

    package func fetchState(account: String?) async throws -> State {
        try await fetchState(of: accounts.findSingleAccount(named: account))
    }

    /// Attests the device of the account again, with a new key. Returns the new state. Throws `notConfigured`
    /// if attestation is off.
    package func renew(account: String?) async throws -> State {
        let unit = try accounts.findSingleAccount(named: account)
        let attestor = try unit.requireDevice().attestor
        guard attestor.choice != nil else {
            throw ServiceError.notConfigured(
                reason: Reason(.attestationOff))
        }
        try await performChange(on: unit) { try await attestor.attest(using: unit.feed.client) }
        return try await fetchState(of: unit)
    }

    /// Removes the attestation from the server and from this computer. Returns the new state.
    package func reset(account: String?) async throws -> State {
        let unit = try accounts.findSingleAccount(named: account)
        let attestor = try unit.requireDevice().attestor
        try await performChange(on: unit) { try await attestor.reset(using: unit.feed.client) }
        return try await fetchState(of: unit)
    }

    private func fetchState(of unit: AccountUnit) async throws -> State {
        let attestor = try unit.requireDevice().attestor
        var obstacle: Reason?
        do { try await attestor.checkSupport() } catch { obstacle = error.reason }
        return State(
            unit: unit, record: attestor.record, obstacle: obstacle, reason: obstacle ?? attestor.reason)
    }

    /// The timeout of an attestation. The timeout is long, because a TPM creates a key slowly.
    private static let attestationLimit: Duration = .seconds(15)

    private func performChange(
        on unit: AccountUnit, _ body: @escaping @MainActor () async throws -> Void
    ) async throws {
        do {
            let done: Void? = try await runtime.withTimeout(Self.attestationLimit, body)
            if done == nil { throw ServiceError.offline(reason: Reason(.apiSilent)) }
        } catch APIFailure.absent {
            throw ServiceError.failed(reason: Reason(.attestationUnsupported))
        } catch let failure as APIFailure {
            throw failure.makeServiceError(forConversation: nil)
        }
    }
}

extension Attestor {
    /// The reason why the account is not attested, or the current problem, as a message for the user; `nil`
    /// if there is no problem.
    fileprivate var reason: Reason? {
        if choice == nil { return Reason(.attestationOff) }
        if record.wasReset {
            return Reason(.attestationReset)
        }
        return problem ?? (record.keyID == nil ? Reason(.attestationPending) : nil)
    }
}
