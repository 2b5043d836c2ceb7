import AttestationFormat
import CutieAPI
package import Identity
import Inbox
import Log
import Logging
import Store

/// Shows the server that what a device asks for comes from one key: attests it once, and signs with it what
/// changes something. Where that does not work the device goes on without, and says why.
package final class Attestor {
    private let key: DeviceKey
    private let logger: Logger
    private let work: UninterruptedWork
    /// Why the device is not attested, or its key does not sign; nil where all is well or nothing was tried.
    package private(set) var problem: String?
    /// Whether the server saw in this life of the daemon that the key still signs.
    private var isShown = false

    init(
        account: Account, device: DeviceID, machine: Machine, store: Store, logger: Logger,
        work: UninterruptedWork
    ) throws {
        key = try DeviceKey(of: device, account, on: machine, store: store)
        (self.logger, self.work) = (logger, work)
    }

    package var record: AttestationRecord { key.record }
    /// nil for `off`.
    package var choice: AttestationKeys.Choice? { key.choice }

    /// Whether this machine has a key of the configured kind; throws why not.
    package func checkSupport() async throws(SigningFailure) {
        try await key.checkSupport()
    }

    /// Makes a key and has the server take it, in the place of the one before.
    package func attest(by client: APIClient) async throws {
        try await work.run { try await self.submit(by: client) }
    }

    /// The server and this machine forget the key; there is none until `attest`.
    package func reset(by client: APIClient) async throws {
        try await work.run { try await self.forget(by: client, wasReset: true) }
    }

    /// What the server holds is made what the configuration asks for.
    private func reconcile(by client: APIClient) async throws {
        try await work.run {
            guard self.choice != nil, !self.record.wasReset else {
                if self.record.keyID != nil { try await self.forget(by: client, wasReset: false) }
                return
            }
            if self.record.keyID != nil, try await self.key.find() != nil {
                let state = try await client.send(.attestationStatus())
                if state.attested, state.attestation?.keyID == self.record.keyID {
                    try await self.show(to: client)
                    return self.problem = nil
                }
            }
            try await self.submit(by: client)
        }
    }

    private func submit(by client: APIClient) async throws {
        guard let choice else { return }
        do {
            let challenge = try await client.send(.attestationChallenge())
            let made = try await key.make(choice)
            let answer = try await client.send(.attest(try await made.submission(for: challenge)))
            guard answer.attested else {
                throw APIFailure.fatal(
                    "the API does not take the attestation; the device goes on without")
            }
            try key.adopt(made)
            (problem, isShown) = (nil, true)
            logger.notice("attested", metadata: ["environment": "\(made.environment.rawValue)"])
        } catch {
            if (error as? APIFailure)?.isFinal == true { try key.drop() }
            throw error
        }
    }

    /// That the server knows the key does not say that what is here still signs as it: to find that out when the
    /// person has written something would be late. Throws where neither this key nor a new one is taken.
    private func show(to client: APIClient) async throws {
        guard !isShown else { return }
        let challenge = try await client.send(.attestationChallenge())
        guard let assertion = try await key.assertion(answering: challenge) else { return }
        do {
            _ = try await client.send(.attestAssert(assertion))
        } catch APIFailure.forbidden {
            try await submit(by: client)
        } catch APIFailure.absent {
            // A server that looks at requests alone.
        }
        isShown = true
    }

    private func forget(by client: APIClient, wasReset: Bool) async throws {
        do {
            _ = try await client.send(.removeAttestation())
        } catch APIFailure.absent {
            // It has none to remove.
        }
        try await key.deleteSecret()
        problem = nil
        try key.drop(wasReset: wasReset)
    }
}

extension Attestor {
    /// What `X-App-Assertion` carries; nil where the device is not attested, or its key cannot be had now.
    func assertion(about request: APIRequest) async -> String? {
        do {
            return try await key.assertion(about: request)
        } catch {
            note("\(error)")
            return nil
        }
    }

    /// After a refusal of what was signed by the key `keyID`: true where a repeat may succeed. The server may
    /// have forgotten the key; then another takes its place.
    func recover(
        from code: ErrorCode, of keyID: String?, by client: APIClient
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
                    return try await self.forget(by: client, wasReset: self.record.wasReset)
                }
                try await self.submit(by: client)
            }
            return true
        } catch let failure as APIFailure where failure.isFinal {
            // Unsigned then: a server that has no key of ours has nothing to compare with.
            note(failure.sentence)
            return true
        } catch let failure as APIFailure {
            throw failure
        } catch is CancellationError {
            throw .cancelled
        } catch {
            note("\(error)")
            return false
        }
    }

    private func note(_ problem: String) {
        if problem != self.problem { logger.warning("not attested", metadata: ["reason": "\(problem)"]) }
        self.problem = problem
    }
}

extension Attestor {
    private static let patience = 6

    /// Attests after each of the `connections`, where that is still to be done, until it is cancelled. What
    /// fails is tried a few times more, then again at the next connection.
    func run(by client: APIClient, after connections: Signal, _ surroundings: Surroundings) async throws {
        while true {
            try await connections.wait(past: 0)
            let seen = connections.count
            var backoff = Backoff()
            for _ in 1...Self.patience {
                guard try await mayHeal(by: client) else { break }
                let wait = backoff.next(random: surroundings.random())
                try await surroundings.wait(for: connections, past: seen, atMost: wait)
            }
            try await connections.wait(past: seen)
        }
    }

    /// Tries once; false where it worked, or another try would bring the same.
    private func mayHeal(by client: APIClient) async throws -> Bool {
        do {
            try await reconcile(by: client)
            return false
        } catch APIFailure.cancelled {
            throw CancellationError()
        } catch let failure as APIFailure {
            note(failure.sentence)
            return !failure.isFinal
        } catch let failure as SecretFailure {
            if failure.code == .cancelled { throw CancellationError() }
            note("\(failure)")
            return failure.code == .unavailable
        } catch let failure as SigningFailure {
            note("\(failure)")
            return false
        }
    }
}
