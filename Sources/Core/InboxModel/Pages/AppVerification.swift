public import ControlAPI
import Localization

/// The result of verifying the identity of the app that asks a question.
public struct AppVerification: Hashable, Sendable {
    /// Whether the system confirms the identity of the app.
    public let isVerified: Bool
    /// A sentence that explains the result to the user.
    public let sentence: String
}

extension QuestionView {
    /// The verification result; `nil` if the question is not from an app. An app counts as unverified if the
    /// daemon sent no result.
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
