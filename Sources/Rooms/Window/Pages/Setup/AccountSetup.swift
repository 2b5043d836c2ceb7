import Config
import ControlClient
import CutieAPI
import InboxView
import Localization
import Platform
import Setup
import Threads

/// What the setup page has done, off the main actor.
nonisolated struct FirstSetup: Sendable {
    let file: ConfigurationFile
    let service: DaemonService

    enum Ending: Sendable {
        /// Nothing was written; what the page is told.
        case input(SetupState.Input)
        case begun(DaemonService.Outcome)
    }

    /// What the file says already.
    var found: SetupState.Input {
        let account = (try? file.defaultAccount()) ?? nil
        return .found(
            appID: account?.appID, place: account.map { Self.place(of: $0.apiURL) } ?? .hosted,
            address: account?.apiURL.description ?? "")
    }

    static func place(of address: APIAddress) -> SetupState.Place {
        switch address {
        case .production: .hosted
        case .hostedSandbox: .hostedSandbox
        default: .other
        }
    }

    func begin(_ appID: String, _ place: SetupState.Place, _ address: String) async -> Ending {
        await withTaskExecutorPreference(EventLoop.shared) { await write(appID, place, address) }
    }

    @concurrent private func write(
        _ appID: String, _ place: SetupState.Place, _ address: String
    ) async -> Ending {
        do {
            let entry = try SetupEntry(appID)
            let chosen: APIAddress =
                switch place {
                case .hosted: .production
                case .hostedSandbox: .hostedSandbox
                case .other: try SetupEntry.address(address)
                }
            return .begun(try await service.begin(try file.set(entry.appID, at: chosen)))
        } catch let error as SetupEntry.Unusable {
            return .input(.wrong(error.field, error.sentence))
        } catch let failure as SetupFailure {
            return .input(.failed(failure.sentence))
        } catch {
            return .input(.failed(CallFailure(error).sentence))
        }
    }
}

nonisolated extension SetupEntry.Unusable {
    fileprivate var field: SetupState.Field { if case .address = self { .address } else { .appID } }

    /// For the person.
    var sentence: String {
        switch self {
        case .appID(let reason):
            localized("This App ID cannot be used: {reason}", ["reason": localized(received: reason)])
        case .address(let reason):
            localized("This address cannot be used: {reason}", ["reason": localized(received: reason)])
        case .link(let reason):
            localized("This link {reason}", ["reason": localized(received: reason.description)])
        case .linkOfApp:
            localized(
                "This link adds an app to an inbox that is set up. Give the App ID first, and open the link then."
            )
        case .linkOfConversation: localized("This link is about a conversation. Give the App ID first.")
        }
    }
}

nonisolated extension SetupFailure {
    /// For the person, with file and line where it is about one.
    var sentence: String {
        switch self {
        case .notRead(let failure):
            localized("The settings cannot be read: {reason}", ["reason": failure.description])
        case .notWritten(let failure):
            localized("The settings cannot be written: {reason}", ["reason": failure.description])
        case .noConfigFile(let path):
            localized("{file} is no file of settings. Move it away.", ["file": path])
        case .refused(let error):
            error.line.map {
                localized(
                    "{file}, line {line}: {key} {reason}",
                    [
                        "file": error.file, "line": "\($0)", "key": error.key ?? "",
                        "reason": localized(received: error.sentence),
                    ])
            } ?? localized(received: error.sentence)
        case .notTaken(let sentence): localized(received: sentence)
        }
    }
}
