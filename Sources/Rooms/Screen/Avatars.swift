import CutieAPI
import FoundationEssentials
package import HTTP
package import Log
package import Logging
import Platform

/// The pictures of those who answer, as local files: a notification server is never given a web address.
/// One that is not here yet is fetched, and waited for a moment the first time.
package final class Avatars {
    private static let sizeLimit = 512 << 10
    /// Of addresses that are remembered, and of files that are kept.
    nonisolated private static let most = 256
    private static let retryInterval: Duration = .seconds(3600)
    /// How long a pop-up waits for a picture.
    private static let patience: Duration = .milliseconds(300)
    /// A slow server must not keep the pictures of others from coming.
    private static let mostAtOnce = 4
    private let files: PictureFiles
    private let transport: Transport
    private let surroundings: Surroundings
    private let logger: Logger
    private var wanted: [String] = []
    private var tried: [String: Duration] = [:]
    /// Asked for, and neither here nor given up.
    private var underway: Set<String> = []
    private var fetching = 0
    private let work = Signal()
    /// Moves when a picture came or was given up.
    private let results = Signal()
    /// The origins of the accounts: from there a picture may come although it is no https.
    package var origins: () -> [String] = { [] }

    /// `directory`: the cache's.
    package init(directory: String, transport: Transport, surroundings: Surroundings, logger: Logger) {
        files = PictureFiles(cacheDirectory: directory)
        (self.transport, self.surroundings, self.logger) = (transport, surroundings, logger)
    }

    /// Where the picture is; nil where it is not here (yet).
    func path(of address: String) -> String? {
        guard isAllowed(address) else { return nil }
        if let file = files.path(of: address) { return file }
        _ = want(address)
        return nil
    }

    /// Pictures that are fetched for the first time, and until when they are waited for.
    struct Wait {
        let addresses: Set<String>
        /// Uptime.
        fileprivate let end: Duration
    }

    /// Begins to fetch those of `addresses` that are not here. The wait is over at once for what was asked for
    /// before: it is slow or not to be had.
    func begin(_ addresses: [String]) -> Wait {
        let missing = Set(addresses).filter { isAllowed($0) && !isHere($0) && want($0) }
        return Wait(addresses: missing, end: surroundings.uptime + Self.patience)
    }

    /// Returns once they are here or cannot be had, or the patience is at its end.
    func finish(_ wait: Wait) async throws {
        while !isSettled(wait) {
            let left = wait.end - surroundings.uptime
            guard left > .zero else { return }
            try await surroundings.wait(for: results, past: results.count, atMost: left)
        }
    }

    func isSettled(_ wait: Wait) -> Bool { underway.isDisjoint(with: wait.addresses) }

    /// Fetches what is wanted until it is cancelled.
    package func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let seen = work.count
                while !wanted.isEmpty, fetching < Self.mostAtOnce {
                    let address = wanted.removeFirst()
                    fetching += 1
                    group.addTask { await self.fetch(address) }
                }
                try await work.wait(past: seen)
            }
        }
    }

    private func isHere(_ address: String) -> Bool { files.path(of: address) != nil }

    /// False where it was tried a while ago.
    private func want(_ address: String) -> Bool {
        guard mayTry(address) else { return false }
        wanted.append(address)
        underway.insert(address)
        work.notify()
        return true
    }

    private func isAllowed(_ address: String) -> Bool {
        if isOfAccount(address) { return true }
        let authority = address.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        return address.hasPrefix("https://") && (try? APIAddress("https://\(authority)")) != nil
    }

    private func isOfAccount(_ address: String) -> Bool {
        origins().contains { address.hasPrefix($0 + "/") }
    }

    private func mayTry(_ address: String) -> Bool {
        if tried.count >= Self.most { tried.removeAll() }
        let now = surroundings.uptime
        if let last = tried[address], now - last < Self.retryInterval { return false }
        tried[address] = now
        return true
    }

    /// Without anything of the account: the picture may be on any host.
    private func fetch(_ address: String) async {
        defer {
            fetching -= 1
            underway.remove(address)
            results.notify()
            work.notify()
        }
        var request = HTTPRequest("GET", address)
        request.timeout = .seconds(10)
        request.responseLimit = Self.sizeLimit
        do {
            // Any admin may write any address: it must not make us ask programs on this machine.
            let policy = TLSPolicy(reach: isOfAccount(address) ? .all : .others)
            let answer = try await transport.send(request, policy: policy)
            guard answer.status == 200, Self.isImage(answer.body) else { return }
            try await Self.keep(answer.body, in: files.directory, as: PictureFiles.name(of: address))
        } catch {
            logger.debug("no picture", metadata: ["reason": "\(error)"])
        }
    }

    /// Off the main actor: a busy disk must not hold up the events.
    @concurrent
    nonisolated private static func keep(_ image: [UInt8], in path: String, as name: String) async throws {
        let directory = try PrivateDirectory(making: path)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        if files.count >= most {
            for file in files { try FileManager.default.removeItem(atPath: directory.path + "/" + file) }
        }
        try SmallFile.replace(directory.path + "/" + name, with: image)
    }

    /// By its first bytes: PNG, JPEG, GIF or WebP. The server's word for it is not needed.
    private static func isImage(_ bytes: [UInt8]) -> Bool {
        let starts: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("RIFF".utf8),
        ]
        return starts.contains { bytes.starts(with: $0) }
    }
}
