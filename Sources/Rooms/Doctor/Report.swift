/// All checks of an examination, in their order.
public struct Report: Hashable, Sendable, Encodable {
    public var checks: [Check]
    /// Nothing failed.
    public var ok: Bool

    public init(_ checks: [Check]) {
        self.checks = checks
        ok = !checks.contains { $0.verdict == .failure }
    }

    /// 0 where nothing failed, 78 where the config is the problem, else 1.
    public var exitCode: Int32 {
        if ok { return 0 }
        return checks.contains { $0.name == ConfigurationFacts.checkName && $0.verdict == .failure } ? 78 : 1
    }

    /// The last line for a person.
    public var summary: String {
        func count(_ verdict: Check.Verdict) -> Int { checks.count { $0.verdict == verdict } }
        return switch (count(.failure), count(.warning)) {
        case (0, 0): "all is well"
        case (0, let warnings): "works, with \(warnings) to look at"
        case (let failures, 0): "\(failures) failed"
        case (let failures, let warnings): "\(failures) failed, \(warnings) more to look at"
        }
    }
}
