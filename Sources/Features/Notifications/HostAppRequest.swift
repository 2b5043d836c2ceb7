package import CutieAPI
import Localization
import Reasons

/// An app's request to show the replies of its developers on this computer.
package struct HostAppRequest: Codable, Hashable {
    /// The unique ID of the app.
    package var app: String
    /// The name that the app reports.
    package var name: String
    /// The name of the program as the system reports it.
    package var program: String
    /// Whether the system verified `program`.
    package var isVerified: Bool
    /// The host of the API that the app wants to use.
    package var host: String
    /// The facts that the app wants to send with each new conversation; `nil` if the app wants to send no
    /// facts.
    package var facts: [DeviceContext.Field]?

    package init(
        app: String, name: String, program: String, isVerified: Bool, host: String,
        facts: [DeviceContext.Field]? = nil
    ) {
        (self.app, self.name, self.program) = (app, name, program)
        (self.isVerified, self.host, self.facts) = (isVerified, host, facts)
    }

    var text: Question.Text {
        // Put the program first, because a one-line banner shows only the beginning.
        let detail = [
            Self.makeReason(naming: program, isVerified: isVerified), Reason(.repliesSource, ["host": host]),
            factsSentence,
        ]
        return Question.Text(
            Reason(.askHostApp, ["app": name]), detail: detail.compactMap(\.self), allow: .allow,
            refuse: .notNow)
    }

    /// Returns a message that names the requesting program, and states whether the system verified the
    /// program.
    static func makeReason(naming program: String, isVerified: Bool) -> Reason {
        Reason(isVerified ? .programVerified : .programUnverified, ["program": program])
    }

    /// The sentence that names the facts about the computer that the app wants to send; `nil` if the app
    /// wants to send no facts.
    private var factsSentence: Reason? {
        let names = (facts ?? []).compactMap { fact -> Reason? in
            switch fact {
            case .language: Reason(.factLanguage)
            case .country: Reason(.factCountry)
            case .osVersion: Reason(.factSystem)
            case .deviceModel: Reason(.factModel)
            // Omit the version of the app, because the version contains no information about the user.
            case .appVersion: nil
            }
        }
        return Reason.enumeration(of: names).map { Reason(.factsSent, reasons: ["facts": $0]) }
    }
}
