public import FoundationEssentials

/// Proofs of the app's identity, which Apple's DeviceCheck provides in the SDK. A Linux desktop has no such
/// service. As in the SDK on an unsupported device, `isSupported` is `false` and ``generateAssertion(for:)``
/// throws ``AppAttestError/notSupported``.
///
/// cutied does not sign data from apps with its device key. Only the API can verify signatures made with this
/// key, and it accepts these signatures only in requests from cutied.
///
/// To let cutied prove the identity of the computer, use the parameter `useAppAttest` of
/// ``CutiE/configure(appId:apiURL:useAppAttest:deviceContext:)-method``.
public final class CutiEAppAttest: Sendable {
    /// The instance that belongs to ``CutiE/shared``.
    public static var shared: CutiEAppAttest { CutiE.shared.appAttest }

    init() {}

    /// Always `false`: no key is attested.
    public var isAttested: Bool { false }
    /// Always `false`: a Linux desktop cannot prove the identity of an app.
    public var isSupported: Bool { false }

    /// Always throws ``AppAttestError/notSupported``.
    public func generateAssertion(for clientData: Data) async throws -> String {
        throw AppAttestError.notSupported
    }

    /// Does nothing, because there is no key.
    public func reset() {}
}

/// The reason why there is no proof of the app's identity. Only `notSupported` occurs on Linux; the other
/// cases exist so that code for the SDK compiles.
public enum AppAttestError: Error, Sendable {
    /// This device cannot prove the identity of an app.
    case notSupported
    /// The app has no attested key.
    case notAttested
    /// Hashing the data failed.
    case hashingFailed
    /// Creating a key failed.
    case keyGenerationFailed
    /// Attesting the key failed.
    case attestationFailed(any Error)
    /// Signing the data failed.
    case assertionFailed(any Error)
    /// The API rejected the proof, with this message.
    case serverError(String)
}

extension AppAttestError: LocalizedError {
    /// An English message for the developers of the app.
    public var errorDescription: String? {
        switch self {
        case .notSupported: "App Attest is not supported on this device"
        case .notAttested: "The app is not attested"
        case .hashingFailed: "The data could not be hashed"
        case .keyGenerationFailed: "The key could not be created"
        case .attestationFailed(let error): "The attestation failed: " + CutiEError.sentence(of: error)
        case .assertionFailed(let error): "The assertion failed: " + CutiEError.sentence(of: error)
        case .serverError(let text): "Server error: " + text
        }
    }
}

/// The attestation of a device, as the API reports it. Uses the JSON format of the API.
public struct AttestationStatus: Codable, Hashable, Sendable {
    /// Whether a key of the device is attested.
    public let attested: Bool
    /// The attested key; `nil` if there is none.
    public let attestation: AttestationInfo?
}

/// An attested key. Uses the JSON format of the API.
public struct AttestationInfo: Codable, Hashable, Sendable {
    /// The ID of the key at the API.
    public let keyId: String
    /// The environment of the attestation: `development` or `production`.
    public let environment: String
    /// The number of signatures that the API has accepted.
    public let signCount: Int
    /// The time of the attestation in Unix milliseconds.
    public let createdAt: Int64
    /// The time of the last signature in Unix milliseconds; `nil` before the first signature.
    public let lastAssertionAt: Int64?

    private enum CodingKeys: String, CodingKey {
        case environment
        case keyId = "key_id"
        case signCount = "sign_count"
        case createdAt = "created_at"
        case lastAssertionAt = "last_assertion_at"
    }
}
