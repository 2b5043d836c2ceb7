import Foundation
import Glibc
import Sandbox

/// What `serve` prints once it listens. Scripts read it line by line, so it is flushed.
struct Announcement {
    private let address: SandboxAddress

    init(_ address: SandboxAddress) { self.address = address }

    func print() {
        var lines = [
            "listening on \(address.url)",
            "client_id \(address.client.id)",
            "client_secret \(address.client.secret)",
        ]
        let environment = ProcessInfo.processInfo.environment
        do {
            lines.append("credentials in \(try CredentialsFile.write(address, environment: environment))")
        } catch {
            Failure.warn("\(error)")
        }
        lines.append("this is a development server: whoever reaches it can register; do not expose it")
        Swift.print(lines.joined(separator: "\n"))
        fflush(nil)
    }
}
