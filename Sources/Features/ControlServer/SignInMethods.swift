import Accounts
import ControlAPI
import CutieAPI
import EventLog
import NotificationPolicy
import Notifications
import OAuth
import Reasons
import Services
import VarlinkSocket

/// The handlers for signing in and out, and for the session.
struct SignInMethods: ControlMethods {
    let service: SessionService
    let notificationController: NotificationController

    var implementation: Implementation {
        Implementation()
            .onStream(ControlAPI.SignIn.self) { call, replies in
                try await signIn(call.parameters) { try await replies.send($0, continues: !$1) }
            }
            .onStream(AttendSignIn.self) { call, replies in
                try await suppressCodeNotification(during: call.parameters) {
                    try await replies.send(AttendSignIn.Reply())
                }
            }
            .on(completeSignIn).on(signOut).on(getSession).on(refreshProfile)
    }

    func signIn(
        _ call: ControlAPI.SignIn, send: (ControlAPI.SignIn.Reply, _ isLast: Bool) async throws -> Void
    ) async throws {
        let unit = try await service.signIn(
            account: call.account, method: call.method, loginHint: call.hint,
            isNewAccount: call.register ?? false
        ) { try await send(ControlAPI.SignIn.Reply($0), false) }
        try await send(ControlAPI.SignIn.Reply(session: try SessionView(unit)), true)
    }

    /// Suppresses the notification of the code until the caller disconnects.
    func suppressCodeNotification(during call: AttendSignIn, onBegin: () async throws -> Void) async throws {
        let owners = [NotificationOwner.signIn(try service.findAccount(named: call.account).account.id)]
        notificationController.beginDisplayingConversations(of: owners)
        defer { notificationController.endDisplayingConversations(of: owners) }
        notificationController.requestReevaluation()
        try await onBegin()
        try await ChangeSignal().wait(past: 0)
    }

    func completeSignIn(_ call: CompleteSignIn) async throws -> SessionReply {
        SessionReply(session: try SessionView(await service.completeSignIn(withRedirect: call.redirect)))
    }

    func signOut(_ call: SignOut) async throws -> SignOut.Reply {
        let (revoked, isQueued) = try await service.signOut(
            account: call.account, isDryRun: call.dryRun == true)
        return SignOut.Reply(
            revoked: revoked.map(\.english), queued: isQueued,
            revokedReasons: revoked.map(ReasonView.init(_:)))
    }

    func getSession(_ call: GetSession) throws -> SessionReply {
        SessionReply(session: try SessionView(service.findAccount(named: call.account)))
    }

    func refreshProfile(_ call: RefreshProfile) async throws -> SessionReply {
        SessionReply(session: try SessionView(await service.refreshProfile(account: call.account)))
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
            account: unit.account.name, auth: Authentication(session.authentication),
            reason: session.obstacle?.english,
            subject: claims?.subject, adminId: claims.map { $0.adminID ?? $0.subject },
            name: claims?.name, email: claims?.email, issuer: session.issuerName,
            method: session.method?.rawValue, scopes: session.scope.names,
            expiresAt: session.expiresAt?.milliseconds, registerUri: pages?.register?.description,
            forgotUri: pages?.forgot?.description)
        self = withReasonFields(of: session.obstacle)
    }
}
