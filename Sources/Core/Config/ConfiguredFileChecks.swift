/// Checks of the files that a config names. A check returns the problem with the file at a path; `nil` if it
/// is usable.
///
/// Parsing a config does not read other files. A caller that may refuse a config passes the checks, so that
/// errors have the line and the key.
public struct ConfiguredFileChecks: Sendable {
    /// The check for `tls.ca_file`.
    var certificates: @Sendable (String) -> String?
    /// The check for `client_secret_file`.
    var secret: @Sendable (String) -> String?

    public init(
        certificates: @escaping @Sendable (String) -> String?, secret: @escaping @Sendable (String) -> String?
    ) {
        (self.certificates, self.secret) = (certificates, secret)
    }

    /// Accepts every path.
    public static let none = ConfiguredFileChecks(certificates: { _ in nil }, secret: { _ in nil })
}

extension ConfigurationScalar {
    /// Returns the absolute path of a file that passes `check`.
    func file(
        home: String?, passing check: (String) -> String?
    ) throws(ConfigurationError) -> String {
        let path = try absolutePath(home: home)
        if let problem = check(path) { throw error(problem) }
        return path
    }
}
