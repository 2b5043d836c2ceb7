public import FoundationEssentials

/// Proofs of the app's identity by Apple's DeviceCheck. A Linux desktop has no such service: as in the SDK on
/// a device without it, `isSupported` is false and ``generateAssertion(for:)`` throws
/// ``AppAttestError/notSupported``.
///
/// cutied has a device key, but does not sign data of apps with it: the API accepts signatures of that key for
/// requests of cutied, and has no request with which your server could verify another one.
///
/// To let cutied prove the identity of the computer, use the parameter `useAppAttest` of
/// ``CutiE/configure(appId:apiURL:useAppAttest:deviceContext:)-method``.
public final class CutiEAppAttest: Sendable {
    /// The instance of ``CutiE/shared``.
    public static var shared: CutiEAppAttest { CutiE.shared.appAttest }

    init() {}

    /// Always false.
    public var isAttested: Bool { false }
    /// Always false.
    public var isSupported: Bool { false }

    /// Always throws ``AppAttestError/notSupported``.
    public func generateAssertion(for clientData: Data) async throws -> String {
        throw AppAttestError.notSupported
    }

    /// Has no effect.
    public func reset() {}
}

/// The reason why there is no proof of the app's identity.
public enum AppAttestError: Error, Sendable {
    /// This device cannot prove the identity of an app.
    case notSupported
    /// The app has no attested key.
    case notAttested
    /// The data could not be hashed.
    case hashingFailed
    /// No key could be created.
    case keyGenerationFailed
    /// The key was not attested.
    case attestationFailed(any Error)
    /// The data was not signed.
    case assertionFailed(any Error)
    /// The API rejected the proof.
    case serverError(String)
}

extension AppAttestError: LocalizedError {
    /// A sentence for the developers of the app.
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

/// Whether the API knows an attested key of a device. Its JSON is that of the API.
public struct AttestationStatus: Codable, Hashable, Sendable {
    /// Whether a key is attested.
    public let attested: Bool
    /// The key; `nil` if none is attested.
    public let attestation: AttestationInfo?
}

/// An attested key. Its JSON is that of the API.
public struct AttestationInfo: Codable, Hashable, Sendable {
    /// The id of the key.
    public let keyId: String
    /// `development` or `production`.
    public let environment: String
    /// The number of signatures.
    public let signCount: Int
    /// Unix milliseconds.
    public let createdAt: Int64
    /// Unix milliseconds; `nil` before the first signature.
    public let lastAssertionAt: Int64?

    private enum CodingKeys: String, CodingKey {
        case environment
        case keyId = "key_id"
        case signCount = "sign_count"
        case createdAt = "created_at"
        case lastAssertionAt = "last_assertion_at"
    }
}
