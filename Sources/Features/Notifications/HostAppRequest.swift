package import CutieAPI
import Localization

/// An app's request to show the replies of its developers on this computer.
package struct HostAppRequest: Codable, Hashable {
    /// The unique id of the app.
    package var app: String
    /// The name that the app reports.
    package var name: String
    /// The name of the program as the system reports it.
    package var program: String
    /// Whether the system vouches for `program`.
    package var isVerified: Bool
    /// The host of the API that the app wants to use.
    package var host: String
    /// The facts that the app wants to send with each new conversation.
    package var facts: [DeviceContext.Field]?

    package init(
        app: String, name: String, program: String, isVerified: Bool, host: String,
        facts: [DeviceContext.Field]? = nil
    ) {
        (self.app, self.name, self.program) = (app, name, program)
        (self.isVerified, self.host, self.facts) = (isVerified, host, facts)
    }

    var text: Question.Text {
        Question.Text(
            question: localized("{app} wants to show you replies from its developers", ["app": name]),
            // The program comes first, because a one-line banner shows only the beginning.
            detail: [
                Self.sentence(about: program, isVerified: isVerified),
                localized("The replies come from {host}. Other apps cannot read them.", ["host": host]),
                factsSentence,
            ].compactMap(\.self).joined(separator: " "),
            allow: localized("Allow"), refuse: localized("Not Now"))
    }

    /// Returns which program asks, and whether the system vouches for it.
    static func sentence(about program: String, isVerified: Bool) -> String {
        isVerified
            ? localized("The app is {program}.", ["program": program])
            : localized(
                "The program is {program}. It could not be verified as this app.", ["program": program])
    }

    /// Names the facts about the computer that the app wants to send; `nil` if there are none.
    private var factsSentence: String? {
        let names = (facts ?? []).compactMap { fact -> String? in
            switch fact {
            case .language: localized("your language")
            case .country: localized("your country")
            case .osVersion: localized("your system version")
            case .deviceModel: localized("your computer model")
            // The version of the app says nothing about the user.
            case .appVersion: nil
            }
        }
        guard !names.isEmpty else { return nil }
        return localized(
            "New conversations also contain: {facts}.",
            ["facts": names.joined(separator: localized(", ", context: "enumeration"))])
    }
}
