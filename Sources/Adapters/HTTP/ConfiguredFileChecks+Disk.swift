import CCurl
public import Config
import Glibc
import Reasons

extension ConfiguredFileChecks {
    /// Creates checks that read files from disk. A CA file is parsed in the same way as for a connection.
    ///
    /// - Parameter findProgram: returns the problem with a configured program; `nil` if the program is
    ///   executable.
    public static func onDisk(
        findProgramProblem findProgram: @escaping @Sendable (String) -> String?
    ) -> ConfiguredFileChecks {
        ConfiguredFileChecks(
            certificates: { path in
                if let problem = findReadProblem(at: path) { return problem }
                return hasCertificates(inFileAt: path) ? nil : Reason(.fileWithoutCertificate, ["path": path])
            },
            secret: findReadProblem,
            program: { name in
                guard findProgram(name) == nil else { return nil }
                let code: Reason.Code = name.contains("/") ? .programNotExecutable : .programNotInPath
                return Reason(code, ["program": name])
            })
    }

    @Sendable private static func findReadProblem(at path: String) -> Reason? {
        guard access(path, R_OK) != 0 else { return nil }
        return Reason(
            .fileUnreadable, ["path": path, "detail": " (\(String(cString: strerror(errno))))"])
    }

    private static func hasCertificates(inFileAt path: String) -> Bool {
        guard let trust = ccurl_trust_make([], 0) else { return false }
        defer { ccurl_trust_free(trust) }
        return ccurl_trust_load(trust, path) == 1
    }
}
