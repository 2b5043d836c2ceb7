public import CutieAPI

/// A caller of one API address, with what is particular to it.
public struct AccountConfiguration: Hashable, Sendable {
    /// The account whose keys may stand at the top of the file.
    public static let defaultName = "default"

    public var name: String
    public var kind = Kind.device
    /// Of a device; else empty.
    public var appID: String
    public var apiURL = APIAddress.production
    /// Of legacy servers only.
    public var apiKey: String?
    public var transport = Transport.auto
    /// Between two polls, at least a second.
    public var pollInterval = Duration.seconds(60)
    public var deviceContext = DeviceContext.none
    public var appVersion: String?
    public var appBuild: String?
    public var bundleID: String?
    public var attestation = Attestation.off
    /// Shown to support.
    public var userID: String?
    public var userName: String?
    public var tls = TLS()
    public var signIn = SignIn()
    public var notify: Set<Notify> = [.mine, .unassigned]

    public init(name: String = defaultName, appID: String) {
        self.name = name
        self.appID = appID
    }

    /// One that signs in.
    public init(name: String = defaultName, kind: Kind) {
        self.init(name: name, appID: "")
        self.kind = kind
    }

    /// The best way to learn of replies that may be used; `auto`: the best the server offers.
    public enum Transport: String, CaseIterable, Sendable {
        case auto, stream, poll
        case longPoll = "long-poll"
    }

    /// Where the attestation key lives, if there is to be one.
    public enum Attestation: String, CaseIterable, Sendable {
        case off, auto, tpm2, software
    }

    public struct TLS: Hashable, Sendable {
        public var minimumVersion = Version.v1_3
        /// An absolute path of certificates (PEM) trusted besides the system's.
        public var caFile: String?
        /// One of them must be in the verified chain of this account's host; empty: no pins of one's own.
        public var pins: [CertificatePin] = []

        public enum Version: String, CaseIterable, Sendable {
            case v1_2 = "1.2"
            case v1_3 = "1.3"
        }
    }

    static let keys =
        [
            "app_id", "api_url", "api_key", "transport", "poll_interval", "device_context", "app_version",
            "app_build", "bundle_id", "attestation", "user_id", "user_name", "tls",
        ] + signInKeys

    /// An account whose `appID` is empty where the section has none.
    init(name: String, _ section: Section, _ environment: Environment) throws(ConfigurationError) {
        self.init(name: name, appID: try section["app_id"]?.headerValue() ?? "")
        if let value = section["api_url"] { apiURL = try value.address() }
        apiKey = try section["api_key"]?.headerValue()
        if let value = section["transport"] { transport = try value.word() }
        if let value = section["poll_interval"] { pollInterval = try value.duration(atLeast: .seconds(1)) }
        appVersion = try section["app_version"]?.nonEmptyText()
        if let value = section["device_context"] {
            deviceContext = try value.deviceContext()
        } else if appVersion != nil {
            // The person wrote it for the app's makers.
            deviceContext = .minimal
        }
        appBuild = try section["app_build"]?.nonEmptyText()
        bundleID = try section["bundle_id"]?.nonEmptyText()
        if let value = section["attestation"] { attestation = try value.word() }
        userID = try section["user_id"]?.nonEmptyText()
        userName = try section["user_name"]?.displayName()
        if let section = try section.section("tls", keys: TLS.keys) { tls = try TLS(section, environment) }
        try readSignIn(section, environment)
    }

    /// The name behind `accounts`, one that can be typed after `--account` and stand in a link.
    static func name(_ value: Value) throws(ConfigurationError) -> String {
        guard isName(value.name) else {
            throw value.error("is no name for an account; use at most 64 letters, digits, dots, - and _")
        }
        return value.name
    }

    static func isName(_ name: some StringProtocol) -> Bool {
        let allowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return allowed && (1...64).contains(name.utf8.count) && !name.hasPrefix("-")
    }

    /// One of them must be in the verified chain: the person's own, else those of the hosted service at its
    /// hosts. Empty: none is asked for.
    public var pins: [CertificatePin] {
        if !tls.pins.isEmpty { return tls.pins }
        return hasBuiltInPins ? HostedService.pins : []
    }

    /// Only of these an end is known.
    public var hasBuiltInPins: Bool { tls.pins.isEmpty && HostedService.answers(at: apiURL) }

    /// What is wrong and what to do, from a year before the built-in pins end; nil before, and for others.
    public func pinWarning(at now: Timestamp) -> String? {
        guard hasBuiltInPins else { return nil }
        let day = HostedService.pinsEndDay
        switch HostedService.pinTerm(at: now) {
        case .far: return nil
        case .near: return "the certificate pins end on \(day); update cutied, later ones bring new pins"
        case .over: return "the certificate pins ended on \(day); update cutied, or set tls.pins"
        }
    }
}

extension AccountConfiguration.TLS {
    static let keys = ["min_version", "ca_file", "pins"]

    fileprivate init(_ section: Section, _ environment: Environment) throws(ConfigurationError) {
        if let value = section["min_version"] { minimumVersion = try value.word() }
        caFile = try section["ca_file"]?.file(
            home: environment.home, passing: environment.checks.certificates)
        for value in try section["pins"]?.list() ?? [] {
            guard let pin = CertificatePin(try value.text()) else {
                throw value.error("is no pin; write sha256// and the 44 characters of a SHA-256 in base64")
            }
            pins.append(pin)
        }
    }
}

extension Value {
    fileprivate func deviceContext() throws(ConfigurationError) -> DeviceContext {
        guard isList else {
            let text = try text()
            if let context = DeviceContext(tier: text) { return context }
            throw error("must be none, minimal, standard, all, or a list of fields such as [app_version]")
        }
        var fields: Set<DeviceContext.Field> = []
        for value in try list() { fields.insert(try value.word()) }
        return .fields(fields)
    }
}
