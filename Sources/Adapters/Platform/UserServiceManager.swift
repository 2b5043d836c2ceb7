/// The `systemd --user` of the session.
struct UserServiceManager: Sendable {
    private let directory: String
    /// The session bus, if it differs from the manager's bus.
    private let otherBus: String?

    /// `nil` if the environment contains no runtime directory.
    init?(environment: [String: String]) {
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return nil }
        self.directory = directory
        let bus = environment[Self.busVariable] ?? ""
        otherBus = bus.isEmpty || bus.hasPrefix("unix:path=\(directory)/bus") ? nil : bus
    }

    private static let busVariable = "DBUS_SESSION_BUS_ADDRESS"

    /// Whether `systemd-run` can reach the manager. `systemd-run` uses the manager's bus, which differs from
    /// the session bus if dbus-x11 or `dbus-run-session` started the session bus.
    var isAvailable: Bool { acceptsConnections("/systemd/private") && acceptsConnections("/bus") }

    /// The environment variable with which `systemd-run` finds the manager's bus.
    var address: [String: String] { [Self.busVariable: "unix:path=\(directory)/bus"] }

    /// Returns whether a process listens on the socket. The file of a socket may outlive its process, so this
    /// function connects.
    private func acceptsConnections(_ name: String) -> Bool {
        SocketProbe.probe(at: directory + name) == nil
    }

    /// Returns a command line that makes the manager start `arguments` as a desktop application, and that
    /// exits when all processes of the application have exited. The exit code is that of the program, 203 if
    /// the program could not be started, or 255 if it was killed.
    ///
    /// - Parameter instance: letters and digits that are unique to this launch.
    func startCommand(
        _ arguments: [String], adding additions: [String: String], output: Launcher.Output,
        instance: String = Self.randomInstance()
    ) -> [String] {
        let name = Self.unitName(of: arguments.first ?? "", instance: instance)
        // By default, systemd stops a unit with its main process and kills the remaining processes.
        // `xdg-open` starts the program for a link and exits, so the program would be killed.
        let life = ["--property=ExitType=cgroup"]
        let silence = ["--property=StandardOutput=null", "--property=StandardError=null"]
        return wrappedCommand(
            arguments, adding: additions,
            options: ["--unit=" + name, "--slice=app.slice"] + life + (output == .discarded ? silence : []))
    }

    /// Returns a command line that makes the manager run `arguments` with the caller's input and output. The
    /// command exits with the program and its child processes; after `limit`, the manager terminates them.
    func runCommand(
        _ arguments: [String], adding additions: [String: String], within limit: Duration
    ) -> [String] {
        let time = ["--property=RuntimeMaxSec=\(limit.components.seconds)", "--property=TimeoutStopSec=5"]
        return wrappedCommand(arguments, adding: additions, options: ["--pipe"] + time)
    }

    /// Uses the default unit type `simple`: with `exec`, the exit code of a program that fails immediately is
    /// often lost.
    private func wrappedCommand(
        _ arguments: [String], adding additions: [String: String], options: [String]
    ) -> [String] {
        var additions = additions
        additions[Self.busVariable] = otherBus
        return ["systemd-run", "--user", "--quiet", "--collect", "--wait"] + options
            // Without a description, the journal would contain the complete command, and a link may contain a
            // token.
            + ["--description=cutied starts " + (arguments.first ?? "nothing")]
            + additions.sorted { $0.key < $1.key }.map { "--setenv=" + $0.key + "=" + $0.value }
            + ["--"] + arguments.prefix(1) + arguments.dropFirst().map(Self.escapedArgument)
    }

    /// Escapes `$`, because the manager expands variables in arguments.
    private static func escapedArgument(_ argument: String) -> String {
        argument.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
    }

    /// Returns `app-LAUNCHER-APPLICATION@RANDOM.service`, the form by which desktops recognize applications
    /// (systemd's DESKTOP_ENVIRONMENTS). Names are limited to 255 bytes.
    private static func unitName(of program: String, instance: String) -> String {
        let name = program.split(separator: "/").last ?? "program"
        return "app-cutied-" + name.utf8.prefix(40).map(escaped).joined() + "@\(instance).service"
    }

    /// Escapes a byte like systemd-escape(1). An unescaped dash would separate fields.
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
