import CCurl
public import Config
import Glibc

extension ConfiguredFileChecks {
    /// Creates checks that read files from disk. A CA file is parsed in the same way as for a connection.
    ///
    /// - Parameter program: returns the problem with a configured program; `nil` if the program is usable.
    public static func onDisk(program: @escaping @Sendable (String) -> String?) -> ConfiguredFileChecks {
        ConfiguredFileChecks(
            certificates: { path in
                if let problem = findReadProblem(path) { return problem }
                return containsCertificates(path)
                    ? nil : "\(path) contains no PEM certificate; export the CA certificate as PEM"
            },
            secret: findReadProblem, program: program)
    }

    @Sendable private static func findReadProblem(_ path: String) -> String? {
        guard access(path, R_OK) != 0 else { return nil }
        return
            "\(path) cannot be read (\(String(cString: strerror(errno)))); correct the path or the file permissions"
    }

    private static func containsCertificates(_ path: String) -> Bool {
        guard let trust = ccurl_trust_make([], 0) else { return false }
        defer { ccurl_trust_free(trust) }
        return ccurl_trust_load(trust, path) == 1
    }
}
