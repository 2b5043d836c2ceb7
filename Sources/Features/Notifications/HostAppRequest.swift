import Localization

/// An app's request to show its makers' answers on this computer.
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

    package init(app: String, name: String, program: String, isVerified: Bool, host: String) {
        (self.app, self.name, self.program) = (app, name, program)
        (self.isVerified, self.host) = (isVerified, host)
    }

    var text: Question.Text {
        Question.Text(
            question: localized("{app} wants to show you replies from its developers", ["app": name]),
            // The program comes first, because a one-line banner shows only the beginning.
            detail: [
                isVerified
                    ? localized("The app is {program}.", ["program": program])
                    : localized(
                        "The program is {program}. It could not be verified as this app.",
                        ["program": program]),
                localized("The replies come from {host} and are shown only in this app.", ["host": host]),
            ].joined(separator: " "),
            allow: localized("Allow"), refuse: localized("Not now"))
    }
}
