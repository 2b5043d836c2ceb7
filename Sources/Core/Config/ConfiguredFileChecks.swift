public import Reasons

/// Checks of the files and programs that a config names. A check returns the problem; `nil` if the file or
/// program is usable.
///
/// The parser itself does not read these files. A caller that can reject a config passes checks to the
/// parser, so that an error about a file contains the line and the key of the config.
public struct ConfiguredFileChecks: Sendable {
    /// The check for `tls.ca_file`.
    var certificates: @Sendable (String) -> Reason?
    /// The check for `client_secret_file`.
    var secret: @Sendable (String) -> Reason?
    /// The check for the program of a command: a path, or a name to look up in PATH.
    var program: @Sendable (String) -> Reason?

    public init(
        certificates: @escaping @Sendable (String) -> Reason?,
        secret: @escaping @Sendable (String) -> Reason?,
        program: @escaping @Sendable (String) -> Reason?
    ) {
        (self.certificates, self.secret, self.program) = (certificates, secret, program)
    }

    /// Checks that accept every file and every program.
    public static let none = ConfiguredFileChecks(
        certificates: { _ in nil }, secret: { _ in nil }, program: { _ in nil })
}

extension ConfigurationScalar {
    /// Returns the absolute path of a file.
    ///
    /// - Throws: an error if `check` finds a problem with the file.
    func parseFilePath(
        home: String?, checkedBy check: (String) -> Reason?
    ) throws(ConfigurationError) -> String {
        let path = try parseAbsolutePath(home: home)
        if let problem = check(path) { throw makeError(for: problem) }
        return path
    }
}
