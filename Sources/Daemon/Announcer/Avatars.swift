import CutieAPI
import FoundationEssentials
import HTTP
import Logging
import Platform

/// The pictures of those who answer, as local files: a notification server is never given a web address.
/// One that is not here yet is fetched for the next pop-up; none waits for it.
final class Avatars {
    private static let sizeLimit = 512 << 10
    private static let queueLimit = 32
    private let directory: String
    private let transport: Transport
    private let logger: Logger
    private var wanted: [String] = []
    private var tried: Set<String> = []
    private let work = Head()

    /// `directory`: the cache's.
    init(directory: String, transport: Transport, logger: Logger) {
        self.directory = directory + "/avatars"
        (self.transport, self.logger) = (transport, logger)
    }

    /// Where the picture is; nil where it is not here (yet).
    func path(of address: String) -> String? {
        let file = directory + "/" + Self.name(of: address)
        if FileManager.default.fileExists(atPath: file) { return file }
        if wanted.count < Self.queueLimit, tried.insert(address).inserted {
            wanted.append(address)
            work.advance()
        }
        return nil
    }

    /// Fetches what is wanted until it is cancelled.
    func run() async throws {
        while true {
            let seen = work.value
            while !wanted.isEmpty { await fetch(wanted.removeFirst()) }
            try await work.passed(seen)
        }
    }

    /// Without anything of the account: the picture may be on any host.
    private func fetch(_ address: String) async {
        var request = HTTPRequest("GET", address)
        request.responseLimit = Self.sizeLimit
        do {
            let answer = try await transport.send(request)
            guard answer.status == 200, Self.isImage(answer.body) else { return }
            let directory = try PrivateDirectory(making: directory)
            try SmallFile.replace(directory.path + "/" + Self.name(of: address), with: answer.body)
        } catch {
            logger.debug("no picture", metadata: ["reason": "\(error)"])
        }
    }

    /// By its first bytes: PNG, JPEG, GIF or WebP. The server's word for it is not needed.
    private static func isImage(_ bytes: [UInt8]) -> Bool {
        let starts: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("RIFF".utf8),
        ]
        return starts.contains { bytes.starts(with: $0) }
    }

    /// FNV-1a, twice with different beginnings: an address may hold anything, a file name may not.
    private static func name(of address: String) -> String {
        let hashes = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map { (start: UInt64) in
            address.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        return hashes.map { String($0, radix: 16) }.joined()
    }
}
