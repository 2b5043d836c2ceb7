/// Why a secret could not be read or kept. What was there before is still there.
public struct SecretFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// Try again later: the keyring is locked, hangs or is not there.
        case unavailable
        /// Needs a person: the file cannot be read with what there is.
        case unreadable
        /// The system does not let the file be written.
        case unwritable
        /// The name or the secret is larger than anything of the API.
        case tooLarge
        /// The waiting task was cancelled.
        case cancelled
    }

    public let code: Code
    /// What is wrong and what to do.
    public let description: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        description = sentence
    }
}
