import Foundation

/// The file that passes the admin credentials from the command `serve` to the other commands. Each
/// address has a separate file, so that several sandboxes do not overwrite each other's credentials.
public enum CredentialsFile {
    private struct Content: Codable {
        let url: String
        let clientID: String
        let clientSecret: String
        /// The process ID of the sandbox.
        let pid: Int32

        enum CodingKeys: String, CodingKey {
            case url, pid
            case clientID = "client_id"
            case clientSecret = "client_secret"
        }
    }

    /// Writes the credentials of a sandbox to a file with mode 0600. Returns the path of the file.
    ///
    /// - Throws: `SandboxError`.
    public static func write(
        for address: SandboxAddress, environment: [String: String]
    ) throws -> String {
        let directory = try directory(environment: environment)
        let content = Content(
            url: address.url, clientID: address.client.id, clientSecret: address.client.secret, pid: getpid())
        let file = directory.appending(path: try fileName(for: address.url))
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try replace(file, with: try JSONEncoder().encode(content))
        } catch {
            throw SandboxError(.badFile, "cannot write \(file.path): \(error.localizedDescription)")
        }
        return file.path
    }

    /// Returns the credentials of the sandbox that listens at `url`.
    ///
    /// - Throws: `SandboxError` if no file exists for the address.
    public static func read(
        forURL url: String, environment: [String: String]
    ) throws -> OAuthClient {
        let directory = try directory(environment: environment)
        for name in try fileNames(for: url) {
            guard let data = try? Data(contentsOf: directory.appending(path: name)) else { continue }
            guard let content = try? JSONDecoder().decode(Content.self, from: data) else { continue }
            return OAuthClient(id: content.clientID, secret: content.clientSecret)
        }
        throw SandboxError(
            .noCredentials,
            """
            no credentials for \(url) in \(directory.path); specify --client-id and --client-secret with \
            the values that `cutie-sandbox serve` printed
            """)
    }

    /// Removes the file of a stopped sandbox, unless the file now belongs to another sandbox at the same
    /// address.
    public static func remove(for address: SandboxAddress, environment: [String: String]) {
        guard let directory = try? directory(environment: environment),
            let name = try? fileName(for: address.url)
        else {
            return
        }
        let file = directory.appending(path: name)
        let content = (try? Data(contentsOf: file)).flatMap {
            try? JSONDecoder().decode(Content.self, from: $0)
        }
        if content?.pid == getpid() { try? FileManager.default.removeItem(at: file) }
    }

    private static func directory(environment: [String: String]) throws -> URL {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return URL(filePath: state).appending(path: "cutie-sandbox")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw SandboxError(
                .badFile, "neither XDG_STATE_HOME nor HOME is set, so there is no directory for credentials")
        }
        return URL(filePath: home).appending(path: ".local/state/cutie-sandbox")
    }

    private static func fileName(for url: String) throws -> String { try fileNames(for: url)[0] }

    /// Returns the names of the files that may contain the credentials for the address, best match first. A
    /// sandbox that listens on a loopback or wildcard host is reachable at several addresses, so the files
    /// for all loopback and wildcard hosts with the same port are included.
    private static func fileNames(for url: String) throws -> [String] {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty else {
            throw SandboxError(.badURL, "\(url) is not an address; it should look like http://127.0.0.1:8787")
        }
        let port = parts.port ?? (parts.scheme == "https" ? 443 : 80)
        return [host, "127.0.0.1", "localhost", "::1", "0.0.0.0", "::"].map { host in
            let plain = host.filter { $0 != "[" && $0 != "]" && $0 != "/" }
            return "\(plain)-\(port).json"
        }
    }

    /// Replaces the file atomically, so that a reader never sees a partial file or the wrong file mode.
    private static func replace(_ file: URL, with data: Data) throws {
        let fresh = file.appendingPathExtension(UUID().uuidString)
        guard
            FileManager.default.createFile(
                atPath: fresh.path, contents: data, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        guard rename(fresh.path, file.path) == 0 else {
            try? FileManager.default.removeItem(at: fresh)
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
