/// The user manager (`systemd --user`) of the session.
struct UserServiceManager: Sendable {
    private let directory: String
    /// The address of the session bus, if it differs from the bus of the user manager; otherwise `nil`.
    private let otherBus: String?

    /// Finds the user manager. Returns `nil` if the environment contains no runtime directory.
    init?(environment: [String: String]) {
        guard let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/") else { return nil }
        self.directory = directory
        let bus = environment[Self.busVariable] ?? ""
        otherBus = bus.isEmpty || bus.hasPrefix("unix:path=\(directory)/bus") ? nil : bus
    }

    private static let busVariable = "DBUS_SESSION_BUS_ADDRESS"

    /// Whether `systemd-run` can reach the user manager through the manager's bus. The session bus may be
    /// another bus that dbus-x11 or `dbus-run-session` started.
    var isAvailable: Bool {
        acceptsConnections(atRelativePath: "/systemd/private") && acceptsConnections(atRelativePath: "/bus")
    }

    /// The environment variable that makes `systemd-run` use the bus of the user manager.
    var address: [String: String] { [Self.busVariable: "unix:path=\(directory)/bus"] }

    /// Returns whether a process listens on the socket. Tries to connect, because the socket file may outlive
    /// the process.
    private func acceptsConnections(atRelativePath name: String) -> Bool {
        SocketProbe.findConnectionError(at: directory + name) == nil
    }

    /// Returns a command line that starts `arguments` as a desktop application in a unit of the user
    /// manager. The command exits when all processes of the application have exited. The exit code is the
    /// exit code of the program, 203 if the program could not be started, or 255 if the program was killed.
    ///
    /// - Parameter instance: letters and digits that make the unit name unique.
    func makeStartCommand(
        for arguments: [String], addingVariables additions: [String: String], output: Launcher.Output,
        instance: String = Self.randomInstance()
    ) -> [String] {
        let name = Self.unitName(of: arguments.first ?? "", instance: instance)
        // By default, systemd kills the remaining processes of a unit when the main process exits. For
        // example, systemd would kill the program that `xdg-open` starts for a link, because `xdg-open` exits
        // immediately.
        let life = ["--property=ExitType=cgroup"]
        let silence = ["--property=StandardOutput=null", "--property=StandardError=null"]
        return makeWrappedCommand(
            for: arguments, addingVariables: additions,
            options: ["--unit=" + name, "--slice=app.slice"] + life + (output == .discarded ? silence : []))
    }

    /// Returns a command line that runs `arguments` as a unit of the user manager, with the caller's standard
    /// input and output. The command exits after the program and all its child processes have exited. The
    /// user manager terminates these processes after `limit`.
    func makeRunCommand(
        for arguments: [String], addingVariables additions: [String: String], within limit: Duration
    ) -> [String] {
        let time = ["--property=RuntimeMaxSec=\(limit.components.seconds)", "--property=TimeoutStopSec=5"]
        return makeWrappedCommand(for: arguments, addingVariables: additions, options: ["--pipe"] + time)
    }

    /// Returns a command line that runs `arguments` with `systemd-run`. Uses the unit type `simple` (the
    /// default) instead of `exec`, which often loses the exit code of a program that fails immediately.
    private func makeWrappedCommand(
        for arguments: [String], addingVariables additions: [String: String], options: [String]
    ) -> [String] {
        var additions = additions
        additions[Self.busVariable] = otherBus
        return ["systemd-run", "--user", "--quiet", "--collect", "--wait"] + options
            // Set a description, because the journal stores the description. The default is the complete command
            // line, which may contain a token in a link.
            + ["--description=cutied starts " + (arguments.first ?? "nothing")]
            + additions.sorted { $0.key < $1.key }.map { "--setenv=" + $0.key + "=" + $0.value }
            + ["--"] + arguments.prefix(1) + arguments.dropFirst().map(Self.escapedArgument)
    }

    /// Escapes `$`, because the user manager expands variables in arguments.
    private static func escapedArgument(_ argument: String) -> String {
        argument.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
    }

    /// Returns a unit name in the form `app-LAUNCHER-APPLICATION@RANDOM.service`, by which desktops recognize
    /// applications (DESKTOP_ENVIRONMENTS in the documentation of systemd). A unit name has at most 255
    /// bytes.
    private static func unitName(of program: String, instance: String) -> String {
        let name = program.split(separator: "/").last ?? "program"
        return "app-cutied-" + name.utf8.prefix(40).map(escaped).joined() + "@\(instance).service"
    }

    /// Escapes a byte like systemd-escape(1), including the dash, which separates the parts of the unit name.
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
