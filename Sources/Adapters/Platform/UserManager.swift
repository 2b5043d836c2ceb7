/// The `systemd --user` of the session.
struct UserManager: Sendable {
    private let directory: String
    /// Of the session, where it is not the manager's.
    private let otherBus: String?

    /// nil where the environment names no runtime directory.
    init?(environment: [String: String]) {
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return nil }
        self.directory = directory
        let bus = environment[Self.busVariable] ?? ""
        otherBus = bus.isEmpty || bus.hasPrefix("unix:path=\(directory)/bus") ? nil : bus
    }

    private static let busVariable = "DBUS_SESSION_BUS_ADDRESS"

    /// Whether `systemd-run` reaches it: it asks by the bus that the manager is on, which is not the session's
    /// where that was started by the login (dbus-x11) or by `dbus-run-session`.
    var answers: Bool { acceptsConnections("/systemd/private") && acceptsConnections("/bus") }

    /// What `systemd-run` needs to find that bus.
    var address: [String: String] { [Self.busVariable: "unix:path=\(directory)/bus"] }

    /// The file of a socket may outlive who listened there.
    private func acceptsConnections(_ name: String) -> Bool {
        SocketProbe.failure(at: directory + name) == nil
    }

    /// The argv that has the manager start `arguments` as an application of the desktop, and waits until nothing
    /// of it runs any more: with its exit code, 203 where it could not be started, 255 where it was killed.
    ///
    /// `instance`: letters and digits that no other start has.
    func starting(
        _ arguments: [String], adding additions: [String: String], output: Launcher.Output,
        instance: String = Self.randomInstance()
    ) -> [String] {
        let name = Self.unitName(of: arguments.first ?? "", instance: instance)
        // Else `xdg-open`, which starts the program of a link and exits, would take that with it: a unit ends
        // with its main process, and all of its processes then.
        let life = ["--property=ExitType=cgroup"]
        let silence = ["--property=StandardOutput=null", "--property=StandardError=null"]
        return wrapping(
            arguments, adding: additions,
            options: ["--unit=" + name, "--slice=app.slice"] + life + (output == .discarded ? silence : []))
    }

    /// The argv that has the manager run `arguments` with our input and output, and ends as they end, with all
    /// that they started; after `limit` it ends them.
    func running(
        _ arguments: [String], adding additions: [String: String], within limit: Duration
    ) -> [String] {
        let time = ["--property=RuntimeMaxSec=\(limit.components.seconds)", "--property=TimeoutStopSec=5"]
        return wrapping(arguments, adding: additions, options: ["--pipe"] + time)
    }

    /// The type of the unit is `simple`, as nothing is said: with `exec`, the exit code of what fails at once is
    /// often lost.
    private func wrapping(
        _ arguments: [String], adding additions: [String: String], options: [String]
    ) -> [String] {
        var additions = additions
        additions[Self.busVariable] = otherBus
        return ["systemd-run", "--user", "--quiet", "--collect", "--wait"] + options
            // Else the journal would name the whole command, and a link may hold a token.
            + ["--description=cutied starts " + (arguments.first ?? "nothing")]
            + additions.sorted { $0.key < $1.key }.map { "--setenv=" + $0.key + "=" + $0.value }
            + ["--"] + arguments.prefix(1) + arguments.dropFirst().map(Self.literal)
    }

    /// The manager would put variables of its own in: of a script's `$$` it would leave one `$`.
    private static func literal(_ argument: String) -> String {
        argument.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
    }

    /// `app-LAUNCHER-APPLICATION@RANDOM.service`, by which desktops know applications (systemd's
    /// DESKTOP_ENVIRONMENTS). A name of more than 255 bytes would be refused.
    private static func unitName(of program: String, instance: String) -> String {
        let name = program.split(separator: "/").last ?? "program"
        return "app-cutied-" + name.utf8.prefix(40).map(escaped).joined() + "@\(instance).service"
    }

    /// As systemd-escape(1) does it: a dash would separate.
    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            String(UnicodeScalar(byte))
        default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    private static func randomInstance() -> String {
        String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
