import Glibc
import Platform

extension UnitFacts {
    init(asking environment: [String: String]) async {
        async let enabled = ProgramRun(
            "systemctl", "--user", "is-enabled", "cutied.service", environment: environment)
        async let active = ProgramRun(
            "systemctl", "--user", "is-active", "cutied.service", environment: environment)
        async let users = ProgramRun(
            "systemctl", "--user", "show", "--property=PrivateUsers", "--value", "cutied.service",
            environment: environment)
        async let linger = ProgramRun(
            "loginctl", "show-user", "--property=Linger", "--value", String(getuid()),
            environment: environment)
        async let namespace = ProgramRun(
            "unshare", "--user", "--map-root-user", "true", environment: environment)
        self.init(
            enabled: Self.word(of: await enabled), active: Self.word(of: await active),
            hasDisplay: environment.hasDisplay, lingers: Self.lingers(await linger),
            namespacesWork: Self.success(await namespace), isHardened: Self.answer(await users),
            dropIn: Self.shippedDropIn())
    }

    /// In the place where this program was installed, whatever the prefix is.
    private static func shippedDropIn() -> String? {
        guard let program = OwnProgram.path else { return nil }
        let prefix = program.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let file = prefix + "/share/cutied/cutied.service.d/hardening.conf"
        return access(file, R_OK) == 0 ? file : nil
    }

    /// `is-enabled` and `is-active` answer a word, also with a code that is not 0.
    static func word(of run: ProgramRun) -> Word {
        switch run.ending {
        case .notStarted: return .noProgram
        case .killed: return .nobody("systemctl took too long")
        case .exited: break
        }
        let line = run.line
        if line.contains("No such file or directory"), line.contains("unit file state") {
            return .said("not-found")
        }
        return line.contains(" ") || line.isEmpty ? .nobody(line) : .said(line)
    }

    static func answer(_ run: ProgramRun) -> Bool? {
        guard run.ending == .exited(code: 0) else { return nil }
        return switch run.line {
        case "yes": true
        case "no": false
        default: nil
        }
    }

    /// Of a user without a session loginctl only tells that it is neither logged in nor lingering.
    static func lingers(_ run: ProgramRun) -> Bool? {
        run.line.hasSuffix("is not logged in or lingering") ? false : answer(run)
    }

    private static func success(_ run: ProgramRun) -> Bool? {
        switch run.ending {
        case .exited(let code): code == 0
        case .killed, .notStarted: nil
        }
    }
}
