import Config
import ControlClient
import CutieAPI
import InboxModel
import Localization
import Platform
import Reasons
import Runtime
import Setup

/// Writes the account of the setup page and starts the daemon, off the main actor.
nonisolated struct AccountSetup: Sendable {
    let file: ConfigurationFile
    let service: DaemonService
    /// Whether the new account is added to existing accounts.
    let isAddition: Bool

    /// The input of the setup page.
    struct Request: Sendable {
        /// The typed App ID or link; `nil` for a support account.
        var appID: String?
        var place: SetupState.APILocation
        var address: String
        /// The names of the accounts that the daemon already has.
        var taken: Set<String>
        var isDaemonRunning = false
    }

    enum Ending: Sendable {
        /// Nothing was written. The value is the input for the state machine of the page.
        case input(SetupState.Input)
        case begun(DaemonService.Outcome)
        /// The user entered a link that adds an app, so no account is configured. The configuration file is
        /// unchanged.
        case link(FeedbackToken, api: APIAddress?, DaemonService.Outcome)
    }

    /// The values that the configuration file already contains.
    var found: SetupState.Input {
        let account = (try? file.findDefaultAccount()) ?? nil
        return .found(
            appID: account?.appID, place: account.map { Self.apiLocation(of: $0.apiURL) } ?? .hosted,
            address: account?.apiURL.description ?? "")
    }

    static func apiLocation(of address: APIAddress) -> SetupState.APILocation {
        switch address {
        case .production: .hosted
        case .hostedSandbox: .hostedSandbox
        default: .other
        }
    }

    func setUpAccount(for request: Request) async -> Ending {
        await withTaskExecutorPreference(EventLoop.shared) { await writeConfiguration(for: request) }
    }

    @concurrent private func writeConfiguration(for request: Request) async -> Ending {
        if let typed = request.appID, case .app(let token, let api)? = Self.parseLink(in: typed) {
            return .link(token, api: api, request.isDaemonRunning ? .reloaded : await service.start())
        }
        do {
            let entry = try request.appID.map { try SetupEntry($0) }
            // If the user entered a link in the App ID field, prefer the API address in the link.
            let address = try entry?.address ?? Self.parseAddress(from: request)
            guard
                let change = try configureAccount(
                    appID: entry?.appID, apiAddress: address, avoidingNames: request.taken)
            else {
                return .input(.failed(localized("This account already exists.")))
            }
            return .begun(try await service.start(after: change))
        } catch let error as SetupEntry.InvalidInput {
            return .input(.invalid(error.field, error.sentence))
        } catch let failure as SetupFailure {
            return .input(.failed(failure.sentence))
        } catch {
            return .input(.failed(CallFailure(error).sentence))
        }
    }

    /// Returns the link in the typed text; `nil` if the text is not a link.
    static func parseLink(in input: String) -> DeepLink? {
        try? DeepLink(input.filter { !$0.isWhitespace })
    }

    private static func parseAddress(from request: Request) throws(SetupEntry.InvalidInput) -> APIAddress {
        switch request.place {
        case .hosted: .production
        case .hostedSandbox: .hostedSandbox
        case .other: try SetupEntry.parseAddress(request.address)
        }
    }

    private func configureAccount(
        appID: String?, apiAddress address: APIAddress, avoidingNames takenNames: Set<String>
    ) throws(SetupFailure) -> WrittenChange? {
        if let appID, !isAddition { return try file.setAppID(appID, apiAddress: address) }
        return try file.addAccount(
            appID.map { .device(appID: $0) } ?? .staff, apiAddress: address, avoidingNames: takenNames)
    }
}

nonisolated extension SetupEntry.InvalidInput {
    fileprivate var field: SetupState.Field { if case .address = self { .address } else { .appID } }

    /// The error message for the user.
    var sentence: String {
        switch self {
        case .appID(let reason): reason.localizedSentence
        case .address(let problem): problem.reason.localizedSentence
        case .link(let problem): problem.reason.localizedSentence
        case .linkOfApp:
            localized(
                """
                This link adds an app and contains no App ID. Open the link instead of entering it in this \
                field.
                """)
        case .linkOfConversation: localized("This link opens a conversation. Enter the App ID first.")
        }
    }
}

nonisolated extension SetupFailure {
    /// The error message for the user, with file and line if known.
    var sentence: String {
        switch self {
        case .notRead(let failure):
            localized("The settings cannot be read: {reason}", ["reason": failure.description])
        case .notWritten(let failure):
            localized("The settings cannot be written: {reason}", ["reason": failure.description])
        case .noConfigFile(let path):
            localized("{file} is not a settings file. Move the file to another folder.", ["file": path])
        case .refused(let error):
            error.line.map {
                localized(
                    "{file}, line {line}: {problem}",
                    [
                        "file": error.file, "line": "\($0)",
                        "problem": (error.key.map { $0 + ": " } ?? "") + error.problem.localized,
                    ])
            } ?? error.reason.localized
        case .rejectedByDaemon(let reason): reason.localized
        }
    }
}
