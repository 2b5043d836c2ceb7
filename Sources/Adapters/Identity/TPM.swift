import CTPM2
import Glibc
import Reasons
import Runtime

/// The TPM 2.0 of the computer. Calls run on a separate thread, because a call may take seconds. Each call
/// opens a new connection, so that no TPM resources are in use between calls.
actor TPM {
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread = BlockingThread(name: "tpm")
    /// The TCTI configuration string for tpm2-tss.
    private let interface: String

    /// Selects the TPM. Throws `noTPM` if the environment does not select a TPM and the user cannot access
    /// /dev/tpmrm0.
    init(environment: [String: String]) throws(SigningFailure) {
        let named = environment["CUTIED_TPM2_TCTI"] ?? environment["TPM2TOOLS_TCTI"]
        if let named, !named.isEmpty {
            interface = named
        } else if access("/dev/tpmrm0", R_OK | W_OK) == 0 {
            interface = "device:/dev/tpmrm0"
        } else {
            let isThere = access("/dev/tpmrm0", F_OK) == 0
            throw SigningFailure(.noTPM, Reason(isThere ? .tpmForbidden : .tpmMissing))
        }
    }

    /// Derives the key from `seed`. Returns the public key as SubjectPublicKeyInfo.
    func derivePublicKey(fromSeed seed: [UInt8]) throws(SigningFailure) -> [UInt8] {
        var x = [UInt8](repeating: 0, count: Int(CTPM2_NUMBER)), y = x
        try call { ctpm2_derive_key($0, seed, &x, &y, &$1) }
        return try DER.encodePoint(x: x, y: y)
    }

    func sign(_ message: [UInt8], keySeed: [UInt8]) throws(SigningFailure) -> [UInt8] {
        var signature = ctpm2_signature()
        try call { ctpm2_sign($0, keySeed, message, message.count, &signature, &$1) }
        return try DER.encodeSignature(signature)
    }

    /// Returns a TPM quote: a TPMS_ATTEST structure and its signature.
    func createQuote(
        over hash: [UInt8], keySeed: [UInt8]
    ) throws(SigningFailure) -> (attested: [UInt8], signature: [UInt8]) {
        precondition(hash.count == 32, "a quote needs a SHA-256 hash")
        var attested = [UInt8](repeating: 0, count: Int(CTPM2_ATTESTED))
        var count = 0
        var signature = ctpm2_signature()
        try call { ctpm2_quote($0, keySeed, hash, &attested, &count, &signature, &$1) }
        return (Array(attested[..<count]), try DER.encodeSignature(signature))
    }

    private func call(
        _ body: (OpaquePointer, inout ctpm2_failure) -> Bool
    ) throws(SigningFailure) {
        var failure = ctpm2_failure()
        guard let device = ctpm2_open(interface, &failure) else { throw SigningFailure(failure) }
        defer { ctpm2_close(device) }
        guard body(device, &failure) else { throw SigningFailure(failure) }
    }
}

extension SigningFailure {
    fileprivate init(_ failure: ctpm2_failure) {
        let status = ["status": "0x" + String(failure.code, radix: 16)]
        switch failure.outcome {
        case CTPM2_NO_LIBRARY: self.init(.noTPM, Reason(.tpmWithoutLibrary))
        case CTPM2_NO_DEVICE: self.init(.noTPM, Reason(.tpmUnreachable, status))
        default: self.init(.refused, Reason(.tpmRefused, status))
        }
    }
}
