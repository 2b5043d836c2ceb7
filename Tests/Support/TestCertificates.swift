import Foundation

/// A generator of real certificates, which runs the program `openssl`. Releasing the last copy of the value
/// deletes the directory.
public struct TestCertificates: Sendable {
    public let directory: TemporaryDirectory

    public init() throws { directory = try TemporaryDirectory() }

    public enum Key: String, Sendable, CaseIterable {
        case rsa2048, rsa4096, p256, p384, ed25519

        fileprivate var arguments: [String] {
            switch self {
            case .rsa2048: ["-newkey", "rsa:2048"]
            // With four primes, the key is generated in half the time. The number of primes does not affect
            // the certificate.
            case .rsa4096: ["-newkey", "rsa:4096", "-pkeyopt", "rsa_keygen_primes:4"]
            case .p256: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .p384: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"]
            case .ed25519: ["-newkey", "ed25519"]
            }
        }
    }

    /// A certificate and its private key, stored as PEM files.
    public struct Certificate: Sendable {
        public let file: String
        public let keyFile: String
        /// The pin of the public key in the format `sha256//<base64>`.
        public let pin: String
    }

    /// Creates a self-signed CA certificate.
    public func makeRoot(_ name: String = "root", key: Key = .p256) async throws -> Certificate {
        let certificate = directory.file(name + ".pem"), keyFile = directory.file(name + ".key")
        try await runOpenSSL(
            ["req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=\(name)", "-keyout", keyFile]
                + ["-out", certificate, "-addext", "keyUsage=critical,keyCertSign"] + key.arguments)
        return Certificate(file: certificate, keyFile: keyFile, pin: try await computePin(of: certificate))
    }

    /// Creates an intermediate CA certificate that `issuer` signs.
    public func makeIntermediate(
        _ name: String = "intermediate", by issuer: Certificate, key: Key = .p256
    ) async throws -> Certificate {
        let rights = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n"
        return try await issueCertificate(name, by: issuer, key, days: 30, rights)
    }

    /// Creates a server certificate for `hosts`, such as `DNS:name` and `IP:address`. If `isExpired` is true,
    /// the certificate expired yesterday.
    public func makeLeaf(
        _ name: String = "leaf", by issuer: Certificate, key: Key = .p256,
        hosts: [String] = ["DNS:localhost", "IP:127.0.0.1"], isExpired: Bool = false
    ) async throws -> Certificate {
        let rights = "subjectAltName=\(hosts.joined(separator: ","))\nbasicConstraints=critical,CA:FALSE\n"
        return try await issueCertificate(name, by: issuer, key, days: isExpired ? -1 : 30, rights)
    }

    /// Writes `certificates` to one file, in the order in which a server sends them. Returns the path.
    public func writeChain(_ certificates: Certificate...) throws -> String {
        let file = directory.file("chain-\(UUID().uuidString.prefix(8)).pem")
        let text = try certificates.map { try String(contentsOfFile: $0.file, encoding: .utf8) }.joined()
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    private func issueCertificate(
        _ name: String, by issuer: Certificate, _ key: Key, days: Int, _ extensions: String
    ) async throws -> Certificate {
        let certificate = directory.file(name + ".pem"), keyFile = directory.file(name + ".key")
        let request = directory.file(name + ".csr"), extensionFile = directory.file(name + ".ext")
        try extensions.write(toFile: extensionFile, atomically: true, encoding: .utf8)
        try await runOpenSSL(
            ["req", "-new", "-nodes", "-subj", "/CN=\(name)", "-keyout", keyFile, "-out", request]
                + key.arguments)
        try await runOpenSSL([
            "x509", "-req", "-in", request, "-CA", issuer.file, "-CAkey", issuer.keyFile, "-CAcreateserial",
            "-days", String(days), "-extfile", extensionFile, "-out", certificate,
        ])
        return Certificate(file: certificate, keyFile: keyFile, pin: try await computePin(of: certificate))
    }

    /// Returns the pin of a certificate. The program `openssl` computes it independently of the code under
    /// test.
    private func computePin(of certificate: String) async throws -> String {
        let key = try await runOpenSSL(["x509", "-in", certificate, "-noout", "-pubkey"])
        let file = directory.file("key-\(UUID().uuidString.prefix(8)).pem")
        try key.write(toFile: file, atomically: true, encoding: .utf8)
        try await runOpenSSL(["pkey", "-pubin", "-in", file, "-outform", "DER", "-out", file + ".der"])
        let digest = try await runOpenSSL(["dgst", "-sha256", "-r", file + ".der"])
        let hex = digest.prefix { $0 != " " }
        let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { offset in
            UInt8(hex.dropFirst(offset).prefix(2), radix: 16)
        }
        return "sha256//" + Data(bytes).base64EncodedString()
    }

    @discardableResult
    private func runOpenSSL(_ arguments: [String]) async throws -> String {
        let process = try ChildProcess("/usr/bin/openssl", arguments)
        guard try await process.waitForExit() == 0 else {
            throw OpenSSLFailure(
                description: "openssl \(arguments.joined(separator: " ")): \(process.standardError)")
        }
        return process.standardOutput
    }
}

private struct OpenSSLFailure: Error, CustomStringConvertible {
    let description: String
}
