import ControlClient
import CutieAPI
import Desktop
import NotificationPolicy
import Platform
import Runtime

/// The session bus and its notification server.
struct SessionFacts: Sendable {
    enum Bus: Hashable, Sendable {
        /// The environment contains no address.
        case noAddress
        /// The bus at this address does not respond, for the given reason.
        case silent(address: String, reason: String)
        case answers(address: String)
        /// An address of a type that is not tested, for example tcp.
        case unverifiable(address: String)
    }

    enum Server: Hashable, Sendable {
        case answers(NotificationServer)
        case missing
        /// The bus starts a server that exits at once, with this error.
        case exits(String)
        /// libnotify is not installed.
        case noLibrary
        /// The server did not respond within this number of seconds.
        case hangs(seconds: Int)
        case notQueried
    }

    var bus: Bus
    var server: Server
}

extension SessionFacts {
    /// The timeout of the query, in seconds.
    private static let timeout = 5

    init(asking environment: [String: String]) async {
        bus = Self.probeBus(in: environment)
        guard Notifier.isInstalled else {
            server = .noLibrary
            return
        }
        // Do not query the server without a session bus, because libnotify would start a bus.
        switch bus {
        case .noAddress, .silent: server = .notQueried
        case .answers, .unverifiable: server = await Self.queryNotificationServer()
        }
    }

    static func probeBus(in environment: [String: String]) -> Bus {
        let standard = environment.nonEmptyValue(named: "XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
        let named = environment.nonEmptyValue(named: "DBUS_SESSION_BUS_ADDRESS")
        guard let address = named ?? standard else { return .noAddress }
        guard let socket = BusAddress(address).socket else { return .unverifiable(address: address) }
        guard let failure = SocketProbe.findConnectionError(at: socket) else {
            return .answers(address: address)
        }
        return named == nil ? .noAddress : .silent(address: address, reason: failure)
    }

    private static func queryNotificationServer() async -> Server {
        let notifier = Notifier(applicationName: Product.title)
        let answer = await EventLoop.shared.withTimeout(.seconds(timeout)) { await notifier.fetchServer() }
        return switch answer {
        case .some(let server?): .answers(server)
        case .some(nil): notifier.startFailure.map { .exits($0) } ?? .missing
        case nil: .hangs(seconds: timeout)
        }
    }
}

/// A D-Bus address list. Only Unix sockets are used.
struct BusAddress: Hashable, Sendable {
    /// The path of the first Unix socket, with a leading NUL if it is abstract; `nil` if there is none.
    var socket: String?

    /// Parses a list such as `unix:path=/run/user/1000/bus,guid=...;tcp:...`. Values may contain `%XX`.
    init(_ text: String) {
        socket = text.split(separator: ";").lazy.compactMap(Self.socketPath).first
    }

    private static func socketPath(in entry: Substring) -> String? {
        guard entry.hasPrefix("unix:") else { return nil }
        for pair in entry.dropFirst("unix:".count).split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = PercentEncoding.decode(parts[1]) else { continue }
            if parts[0] == "path" { return value }
            if parts[0] == "abstract" { return "\0" + value }
        }
        return nil
    }
}

extension SessionFacts {
    var checks: [Check] { [busCheck, serverCheck] }

    private var busCheck: Check {
        let name = "session bus"
        switch bus {
        case .noAddress:
            return Check(
                name, .failure, "DBUS_SESSION_BUS_ADDRESS is not set and XDG_RUNTIME_DIR has no bus",
                advice: "log in to a desktop session, or start one with dbus-run-session (package dbus)")
        case .silent(let address, let reason):
            return Check(
                name, .failure, "no bus responds at \(address) (\(reason))",
                advice: "log in again, or correct DBUS_SESSION_BUS_ADDRESS")
        case .answers(let address): return Check(name, .ok, address)
        case .unverifiable(let address): return Check(name, .ok, "\(address), from the environment")
        }
    }

    private var serverCheck: Check {
        let name = "notification server"
        switch server {
        case .answers(let server): return Self.makeCheck(named: name, server: server)
        case .missing:
            return Check(
                name, .failure, "no program shows notifications on this bus",
                advice: "start one, for instance dunst or mako; desktops bring their own")
        case .exits(let reason):
            return Check(
                name, .failure, "the notification server exits when it is started (\(reason))",
                advice: "check its log, or install another server, for example dunst")
        case .noLibrary:
            return Check(
                name, .warning, "libnotify is not installed: no notification is shown",
                advice: "type `sudo apt install libnotify4`, and restart the daemon")
        case .hangs(let seconds):
            return Check(name, .failure, "it does not respond within \(seconds) s", advice: "restart it")
        case .notQueried: return Check(name, .skipped, "unknown (no session bus)")
        }
    }

    private static func makeCheck(named name: String, server: NotificationServer) -> Check {
        let who = [server.name, server.version].filter { !$0.isEmpty }.joined(separator: " ")
        if let problem = server.problem, !server.isUsable {
            return Check(
                name, .failure, "the notification server does not report its capabilities (\(problem))",
                advice: "check its log, or use another server, for example dunst")
        }
        if let problem = server.problem {
            return Check(
                name, .warning,
                "\(who) does not report its capabilities (\(problem)): notifications have no buttons or formatting",
                advice: "check its log, or use another server, for example dunst")
        }
        let lacks = ["actions", "body"].filter { !server.capabilities.contains($0) }
        guard lacks.isEmpty else {
            let meaning =
                lacks.contains("body") ? "messages are shown without text" : "notifications have no buttons"
            return Check(
                name, .warning, "\(who) lacks \(lacks.joined(separator: " and ")): \(meaning)",
                advice: "reply with `cutied ctl`, or use another server, for example dunst")
        }
        let extras = ["body-markup", "persistence", "sound"].filter(server.capabilities.contains)
        return Check(name, .ok, ([who + " with actions", "body"] + extras).joined(separator: ", "))
    }
}
