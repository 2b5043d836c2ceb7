import ControlAPI
import Desktop
import Platform

extension SessionFacts {
    /// Seconds.
    private static let timeout = 5

    init(asking environment: [String: String]) async {
        bus = Self.bus(environment)
        // libnotify would start a bus of its own where there is none.
        switch bus {
        case .unnamed, .silent: server = .notAsked
        case .answers, .untried: server = await Self.askedServer()
        }
    }

    static func bus(_ environment: [String: String]) -> Bus {
        let standard = environment.value(of: "XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
        let named = environment.value(of: "DBUS_SESSION_BUS_ADDRESS")
        guard let address = named ?? standard else { return .unnamed }
        guard let socket = BusAddress(address).socket else { return .untried(address: address) }
        guard let failure = SocketKnock.failure(at: socket) else { return .answers(address: address) }
        return named == nil ? .unnamed : .silent(address: address, reason: failure)
    }

    private static func askedServer() async -> Server {
        let notifier = Notifier(applicationName: Product.title)
        let answer = await within(.seconds(timeout)) { await notifier.server() }
        return switch answer {
        case .some(let server?): .answers(server)
        case .some(nil): .missing
        case nil: .hangs(seconds: timeout)
        }
    }
}
