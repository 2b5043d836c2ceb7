public import CutieAPI
import Reasons

/// The settings of one account in the config file.
public struct AccountConfiguration: Hashable, Sendable {
    /// The name of the account that can be configured at the top level of the file, outside `accounts`.
    public static let defaultName = "default"

    public var name: String
    public var kind = Kind.device
    /// The App ID of a device account; empty for other accounts.
    public var appID: String
    public var apiURL = APIAddress.production
    /// The API key for older servers; `nil` if no key is configured.
    public var apiKey: String?
    /// The only transport that may be used in addition to polling; `nil` to use the best transport that the
    /// server offers.
    public var transport: TransportKind?
    /// The interval between two polls, at least 1 s.
    public var pollInterval = Duration.seconds(60)
    public var deviceContext = DeviceContext.none
    public var appVersion: String?
    public var appBuild: String?
    public var bundleID: String?
    public var attestation = Attestation.off
    /// The user's ID, as shown to support.
    public var userID: String?
    public var userName: String?
    public var tls = TLS()
    public var signIn = SignIn()
    public var notify: Set<NotificationScope> = [.mine, .unassigned]
    /// Whether the account was added from a link or by an app. Such an account is not in the config file.
    public var isAdded = false

    public init(name: String = defaultName, appID: String) {
        self.name = name
        self.appID = appID
    }

    /// Creates an account of a kind that signs in and therefore needs no App ID.
    public init(name: String = defaultName, kind: Kind) {
        self.init(name: name, appID: "")
        self.kind = kind
    }

    /// The storage of the attestation key; `off` disables attestation.
    public enum Attestation: String, CaseIterable, Sendable {
        case off, auto, tpm2, software
    }

    public struct TLS: Hashable, Sendable {
        public var minimumVersion = Version.v1_3
        /// The absolute path of a PEM file with certificates to trust in addition to the system's
        /// certificates; `nil` if there is no such file.
        public var caFile: String?
        /// The configured pins. If the array is not empty, at least one pin must match the verified
        /// certificate chain.
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

    /// Reads the section of an account. `appID` is empty if the section does not contain it.
    init(name: String, section: ConfigurationSection, environment: Environment) throws(ConfigurationError) {
        self.init(name: name, appID: try section["app_id"]?.parseHeaderValue() ?? "")
        if let value = section["api_url"] { apiURL = try value.parseAddress() }
        apiKey = try section["api_key"]?.parseHeaderValue()
        if let value = section["transport"] { transport = try value.parseTransport() }
        if let value = section["poll_interval"] {
            pollInterval = try value.parseDuration(atLeast: .seconds(1))
        }
        appVersion = try section["app_version"]?.parseNonEmptyText()
        if let value = section["device_context"] {
            deviceContext = try value.parseDeviceContext()
        } else if appVersion != nil {
            // An app version is only useful if it is sent to the app's developer, so a configured version
            // implies the device context `minimal`, which contains only the version.
            deviceContext = .minimal
        }
        appBuild = try section["app_build"]?.parseNonEmptyText()
        bundleID = try section["bundle_id"]?.parseNonEmptyText()
        if let value = section["attestation"] { attestation = try value.parseEnumValue() }
        userID = try section["user_id"]?.parseNonEmptyText()
        userName = try section["user_name"]?.parseDisplayName()
        if let section = try section.readSection(forKey: "tls", knownKeys: TLS.keys) {
            tls = try TLS(section, environment: environment)
        }
        try readSignInSettings(from: section, environment: environment)
    }

    /// Returns the account name: a key nested under `accounts`. Only characters that are valid in a link and
    /// as the value of `--account` are allowed.
    static func parseName(fromKeyOf value: ConfigurationScalar) throws(ConfigurationError) -> String {
        guard isValidName(value.name) else {
            throw value.makeError(code: .accountNameInvalid)
        }
        return value.name
    }

    static func isValidName(_ name: some StringProtocol) -> Bool {
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

    /// The pins in effect: the configured pins. If no pins are configured and the account uses the hosted
    /// service, the built-in pins apply. At least one pin must match the verified certificate chain; if the
    /// array is empty, no pin is required.
    public var pins: [CertificatePin] {
        if !tls.pins.isEmpty { return tls.pins }
        return hasBuiltInPins ? HostedService.pins : []
    }

    /// Whether the built-in pins apply. Only the built-in pins have a known expiry.
    public var hasBuiltInPins: Bool { tls.pins.isEmpty && HostedService.contains(apiURL) }

    /// Returns a warning with advice if the built-in pins have expired or expire within a year; otherwise
    /// `nil`.
    public func pinExpiryWarning(at now: Timestamp) -> String? {
        guard hasBuiltInPins else { return nil }
        let day = HostedService.pinExpiryDay
        switch HostedService.pinExpiryStatus(at: now) {
        case .distant: return nil
        case .near:
            return
                "the certificate pins expire on \(day); update cutied, because newer versions contain new pins"
        case .passed: return "the certificate pins expired on \(day); update cutied, or set tls.pins"
        }
    }
}

extension AccountConfiguration.TLS {
    static let keys = ["min_version", "ca_file", "pins"]

    fileprivate init(_ section: ConfigurationSection, environment: Environment) throws(ConfigurationError) {
        if let value = section["min_version"] { minimumVersion = try value.parseEnumValue() }
        caFile = try section["ca_file"]?.parseFilePath(
            home: environment.home, checkedBy: environment.checks.certificates)
        for value in try section["pins"]?.parseList() ?? [] {
            let text = try value.parseText()
            guard let pin = CertificatePin(text) else {
                throw value.makeError(code: .pinInvalid, arguments: ["pin": text])
            }
            pins.append(pin)
        }
    }
}

extension ConfigurationScalar {
    fileprivate func parseTransport() throws(ConfigurationError) -> TransportKind? {
        let (text, automatic) = (try parseText(), "auto")
        guard text != automatic else { return nil }
        guard let kind = TransportKind(rawValue: text) else {
            throw unknownValueError(
                for: text, allowedValues: [automatic] + TransportKind.allCases.map(\.name))
        }
        return kind
    }

    fileprivate func parseDeviceContext() throws(ConfigurationError) -> DeviceContext {
        guard isList else {
            let text = try parseText()
            if let context = DeviceContext(tier: text) { return context }
            throw makeError(code: .deviceContextRequired)
        }
        var fields: Set<DeviceContext.Field> = []
        for value in try parseList() { fields.insert(try value.parseEnumValue()) }
        return .fields(fields)
    }
}
