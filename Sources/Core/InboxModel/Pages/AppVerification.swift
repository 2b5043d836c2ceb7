public import ControlAPI
import Localization

/// The verification of the app that asks a question.
public struct AppVerification: Hashable, Sendable {
    public let isVerified: Bool
    /// An explanation of the verification, for the user.
    public let sentence: String
}

extension QuestionView {
    /// The verification of the app; `nil` if no app asks the question. An app counts as unverified if the
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
