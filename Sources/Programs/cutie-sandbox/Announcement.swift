import Foundation
import Glibc
import Sandbox

/// What `serve` tells once it listens, and takes back when it ends.
actor Announcement {
    private let environment = ProcessInfo.processInfo.environment
    private var address: SandboxAddress?

    /// Scripts read it line by line, so it is flushed.
    func make(_ address: SandboxAddress) {
        self.address = address
        var lines = [
            "listening on \(address.url)",
            "client_id \(address.client.id)",
            "client_secret \(address.client.secret)",
        ]
        do {
            lines.append("credentials in \(try CredentialsFile.write(address, environment: environment))")
        } catch {
            Failure.warn("\(error)")
        }
        lines.append("this is a development server: whoever reaches it can register; do not expose it")
        print(lines.joined(separator: "\n"))
        fflush(nil)
    }

    func withdraw() {
        if let address { CredentialsFile.remove(address, environment: environment) }
    }
}
