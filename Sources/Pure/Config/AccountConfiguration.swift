public import CutieAPI

/// One App ID at one API address, with what is particular to it.
public struct AccountConfiguration: Hashable, Sendable {
    /// The account whose keys may stand at the top of the file.
    public static let defaultName = "default"

    public var name: String
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

    public init(name: String = defaultName, appID: String) {
        self.name = name
        self.appID = appID
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
}
