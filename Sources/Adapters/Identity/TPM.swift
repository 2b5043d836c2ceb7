import CTPM2
import Glibc
import Runtime

/// The TPM 2.0 of this computer. A call may take seconds, so it runs on a separate thread. Each call opens a
/// connection, so that no TPM resources are held between calls.
actor TPM {
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread = BlockingThread(name: "tpm")
    /// The TCTI configuration string for tpm2-tss.
    private let interface: String

    /// Throws `noTPM` if the environment names no TPM and the user may not access /dev/tpmrm0.
    init(environment: [String: String]) throws(SigningFailure) {
        let named = environment["CUTIED_TPM2_TCTI"] ?? environment["TPM2TOOLS_TCTI"]
        if let named, !named.isEmpty {
            interface = named
        } else if access("/dev/tpmrm0", R_OK | W_OK) == 0 {
            interface = "device:/dev/tpmrm0"
        } else {
            let isThere = access("/dev/tpmrm0", F_OK) == 0
            throw SigningFailure(
                .noTPM,
                isThere
                    ? "this user has no access to the TPM; join the group `tss`, or set `attestation: software`"
                    : "this computer has no TPM 2.0; set `attestation: software`")
        }
    }

    /// Returns the public key for `seed` as SubjectPublicKeyInfo.
    func readPublicKey(seed: [UInt8]) throws(SigningFailure) -> [UInt8] {
        var x = [UInt8](repeating: 0, count: Int(CTPM2_NUMBER)), y = x
        try call { ctpm2_public($0, seed, &x, &y, &$1) }
        return try DER.encodePoint(x: x, y: y)
    }

    func sign(_ message: [UInt8], seed: [UInt8]) throws(SigningFailure) -> [UInt8] {
        var signature = ctpm2_signature()
        try call { ctpm2_sign($0, seed, message, message.count, &signature, &$1) }
        return try DER.encodeSignature(signature)
    }

    /// Returns a TPMS_ATTEST and its signature.
    func createQuote(
        over hash: [UInt8], seed: [UInt8]
    ) throws(SigningFailure) -> (attested: [UInt8], signature: [UInt8]) {
        precondition(hash.count == 32, "a quote needs a SHA-256 hash")
        var attested = [UInt8](repeating: 0, count: Int(CTPM2_ATTESTED))
        var count = 0
        var signature = ctpm2_signature()
        try call { ctpm2_quote($0, seed, hash, &attested, &count, &signature, &$1) }
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
        let code = "0x" + String(failure.code, radix: 16)
        switch failure.outcome {
        case CTPM2_NO_LIBRARY:
            self.init(
                .noTPM, "tpm2-tss is not installed; install libtss2-esys, or set `attestation: software`")
        case CTPM2_NO_DEVICE:
            self.init(.noTPM, "the TPM cannot be reached (\(code)); set `attestation: software`")
        default:
            self.init(
                .refused, "the TPM refused the request (\(code)); for details, run `tpm2 rc_decode \(code)`")
        }
    }
}
