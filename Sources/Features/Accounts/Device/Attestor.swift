import AttestationFormat
import CutieAPI
import EventLog
import FeedPolicy
package import Identity
import Logging
package import Reasons
import Store

/// Proves to the server that all requests come from the same device: attests the device's key once, and
/// signs requests that change data. If attestation fails, the device continues without attestation and
/// reports the reason.
package final class Attestor {
    private let key: DeviceKey
    private let logger: Logger
    private let work: UninterruptedWork
    /// The reason why the device is not attested or its key cannot sign; `nil` if attestation works or was
    /// not attempted.
    package private(set) var problem: Reason?
    /// Whether `proveKeyPossession` has nothing left to do: since the daemon started, the server has accepted
    /// the
    /// key, or has responded that it has no endpoint for the proof.
    private var isKeyProven = false

    init(
        account: Account, device: DeviceID, machine: Machine, store: MessageStore, logger: Logger,
        work: UninterruptedWork
    ) throws {
        key = try DeviceKey(of: device, account: account, on: machine, store: store)
        (self.logger, self.work) = (logger, work)
    }

    package var record: AttestationRecord { key.record }
    /// The configured kind of key; `nil` if attestation is off.
    package var choice: AttestationKeys.Choice? { key.choice }

    /// Checks that this computer supports the configured kind of key. Throws the reason if the kind is not
    /// supported.
    package func checkSupport() async throws(SigningFailure) {
        try await key.checkSupport()
    }

    /// Creates a key and registers it with the server. Replaces the previous key.
    package func attest(using client: APIClient) async throws {
        try await work.run { try await self.submitKey(using: client) }
    }

    /// Removes the key from the server and from this computer. No key is used until `attest` is called.
    package func reset(using client: APIClient) async throws {
        try await work.run { try await self.removeKey(using: client, wasReset: true) }
    }

    /// Attests the device, or removes its key from the server, depending on the configuration.
    private func reconcile(using client: APIClient) async throws {
        try await work.run {
            guard self.choice != nil, !self.record.wasReset else {
                if self.record.keyID != nil { try await self.removeKey(using: client, wasReset: false) }
                return
            }
            if self.record.keyID != nil, try await self.key.loadKey() != nil {
                let state = try await client.send(.attestationStatus())
                if state.attested, state.attestation?.keyID == self.record.keyID {
                    try await self.proveKeyPossession(to: client)
                    return self.problem = nil
                }
            }
            try await self.submitKey(using: client)
        }
    }

    private func submitKey(using client: APIClient) async throws {
        guard let choice else { return }
        do {
            let challenge = try await client.send(.attestationChallenge())
            let made = try await key.createKey(for: choice)
            let answer = try await client.send(.attest(try await made.makeSubmission(for: challenge)))
            guard answer.attested else {
                throw APIFailure.fatal(Reason(.attestationRefused))
            }
            try key.adopt(made)
            (problem, isKeyProven) = (nil, true)
            logger.notice("attested", metadata: ["environment": "\(made.environment.rawValue)"])
        } catch {
            if (error as? APIFailure)?.isFinal == true { try key.deleteRecord() }
            throw error
        }
    }

    /// Proves to the server that the local key matches the registered key, and registers a new key if the
    /// server rejects the proof. Without this check, a mismatch would be detected only when the user sends a
    /// message.
    ///
    /// - Throws: an error if the server accepts neither this key nor a new key.
    private func proveKeyPossession(to client: APIClient) async throws {
        guard !isKeyProven else { return }
        let challenge = try await client.send(.attestationChallenge())
        guard let assertion = try await key.makeAssertion(for: challenge) else { return }
        do {
            _ = try await client.send(.assertAttestedKey(assertion))
        } catch APIFailure.forbidden {
            try await submitKey(using: client)
        } catch APIFailure.absent {
            // A server without this endpoint verifies the key with each signed request.
        }
        isKeyProven = true
    }

    private func removeKey(using client: APIClient, wasReset: Bool) async throws {
        do {
            _ = try await client.send(.removeAttestation())
        } catch APIFailure.absent {
            // The server has no key, so there is nothing to remove.
        }
        try await key.deleteSecret()
        problem = nil
        try key.deleteRecord(wasReset: wasReset)
    }
}

extension Attestor {
    /// Returns the value of `X-App-Assertion`; `nil` if the device is not attested or its key is currently
    /// unavailable.
    func makeAssertion(about request: APIRequest) async -> String? {
        do {
            return try await key.makeAssertion(about: request)
        } catch {
            reportProblem(Reason(describing: error))
            return nil
        }
    }

    /// Handles the refusal of a request that was signed with the key `keyID`. Returns whether a retry may
    /// succeed. If the server has lost the key, attests a new key; if attestation is off, removes the key
    /// instead.
    func recover(
        from code: ErrorCode, forKey keyID: String?, using client: APIClient
    ) async throws(APIFailure) -> Bool {
        switch code {
        case .assertionReplayed: return true
        case .assertionRequired, .assertionInvalid, .notAttested: break
        default: return false
        }
        do {
            try await work.run {
                guard self.record.keyID == keyID else { return }
                guard self.choice != nil, !self.record.wasReset else {
                    return try await self.removeKey(using: client, wasReset: self.record.wasReset)
                }
                try await self.submitKey(using: client)
            }
            return true
        } catch let failure as APIFailure where failure.isFinal {
            // The server permanently refused to register a key. Repeat the request without a signature,
            // because a server without a registered key cannot verify a signature.
            reportProblem(failure.reason)
            return true
        } catch let failure as APIFailure {
            throw failure
        } catch is CancellationError {
            throw .cancelled
        } catch {
            reportProblem(Reason(describing: error))
            return false
        }
    }

    private func reportProblem(_ problem: Reason) {
        if problem != self.problem { logger.warning("not attested", metadata: ["reason": "\(problem)"]) }
        self.problem = problem
    }
}

extension Attestor {
    private static let maxAttempts = 6

    /// After each connection, attests the device if it is not attested, or removes its key if attestation is
    /// off. Runs until cancelled. A failed attempt is retried a few times, and then again after the next
    /// connection.
    func runReconciliation(
        using client: APIClient, afterEachSignalOf connections: ChangeSignal, runtime: RuntimeEnvironment
    )
        async throws
    {
        while true {
            try await connections.wait(past: 0)
            let seen = connections.count
            var backoff = Backoff()
            for _ in 1...Self.maxAttempts {
                guard try await attemptReconciliation(using: client) else { break }
                let wait = backoff.nextDelay(random: runtime.random())
                try await runtime.wait(for: connections, past: seen, atMost: wait)
            }
            try await connections.wait(past: seen)
        }
    }

    /// Makes one attempt to attest the device or to remove its key, and stores the reason for a failure in
    /// `problem`. Returns whether the caller should retry.
    private func attemptReconciliation(using client: APIClient) async throws -> Bool {
        do {
            try await reconcile(using: client)
            return false
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            reportProblem(failure.reason)
            return !failure.isFinal
        } catch let failure as SecretFailure {
            if failure.code == .cancelled { throw CancellationError() }
            reportProblem(failure.reason)
            return failure.code == .unavailable
        } catch let failure as SigningFailure {
            reportProblem(failure.reason)
            return false
        }
    }
}
