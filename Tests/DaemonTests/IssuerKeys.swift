import Foundation
import OAuth
import TestSupport

/// The signing keys of an issuer. The program `openssl` creates the keys and signs with them, so that the
/// code under test does not verify its own output.
struct IssuerKeys: Sendable {
    enum Algorithm: String { case ES256, RS256 }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try openssl(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file(of: .ES256))
        try openssl(
            "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", file(of: .RS256))
    }

    /// Returns a JWK set with the EC key `e` and the RSA key `r`.
    func keySet() throws -> String {
        let der = directory.file("public.der")
        try openssl("pkey", "-in", file(of: .ES256), "-pubout", "-outform", "DER", "-out", der)
        // The DER encoding ends with the public point: 32 bytes x, 32 bytes y.
        let point = try Array(Data(contentsOf: URL(filePath: der)).suffix(64))
        let modulus = try openssl("rsa", "-in", file(of: .RS256), "-noout", "-modulus")
            .trimmingCharacters(in: .whitespacesAndNewlines).drop { $0 != "=" }.dropFirst()
        let number = stride(from: 0, to: modulus.count, by: 2).compactMap { offset in
            UInt8(modulus.dropFirst(offset).prefix(2), radix: 16)
        }
        let text = Base64URL.encode(_:)
        return
            #"{"keys":[{"kty":"EC","crv":"P-256","kid":"e","x":"\#(text(Array(point.prefix(32))))","y":"\#(text(Array(point.suffix(32))))"},"#
            // `AQAB` is the exponent 65537, which OpenSSL uses by default.
            + #"{"kty":"RSA","kid":"r","use":"sig","n":"\#(text(number))","e":"AQAB"}]}"#
    }

    /// Returns a signature of `bytes` in the JWS format.
    func sign(_ bytes: [UInt8], _ algorithm: Algorithm) throws -> [UInt8] {
        let name = UUID().uuidString
        let (message, signature) = (directory.file(name), directory.file(name + ".signature"))
        try Data(bytes).write(to: URL(filePath: message))
        try openssl("dgst", "-sha256", "-sign", file(of: algorithm), "-out", signature, message)
        let signed = try Array(Data(contentsOf: URL(filePath: signature)))
        return algorithm == .ES256 ? Self.numbers(of: signed) : signed
    }

    /// Converts an ECDSA signature from DER to the integers r and s, each of 32 bytes.
    private static func numbers(of der: [UInt8]) -> [UInt8] {
        var rest = der.dropFirst(2)
        return (0..<2).flatMap { _ in
            let count = Int(rest.dropFirst().first ?? 0)
            let digits = Array(rest.dropFirst(2).prefix(count).suffix(32))
            rest = rest.dropFirst(2 + count)
            return Array(repeating: 0, count: 32 - digits.count) + digits
        }
    }

    private func file(of algorithm: Algorithm) -> String { directory.file(algorithm.rawValue + ".pem") }

    @discardableResult
    private func openssl(_ arguments: String...) throws -> String {
        let process = try ChildProcess("/usr/bin/openssl", arguments)
        // Poll for the exit, because the scripted issuer calls this synchronous function, which cannot await
        // it.
        while process.isRunning { usleep(1000) }
        guard process.exitCode == 0 else { throw Failure(description: process.standardError) }
        return process.standardOutput
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
