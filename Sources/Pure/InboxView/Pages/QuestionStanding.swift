public import ControlAPI
import Localization

/// Whether the app that asks something is the one it says it is.
public struct QuestionStanding: Hashable, Sendable {
    /// The system vouches for the app.
    public let isVerified: Bool
    /// What that means for an answer.
    public let sentence: String
}

extension QuestionView {
    /// nil where no app asks. A daemon that does not tell vouches for nothing.
    public var standing: QuestionStanding? {
        guard let app else { return nil }
        let isVerified = verified == true
        let name = plainLine(app, limit: 60)
        return QuestionStanding(
            isVerified: isVerified,
            sentence: isVerified
                ? localized("Verified: your system says that this is {app}.", ["app": name])
                : localized(
                    """
                    Not verified: any program can ask under this name. Allow it only if you have just \
                    started it yourself.
                    """))
    }
}
