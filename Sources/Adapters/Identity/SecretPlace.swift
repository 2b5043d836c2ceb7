/// Where secrets are kept now.
public struct SecretPlace: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        case secretService = "secret-service"
        /// Encrypted under a credential of systemd.
        case sealedFile = "sealed-file"
        /// Guarded by its mode alone.
        case plainFile = "plain-file"
    }

    /// Where a new secret goes.
    public let kind: Kind
    /// Of the file.
    public let path: String
    /// How many secrets are still elsewhere, for want of a keyring that answers.
    public let waiting: Int
    /// What is wrong and what to do, where something is.
    public let problem: String?
    /// What happened to the file since the start and a person should know; first, why it cannot be read.
    public let notes: [String]

    /// For the person, without problem and notes.
    public var description: String {
        let place =
            switch kind {
            case .secretService: "in the secret service"
            case .sealedFile: "in \(path), encrypted under the systemd credential"
            case .plainFile: "in \(path), unencrypted, for this user only"
            }
        let other = kind == .secretService ? "file" : "secret service"
        return waiting == 0 ? place : "\(place); \(waiting) still in the \(other)"
    }
}
