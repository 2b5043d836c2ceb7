import ArgumentParser
import Config
import ControlClient
import CutieAPI
import Reasons
import Setup

/// The command `cutied open cutie://setup?...` in a terminal. The link may come from an untrusted source, so
/// the user must confirm its values before anything is written.
struct LinkSetup {
    let appID: String
    /// The address in the link; `nil` keeps the configured address.
    let address: APIAddress?
    let link: String
    let file: ConfigurationFile

    func run(in session: Session) throws {
        let place = address.map { " at \($0)" } ?? ""
        let target = "App ID \(appID)\(place)"
        guard let prompt = session.prompt else {
            throw CommandError(
                .usage,
                address.map { Reason(.linkSetsUpAt, ["app": appID, "address": "\($0)"]) }
                    ?? Reason(.linkSetsUp, ["app": appID]),
                advice: Reason(.setUpByCommand, ["link": link]))
        }
        // In the question, name the App ID that the link replaces, because the account with the old App ID
        // stops working.
        let former = (try? file.findDefaultAccount())?.appID ?? ""
        let change = former.isEmpty || former == appID ? target : "\(target) instead of App ID \(former)"
        guard try askToConfirmSetup(of: change, using: prompt) else {
            try session.output.write("nothing was changed\n")
            throw ExitCode(ExitStatus.failed.rawValue)
        }
        try SetupDialog(file: file) { _ in nil }.configureAccount(appID: link, apiURL: nil)
        try session.output.write(SetupCommand.nextStepsMessage(configurationPath: file.path, isStaff: false))
    }

    private func askToConfirmSetup(of target: String, using prompt: TerminalPrompt) throws -> Bool {
        let question = TerminalText.singleLine("set up \(target)? agree only if you know who sent the link")
        let answer = try prompt.ask(question + " [y/n] ") ?? ""
        return ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
    }
}
