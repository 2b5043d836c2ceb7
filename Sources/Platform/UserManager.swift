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
    var answers: Bool { takesConnections("/systemd/private") && takesConnections("/bus") }

    /// What `systemd-run` needs to find that bus.
    var address: [String: String] { [Self.busVariable: "unix:path=\(directory)/bus"] }

    /// The file of a socket may outlive who listened there.
    private func takesConnections(_ name: String) -> Bool {
        SocketKnock.failure(at: directory + name) == nil
    }

    /// The argv that has the manager run `arguments` and ends when they end: with 0 if they did, else with
    /// their exit code or 1, which is also for what cannot be started.
    ///
    /// With `limit`: they get our input and output, and the manager ends them after that time, all of them.
    func wrapping(
        _ arguments: [String], adding additions: [String: String], within limit: Duration? = nil
    ) -> [String] {
        var additions = additions
        additions[Self.busVariable] = otherBus
        let bounds = limit.map {
            ["--pipe", "--property=RuntimeMaxSec=\($0.components.seconds)", "--property=TimeoutStopSec=5"]
        }
        return ["systemd-run", "--user", "--quiet", "--collect", "--wait", "--service-type=exec"]
            + (bounds ?? [])
            // Else the journal would name the whole command, and a link may hold a token.
            + ["--description=cutied starts " + (arguments.first ?? "nothing")]
            + additions.sorted { $0.key < $1.key }.map { "--setenv=" + $0.key + "=" + $0.value }
            + ["--"] + arguments.prefix(1) + arguments.dropFirst().map(Self.literal)
    }

    /// The manager would put variables of its own in: of a script's `$$` it would leave one `$`.
    private static func literal(_ argument: String) -> String {
        argument.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$")
    }
}
