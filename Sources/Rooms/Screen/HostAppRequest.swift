import Localization

/// An app asks to show the answers of its makers.
package struct HostAppRequest: Codable, Hashable {
    /// Tells it from all others.
    package var app: String
    /// What the app calls itself.
    package var name: String
    /// What the system calls it.
    package var program: String
    /// The system vouches for that.
    package var isVerified: Bool
    /// Of the API that it wants to talk to.
    package var host: String

    package init(app: String, name: String, program: String, isVerified: Bool, host: String) {
        (self.app, self.name, self.program) = (app, name, program)
        (self.isVerified, self.host) = (isVerified, host)
    }

    var words: Question.Words {
        Question.Words(
            question: localized("{app} wants to show you answers of its makers here", ["app": name]),
            // A banner of one line shows the beginning.
            detail: [
                isVerified
                    ? localized("The app is {program}.", ["program": program])
                    : localized(
                        "The program is {program}; whether it is that app could not be verified.",
                        ["program": program]),
                localized("They would come by {host}, for this app alone.", ["host": host]),
            ].joined(separator: " "),
            allow: localized("Allow"), refuse: localized("Not now"))
    }
}
