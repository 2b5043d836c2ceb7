import Accounts
import Config
import ControlAPI
import CutieAPI
import EventLog
import NotificationPolicy
import Notifications
import OAuth
import VarlinkSocket

/// The handlers for signing in and out, and for the session.
struct SignInMethods: ControlMethods {
    let accounts: AccountRegistry
    /// Returns what else a sign-out revokes, one sentence per item.
    let signOutLosses: (AccountID) throws -> [String]
    let presence: PresenceCheck
    let attention: NotificationController
    let surroundings: RuntimeEnvironment

    var implementation: Implementation {
        Implementation()
            .onStream(ControlAPI.SignIn.self) { call, replies in
                try await signIn(call.parameters) { try await replies.send($0, continues: !$1) }
            }
            .onStream(AttendSignIn.self) { call, replies in
                try await attend(call.parameters) { try await replies.send(AttendSignIn.Reply()) }
            }
            .on(completeSignIn).on(signOut).on(getSession).on(refreshProfile)
    }

    func signIn(
        _ call: ControlAPI.SignIn, send: (ControlAPI.SignIn.Reply, _ isLast: Bool) async throws -> Void
    ) async throws {
        let unit = try accounts.signInUnit(call.account)
        let method = try call.method.map { word in
            guard let method = SignInMethod(rawValue: word) else {
                let known = SignInMethod.allCases.map(\.rawValue).joined(separator: ", ")
                throw InvalidArgument(parameter: "method", reason: "\(word) is not one of \(known)")
            }
            return method
        }
        let service = try unit.requireSignIn()
        try await presence.require(.signIn)
        try await mappingErrors {
            try await service.run(
                by: method, hint: call.hint, isNew: call.register ?? false
            ) { try await send(ControlAPI.SignIn.Reply($0), false) }
        }
        try await send(ControlAPI.SignIn.Reply(session: try SessionView(unit)), true)
    }

    /// Suppresses the notification of the code until the caller disconnects.
    func attend(_ call: AttendSignIn, begun: () async throws -> Void) async throws {
        let owners = [NotificationOwner.signIn(try accounts.signInUnit(call.account).account.id)]
        attention.beginAttending(owners)
        defer { attention.endAttending(owners) }
        attention.reevaluate()
        try await begun()
        try await ChangeSignal().wait(past: 0)
    }

    func completeSignIn(_ call: CompleteSignIn) async throws -> SessionReply {
        let redirect: Redirect
        do { redirect = try Redirect(call.redirect) } catch {
            throw InvalidArgument(parameter: "redirect", reason: "it \(error)")
        }
        let done: SessionView? = try await mappingErrors {
            try await surroundings.withTimeout(AccountUnit.answerLimit) {
                for unit in accounts.units {
                    guard let service = unit.signIn, try await service.isExpecting(redirect) else { continue }
                    try await service.complete(redirect)
                    return try SessionView(unit)
                }
                throw Redirect.Refusal.expired
            }
        }
        guard let done else { throw Self.issuerTimeout }
        return SessionReply(session: done)
    }

    func signOut(_ call: SignOut) async throws -> SignOut.Reply {
        let unit = try accounts.signInUnit(call.account)
        let service = try unit.requireSignIn()
        let signOutLosses = try service.signOutLosses + self.signOutLosses(unit.account.id)
        if call.dryRun == true || signOutLosses.isEmpty {
            return SignOut.Reply(revoked: signOutLosses, queued: false)
        }
        let isQueued = try await mappingErrors {
            try await service.signOut(within: ControlService.sendingLimit)
        }
        return SignOut.Reply(revoked: signOutLosses, queued: isQueued)
    }

    func getSession(_ call: GetSession) throws -> SessionReply {
        let unit = try accounts.signInUnit(call.account)
        return SessionReply(session: try SessionView(unit))
    }

    func refreshProfile(_ call: RefreshProfile) async throws -> SessionReply {
        let unit = try accounts.signInUnit(call.account)
        let done: Void? = try await mappingErrors {
            try await surroundings.withTimeout(AccountUnit.answerLimit) {
                try await unit.requireSignIn().refreshProfile()
            }
        }
        if done == nil { throw Self.issuerTimeout }
        return SessionReply(session: try SessionView(unit))
    }

    /// Converts the errors of a sign-in for the client.
    private func mappingErrors<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let failure as SignInFailure {
            throw failure.fault
        } catch let failure as APIFailure {
            if case .unauthorized(let reason) = failure { throw SignInRequired(reason: reason) }
            throw failure.fault(about: nil, from: .issuer)
        } catch let refusal as Redirect.Refusal {
            throw AccessDenied(reason: "\(refusal)")
        } catch let problem as IDToken.Problem {
            throw AccessDenied(reason: "\(problem)")
        }
    }

    private static let issuerTimeout = Offline(
        reason: "the issuer does not respond", peer: ServerRole.issuer.word)
}

extension SignInFailure {
    fileprivate var fault: any ControlFault {
        switch self {
        case .denied, .refused, .unknownPerson, .superseded: AccessDenied(reason: sentence)
        case .expired, .unanswered: CodeExpired(reason: sentence)
        case .notOffered: NotOffered(reason: sentence)
        case .failed: Failed(reason: sentence)
        }
    }
}

extension AccountRegistry {
    /// Returns the account for a method about signing in.
    func signInUnit(_ name: String?) throws -> AccountUnit {
        let found = try matching(name)
        if name != nil, let named = found.first {
            _ = try named.requireSignIn()
            return named
        }
        let fitting = found.filter { $0.signIn != nil }
        guard let only = fitting.first else {
            throw NotConfigured(reason: "no account uses a sign-in; run `cutied setup --staff`")
        }
        guard fitting.count == 1 else {
            let names = fitting.map(\.account.name).joined(separator: ", ")
            throw InvalidArgument(parameter: "account", reason: "several accounts use a sign-in: " + names)
        }
        return only
    }
}

extension ControlAPI.SignIn.Reply {
    fileprivate init(_ step: SignInService.Step) {
        switch step {
        case .code(let code, let end):
            self.init(
                userCode: code.userCode, verificationUri: code.verificationURI.description,
                verificationUriComplete: code.completeURI?.description, expiresAt: end.milliseconds)
        case .page(let address): self.init(authorizationUri: address)
        }
    }
}

extension SessionView {
    init(_ unit: AccountUnit) throws {
        let session = try unit.requireSignIn().session
        let (claims, pages) = (session.claims, session.accountPages)
        self.init(
            account: unit.account.name, auth: session.authentication, reason: session.obstacle,
            subject: claims?.subject, adminId: claims.map { $0.adminID ?? $0.subject },
            name: claims?.name, email: claims?.email, issuer: session.issuerName,
            method: session.method?.rawValue, scopes: session.scope.names,
            expiresAt: session.expiresAt?.milliseconds, registerUri: pages?.register?.description,
            forgotUri: pages?.forgot?.description)
    }
}
