import ControlAPI
import Localization

/// A condition that must be met before a page has content.
public enum PageRequirement: Hashable, Sendable, CaseIterable {
    /// No requirement: the page only uses files.
    case nothing
    case daemon
    /// An account of any kind exists.
    case account
    /// A device account exists: the user can write to the developer of an app.
    case deviceAccount
    /// A staff or identity account exists: the user can sign in.
    case signInAccount
    /// A support account is signed in.
    case staffAccount
}

/// The text of a page without content: the reason why there is no content, and advice for the user.
public struct PagePlaceholder: Hashable, Sendable {
    public enum Remedy: Hashable, Sendable {
        case startDaemon
        case setUp
        case signIn
    }

    public var title: String
    /// An explanation; empty if the title is sufficient.
    public var sentence: String
    public var remedy: Remedy?
    /// Whether the content is loading, so the user does not have to do anything.
    public var isLoading = false
}

extension InboxState {
    /// Returns the placeholder for a page with this requirement; `nil` if the requirement is met.
    public func placeholder(for requirement: PageRequirement) -> PagePlaceholder? {
        if requirement == .nothing { return nil }
        if let placeholder = placeholderWithoutDaemon { return placeholder }
        guard let accounts = status?.accounts else { return .loading }
        if requirement != .daemon, accounts.isEmpty { return .notSetUp }
        switch requirement {
        case .nothing, .daemon, .account: return nil
        case .deviceAccount: return deviceAccounts.isEmpty ? .noDeviceAccount : nil
        case .signInAccount: return signInAccounts.isEmpty ? .noSignInAccount : nil
        case .staffAccount:
            if staffAccounts.isEmpty { return .noStaffAccount }
            return signedOutAccounts.isSuperset(of: staffAccounts) ? .signedOut : nil
        }
    }

    private var placeholderWithoutDaemon: PagePlaceholder? {
        switch daemonView {
        case .ready: nil
        case .connecting: .loading
        case .starting: PagePlaceholder(title: localized("Starting…"), sentence: "", isLoading: true)
        case .notRunning, .disconnected:
            isConfigured == false
                ? .notSetUp
                : PagePlaceholder(
                    title: localized("Cuti-E Is Not Running"),
                    sentence: localized("Start Cuti-E to see this page."),
                    remedy: .startDaemon)
        case .tooOld(let sentence):
            PagePlaceholder(title: localized("Restart Cuti-E"), sentence: sentence)
        case .unusable(let sentence):
            PagePlaceholder(title: localized("Cuti-E Is Not Responding"), sentence: sentence)
        }
    }
}

extension PagePlaceholder {
    static var loading: PagePlaceholder {
        PagePlaceholder(title: localized("Loading…"), sentence: "", isLoading: true)
    }

    static var notSetUp: PagePlaceholder {
        PagePlaceholder(
            title: localized("No Account Is Set Up"),
            sentence: localized("Set up an app, or sign in as support staff, to see this page."),
            remedy: .setUp)
    }

    static var noDeviceAccount: PagePlaceholder {
        PagePlaceholder(
            title: localized("No App Is Set Up"),
            sentence: localized("This page shows apps that you send feedback to. No app is set up."))
    }

    static var noSignInAccount: PagePlaceholder {
        PagePlaceholder(
            title: localized("No Sign-In Needed"),
            sentence: localized(
                "None of your accounts requires you to sign in."))
    }

    static var signedOut: PagePlaceholder {
        PagePlaceholder(
            title: localized("You Are Not Signed In"), sentence: localized("Sign in to see this page."),
            remedy: .signIn)
    }

    static var noStaffAccount: PagePlaceholder {
        PagePlaceholder(
            title: localized("For Support Staff"),
            sentence: localized(
                "This page is for support staff. To use it, add a support account in Settings."))
    }
}
