public import ControlAPI
import Localization

/// The part of a question that states whether the system has verified the app.
public struct AppVerification: Hashable, Sendable {
    public let isVerified: Bool
    /// The sentence to show to the user.
    public let sentence: String
}

extension QuestionView {
    /// Whether the system has verified the requesting app; `nil` if the question is not from an app. If the
    /// daemon did not report the verification, the app counts as unverified.
    public var appVerification: AppVerification? {
        guard let app else { return nil }
        let isVerified = verified == true
        let name = plainLine(app, limit: 60)
        return AppVerification(
            isVerified: isVerified,
            sentence: isVerified
                ? localized("Verified by your system as {app}.", ["app": name])
                : localized(
                    """
                    Not verified: any program can use this name. Allow access only if you have just started \
                    this app yourself.
                    """))
    }
}
