import Localization
import Reasons

/// An app's request for an action on its account, which the user must allow.
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
    /// The unique ID of the app.
    package var app: String
    /// The name that the app reports.
    package var name: String
    /// The name of the program as the system reports it.
    package var program: String
    /// Whether the system verified `program`.
    package var isVerified: Bool
    /// The name of the device that the action affects; `nil` if the action affects no device.
    package var device: String?

    package init(
        kind: Kind, app: String, name: String, program: String, isVerified: Bool, device: String? = nil
    ) {
        (self.kind, self.app, self.name, self.program) = (kind, app, name, program)
        (self.isVerified, self.device) = (isVerified, device)
    }

    var text: Question.Text {
        // Put the program first, because a one-line banner shows only the beginning.
        Question.Text(
            question, detail: [HostAppRequest.makeReason(naming: program, isVerified: isVerified), effect],
            allow: .allow, refuse: .notNow)
    }

    private var question: Reason {
        switch kind {
        case .analytics: Reason(.askActivityOfApp, ["app": name])
        case .link: Reason(.askLink, ["app": name])
        case .unlink: Reason(.askUnlink, ["app": name])
        }
    }

    private var effect: Reason {
        switch kind {
        case .analytics: Reason(.activityOfAppEffect)
        case .link: Reason(.linkEffect)
        case .unlink:
            Reason(.unlinkEffect, reasons: ["device": device.map(Reason.text) ?? Reason(.theDevice)])
        }
    }
}
