public import ControlAPI
import Localization
import Reasons

/// The page that signs the user in to an account, or out of it, as a state machine.
public struct SignInPageState: Sendable {
    public enum Input: Hashable, Sendable {
        /// The page was opened for an account, or the user switched to another account.
        case open(account: String)
        /// The daemon reported that the session may have changed.
        case changed
        case signIn(SignInChoice, register: Bool)
        case stop
        /// The user requests the sign-out, and then confirms or cancels it.
        case signOut
        case confirm(Bool)
        /// The progress of the running sign-in.
        case progress(SignIn.Reply)
        case signInFailed(CallFailure)
        case answered(Call, CallReply)
        case failed(Call, CallFailure)
    }

    public enum SignInChoice: String, Hashable, Sendable {
        case device, browser
    }

    public enum Call: Hashable, Sendable {
        case session(account: String)
        /// Requests the consequences of signing out, which the user must confirm.
        case loss(account: String)
        case signOut(account: String)
    }

    public enum CallReply: Hashable, Sendable {
        case session(SessionView)
        case loss([String])
        case signedOut(queued: Bool)
    }

    public enum Action: Hashable, Sendable {
        case call(Call)
        /// Starts the `SignIn` stream. If a stream is already running, stops it first.
        case follow(account: String, SignInChoice, register: Bool)
        case stopFollowing
        case showToast(String)
    }

    public enum Phase: Hashable, Sendable {
        case loading
        case signedOut(SessionView)
        /// The request to the issuer is in flight.
        case asking(SignInChoice)
        /// The user confirms `code` on the page at `address`. `link`: the address of the page with the code
        /// filled in. `until`: the expiry of the code in Unix milliseconds; `nil` if unknown.
        case code(String, address: String, link: String, until: Int64?)
        /// The browser shows the issuer's page at `address`.
        case browser(address: String)
        case signedIn(SessionView)
        /// Loading the session failed. The value is the error message.
        case failed(String)
    }

    public private(set) var account: String?
    public private(set) var phase = Phase.loading
    /// The reason why the last sign-in failed; `nil` if it did not fail. The page shows the reason next to
    /// the buttons.
    public private(set) var problem: String?
    /// The consequences of signing out, while the user is asked to confirm them; otherwise `nil`.
    public private(set) var signOutEffects: [String]?

    public init() {}

    /// The reason why the user is signed out, without advice for the command line. `nil` if the user is
    /// signed in, or if the reason would only repeat the title "You Are Not Signed In".
    public var reason: String? {
        guard case .signedOut(let session) = phase else { return nil }
        if case .coded(.notSignedIn, _)? = session.reasonValue { return problem }
        return problem ?? session.reasonValue?.localizedProblem
    }

    public var isSigningIn: Bool {
        switch phase {
        case .asking, .code, .browser: true
        case .loading, .signedOut, .signedIn, .failed: false
        }
    }

    public mutating func handle(_ input: Input) -> [Action] {
        if case .open(let account) = input { return startSignIn(for: account) }
        guard let account else { return [] }
        switch input {
        case .open: return []
        case .changed: return isSigningIn ? [] : [.call(.session(account: account))]
        case .signIn(let way, let register):
            (phase, problem) = (.asking(way), nil)
            return [.follow(account: account, way, register: register)]
        case .stop: return stopSignIn(for: account)
        case .signOut: return [.call(.loss(account: account))]
        case .confirm(let isSure):
            signOutEffects = nil
            return isSure ? [.call(.signOut(account: account))] : []
        case .progress(let reply): return handleReply(reply)
        case .signInFailed(let failure):
            guard isSigningIn else { return [] }
            (problem, phase) = (failure.sentence, .loading)
            return [.call(.session(account: account))]
        case .answered(let call, let answer): return handleReply(answer, to: call, account: account)
        case .failed(let call, let failure): return handleFailure(failure, of: call, account: account)
        }
    }

    private mutating func startSignIn(for account: String) -> [Action] {
        let wasSigningIn = isSigningIn
        (self.account, phase, problem, signOutEffects) = (account, .loading, nil, nil)
        return (wasSigningIn ? [.stopFollowing] : []) + [.call(.session(account: account))]
    }

    private mutating func stopSignIn(for account: String) -> [Action] {
        guard isSigningIn else { return [] }
        phase = .loading
        return [.stopFollowing, .call(.session(account: account))]
    }

    private mutating func handleReply(_ reply: SignIn.Reply) -> [Action] {
        guard isSigningIn else { return [] }
        if let session = reply.session {
            phase = .signedIn(session)
            return [.showToast(localized("You are signed in."))]
        }
        if let code = reply.userCode, let address = reply.verificationUri {
            phase = .code(
                code, address: address, link: reply.verificationUriComplete ?? address,
                until: reply.expiresAt)
        } else if let address = reply.authorizationUri {
            phase = .browser(address: address)
        }
        return []
    }

    private mutating func handleReply(_ answer: CallReply, to call: Call, account: String) -> [Action] {
        switch (call, answer) {
        case (.session(account), .session(let session)):
            if !isSigningIn {
                phase = session.auth == .authenticated ? .signedIn(session) : .signedOut(session)
            }
        case (.loss(account), .loss(let what)): signOutEffects = what
        case (.signOut(account), .signedOut(let queued)):
            let words =
                queued
                ? localized(
                    "You are signed out on this computer. The sign-in server will be notified when it can be reached."
                )
                : localized("You are signed out.")
            return [.showToast(words), .call(.session(account: account))]
        default: break
        }
        return []
    }

    private mutating func handleFailure(_ failure: CallFailure, of call: Call, account: String) -> [Action] {
        switch call {
        case .session(account):
            if !isSigningIn { phase = .failed(failure.sentence) }
            return []
        case .session: return []
        case .loss, .signOut: return [.showToast(failure.sentence)]
        }
    }
}

extension InboxState {
    /// The names of the accounts that require a sign-in.
    public var signInAccounts: [String] {
        (status?.accounts ?? []).filter { $0.kind != .device }.map(\.name)
    }

    /// The sign-in accounts that are signed out, according to the daemon.
    public var signedOutAccounts: Set<String> {
        Set((status?.accounts ?? []).filter { $0.kind != .device && $0.auth == .unauthenticated }.map(\.name))
    }
}
