/// Where an API answers: scheme, host, port and the path in front of `/v1`. HTTPS only; plain HTTP is
/// accepted for loopback hosts alone.
public struct APIAddress: Hashable, Sendable {
    public enum Scheme: String, Hashable, Sendable {
        case http, https
    }

    public let scheme: Scheme
    /// Lower case; an IPv6 address without its brackets.
    public let host: String
    /// Nil is the scheme's own port.
    public let port: Int?
    /// Begins with a slash and ends without one; empty at the top.
    public let path: String
    /// 127.0.0.0/8, ::1 or `localhost`.
    public let isLoopback: Bool

    /// The hosted service.
    public static let production = APIAddress(secureHost: "api.cuti-e.com")
    /// The hosted sandbox.
    public static let hostedSandbox = APIAddress(secureHost: "cutie-worker-sandbox.invotekas.workers.dev")

    private init(secureHost host: String) {
        self.init(scheme: .https, host: host, port: nil, path: "", isLoopback: false)
    }

    init(scheme: Scheme, host: String, port: Int?, path: String, isLoopback: Bool) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.isLoopback = isLoopback
    }

    /// Scheme, host and port: what secrets are bound to.
    public var origin: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return scheme.rawValue + "://" + name + (port.map { ":\($0)" } ?? "")
    }

    /// The whole URL of a call.
    public func url(of request: APIRequest) -> String { origin + path + request.target }
}

extension APIAddress: CustomStringConvertible {
    public var description: String { origin + path }
}
