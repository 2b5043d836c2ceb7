/// Checks of the files that a config names. Each returns what is wrong with the file at a path; `nil` if it can be used.
///
/// A config is read without a look at the disk. The caller that may refuse one passes the checks, so that the error has
/// the line and the key.
public struct ConfiguredFileChecks: Sendable {
    /// For `tls.ca_file`.
    var certificates: @Sendable (String) -> String?
    /// For `client_secret_file`.
    var secret: @Sendable (String) -> String?

    public init(
        certificates: @escaping @Sendable (String) -> String?, secret: @escaping @Sendable (String) -> String?
    ) {
        (self.certificates, self.secret) = (certificates, secret)
    }

    /// Accepts every path.
    public static let none = ConfiguredFileChecks(certificates: { _ in nil }, secret: { _ in nil })
}

extension Value {
    /// Returns the absolute path of a file that passes `check`.
    func file(
        home: String?, passing check: (String) -> String?
    ) throws(ConfigurationError) -> String {
        let path = try absolutePath(home: home)
        if let problem = check(path) { throw error(problem) }
        return path
    }
}
