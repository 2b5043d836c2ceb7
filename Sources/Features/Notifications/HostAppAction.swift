import Localization

/// An app's request to do something with its account that the user decides about.
package struct HostAppAction: Codable, Hashable {
    /// The raw values are stored.
    package enum Kind: String, Codable {
        /// Reporting to the app's developer that the user is active.
        case analytics
        /// Sharing the app's conversations with another device.
        case link
        /// Removing a device from the shared inbox.
        case unlink
    }

    package var kind: Kind
    /// The unique id of the app.
    package var app: String
    /// The name that the app reports.
    package var name: String
    /// The name of the program as the system reports it.
    package var program: String
    /// Whether the system vouches for `program`.
    package var isVerified: Bool
    /// The name of the device that the action is about.
    package var device: String?

    package init(
        kind: Kind, app: String, name: String, program: String, isVerified: Bool, device: String? = nil
    ) {
        (self.kind, self.app, self.name, self.program) = (kind, app, name, program)
        (self.isVerified, self.device) = (isVerified, device)
    }

    var text: Question.Text {
        Question.Text(
            question: question,
            // The program comes first, because a one-line banner shows only the beginning.
            detail: HostAppRequest.sentence(about: program, isVerified: isVerified) + " " + effect,
            allow: localized("Allow"), refuse: localized("Not Now"))
    }

    private var question: String {
        switch kind {
        case .analytics: localized("May {app} count you as active?", ["app": name])
        case .link: localized("{app} wants to link another device", ["app": name])
        case .unlink: localized("{app} wants to remove a linked device", ["app": name])
        }
    }

    private var effect: String {
        switch kind {
        case .analytics:
            localized(
                """
                If you allow it, its developers are notified at each start that this computer is in use. They \
                see a number instead of your name.
                """)
        case .link:
            localized(
                """
                Both devices then show the app's conversations and can answer them. Allow this only if you \
                have just requested it.
                """)
        case .unlink:
            localized(
                "{device} will no longer show the app's conversations.",
                ["device": device ?? localized("The device")])
        }
    }
}
