package import Accounts
import Config
package import CutieAPI
import Domain
package import EventLog
import OAuth
package import Reasons

/// Signs users in and out.
package struct SessionService {
    private let accounts: AccountRegistry
    /// Returns a message for the user about each service token that a sign-out also revokes.
    private let signOutLosses: (AccountID) throws -> [Reason]
    private let presence: PresenceCheck
    private let runtime: RuntimeEnvironment

    package init(
        accounts: AccountRegistry, signOutLosses: @escaping (AccountID) throws -> [Reason],
        presence: PresenceCheck, runtime: RuntimeEnvironment
    ) {
        (self.accounts, self.signOutLosses) = (accounts, signOutLosses)
        (self.presence, self.runtime) = (presence, runtime)
    }

    /// Signs in, and returns the account. `onStep`: called with each step for the user.
    package func signIn(
        account: String?, method name: String?, loginHint: String?, isNewAccount: Bool,
        onStep: (SignInService.Step) async throws -> Void
    ) async throws -> AccountUnit {
        let unit = try accounts.findSignInAccount(named: account)
        let method = try name.map { name in
            guard let method = SignInMethod(rawValue: name) else {
                let known = SignInMethod.allCases.map(\.rawValue).joined(separator: ", ")
                throw ServiceError.invalidArgument(
                    parameter: "method", reason: Reason(.valueNotListed, ["value": name, "choices": known]))
            }
            return method
        }
        let service = try unit.requireSignIn()
        try await presence.requirePresence(for: .signIn)
        try await mappingErrors {
            try await service.signIn(by: method, loginHint: loginHint, isNewAccount: isNewAccount) {
                try await onStep($0)
            }
        }
        return unit
    }

    /// Completes a sign-in with the redirect that the browser received, and returns the account.
    package func completeSignIn(withRedirect text: String) async throws -> AccountUnit {
        let redirect: Redirect
        do { redirect = try Redirect(text) } catch {
            throw ServiceError.invalidArgument(parameter: "redirect", reason: error.reason)
        }
        let done: AccountUnit? = try await mappingErrors {
            try await runtime.withTimeout(AccountUnit.responseTimeout) {
                for unit in accounts.units {
                    guard let service = unit.signIn, try await service.matchesPendingSignIn(redirect) else {
                        continue
                    }
                    try await service.completeSignIn(with: redirect)
                    return unit
                }
                throw Redirect.Refusal.expired
            }
        }
        guard let done else { throw Self.silence }
        return done
    }

    /// Signs out. Returns messages for the user about what the user loses, and whether the issuer is notified
    /// later. `isDryRun`: whether to return the messages without signing out.
    package func signOut(account: String?, isDryRun: Bool) async throws -> (revoked: [Reason], isQueued: Bool)
    {
        let unit = try accounts.findSignInAccount(named: account)
        let service = try unit.requireSignIn()
        let losses = try service.signOutLosses + signOutLosses(unit.account.id)
        if isDryRun || losses.isEmpty { return (losses, false) }
        let isQueued = try await mappingErrors { try await service.signOut(within: AccountUnit.queuedLimit) }
        return (losses, isQueued)
    }

    /// Returns the account for a sign-in operation: the named account, or the only account with a sign-in.
    /// Throws if there is no such account, or more than one.
    package func findAccount(named account: String?) throws -> AccountUnit {
        try accounts.findSignInAccount(named: account)
    }

    /// Fetches the user's profile again, and returns the account.
    package func refreshProfile(account: String?) async throws -> AccountUnit {
        let unit = try accounts.findSignInAccount(named: account)
        let done: Void? = try await mappingErrors {
            try await runtime.withTimeout(AccountUnit.responseTimeout) {
                try await unit.requireSignIn().refreshProfile()
            }
        }
        if done == nil { throw Self.silence }
        return unit
    }

    /// Converts the errors of a sign-in to errors for the caller.
    private func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let failure as SignInFailure {
            throw failure.error
        } catch let failure as APIFailure {
            if case .unauthorized(let reason) = failure { throw ServiceError.signInRequired(reason: reason) }
            throw failure.makeServiceError(forConversation: nil, from: .issuer)
        } catch let refusal as Redirect.Refusal {
            throw ServiceError.accessDenied(reason: refusal.reason)
        } catch let problem as IDToken.Problem {
            throw ServiceError.accessDenied(reason: problem.reason)
        }
    }

    private static let silence = ServiceError.offline(
        reason: Reason(.issuerSilent), peer: ServerRole.issuer.peerValue)
}

extension SignInFailure {
    fileprivate var error: ServiceError {
        switch self {
        case .denied, .refused, .unknownUser, .superseded: ServiceError.accessDenied(reason: self.reason)
        case .expired, .unanswered: ServiceError.codeExpired(reason: self.reason)
        case .notOffered: ServiceError.notOffered(reason: self.reason)
        case .failed: ServiceError.failed(reason: self.reason)
        }
    }
}

extension AccountRegistry {
    /// Returns the account for a sign-in operation: the named account, or the only account with a sign-in.
    /// Throws if there is no such account, or more than one.
    func findSignInAccount(named name: String?) throws -> AccountUnit {
        let found = try findAccounts(named: name)
        if name != nil, let named = found.first {
            _ = try named.requireSignIn()
            return named
        }
        let fitting = found.filter { $0.signIn != nil }
        guard let only = fitting.first else {
            throw ServiceError.notConfigured(reason: Reason(.noAccountSignsIn))
        }
        guard fitting.count == 1 else {
            let names = fitting.map(\.account.name).joined(separator: ", ")
            throw ServiceError.invalidArgument(
                parameter: "account", reason: Reason(.severalSignIns, ["names": names]))
        }
        return only
    }
}
