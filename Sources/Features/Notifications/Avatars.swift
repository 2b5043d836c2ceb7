import CutieAPI
package import EventLog
import FoundationEssentials
package import HTTP
package import Logging
import Platform

/// The pictures of senders, cached as local files: a notification server never receives a web address. A
/// missing picture is fetched; on the first attempt, the notification waits briefly for it.
package final class Avatars {
    private static let sizeLimit = 512 << 10
    /// The maximum number of remembered addresses, and of cached files.
    nonisolated private static let maxFiles = 256
    private static let retryInterval: Duration = .seconds(3600)
    /// The longest time that a notification waits for a picture.
    private static let timeout: Duration = .milliseconds(300)
    /// The maximum number of concurrent downloads. The number is greater than 1, because a slow host must not
    /// delay the pictures of other hosts.
    private static let maxConcurrent = 4
    private let files: PictureFiles
    private let httpClient: HTTPClient
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private var pending: [String] = []
    private var attempts: [String: Duration] = [:]
    /// The addresses that are queued or being fetched.
    private var inFlight: Set<String> = []
    private var fetching = 0
    private let work = ChangeSignal()
    /// Notified when a fetch has ended, with or without a picture.
    private let results = ChangeSignal()
    /// The origins of the accounts' APIs. Pictures at these origins may use plain HTTP.
    private let origins: () -> [String]

    /// - Parameters:
    ///   - directory: the cache directory.
    ///   - origins: returns the origins of the accounts' APIs.
    package init(
        directory: String, httpClient: HTTPClient, origins: @escaping () -> [String],
        runtime: RuntimeEnvironment, logger: Logger
    ) {
        self.origins = origins
        files = PictureFiles(cacheDirectory: directory)
        (self.httpClient, self.runtime, self.logger) = (httpClient, runtime, logger)
    }

    /// Returns the path of the cached picture; `nil` if there is none. Requests a fetch of a missing picture
    /// if its address is allowed.
    func findOrRequestPath(ofPictureAt address: String) -> String? {
        guard isAllowed(address) else { return nil }
        if let file = files.existingPath(for: address) { return file }
        _ = enqueue(address)
        return nil
    }

    /// The downloads for which a notification waits, with the deadline.
    struct Downloads {
        let addresses: Set<String>
        /// The deadline, in uptime.
        fileprivate let end: Duration
    }

    /// Starts to download the pictures of `addresses` that are not cached. The result does not include
    /// addresses that were tried recently, because their hosts are slow or have no picture.
    func beginDownloads(from addresses: [String]) -> Downloads {
        let missing = Set(addresses).filter { isAllowed($0) && !isCached($0) && enqueue($0) }
        return Downloads(addresses: missing, end: runtime.uptime + Self.timeout)
    }

    /// Returns when every fetch of `downloads` has ended, or at the deadline.
    func waitForDownloads(_ downloads: Downloads) async throws {
        while !isFinished(downloads) {
            let left = downloads.end - runtime.uptime
            guard left > .zero else { return }
            try await runtime.wait(for: results, past: results.count, atMost: left)
        }
    }

    func isFinished(_ downloads: Downloads) -> Bool { inFlight.isDisjoint(with: downloads.addresses) }

    /// Fetches the requested pictures until the task is cancelled.
    package func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while true {
                let seen = work.count
                while !pending.isEmpty, fetching < Self.maxConcurrent {
                    let address = pending.removeFirst()
                    fetching += 1
                    group.addTask { await self.fetch(address) }
                }
                try await work.wait(past: seen)
            }
        }
    }

    private func isCached(_ address: String) -> Bool { files.existingPath(for: address) != nil }

    /// Queues an address. Returns `false` if it was tried within the retry interval.
    private func enqueue(_ address: String) -> Bool {
        guard recordAttempt(for: address) else { return false }
        pending.append(address)
        inFlight.insert(address)
        work.notify()
        return true
    }

    private func isAllowed(_ address: String) -> Bool {
        if belongsToAccount(address) { return true }
        let authority = address.dropFirst("https://".count).prefix { !"/?#".contains($0) }
        return address.hasPrefix("https://") && (try? APIAddress("https://\(authority)")) != nil
    }

    private func belongsToAccount(_ address: String) -> Bool {
        origins().contains { address.hasPrefix($0 + "/") }
    }

    /// Records an attempt to fetch a picture. Returns `false`, and records nothing, if the last attempt was
    /// within the retry interval.
    private func recordAttempt(for address: String) -> Bool {
        if attempts.count >= Self.maxFiles { attempts.removeAll() }
        let now = runtime.uptime
        if let last = attempts[address], now - last < Self.retryInterval { return false }
        attempts[address] = now
        return true
    }

    /// Fetches and stores a picture. Sends no credentials of the account, because the picture may be on any
    /// host.
    private func fetch(_ address: String) async {
        defer {
            fetching -= 1
            inFlight.remove(address)
            results.notify()
            work.notify()
        }
        var request = HTTPRequest("GET", address)
        request.timeout = .seconds(10)
        request.responseLimit = Self.sizeLimit
        do {
            // Refuse loopback and link-local addresses outside the accounts' origins, because support staff
            // may enter any address.
            let policy = TLSPolicy(allowedHosts: belongsToAccount(address) ? .all : .remoteOnly)
            let answer = try await httpClient.send(request, policy: policy)
            guard answer.status == 200, Self.isImage(answer.body) else { return }
            try await Self.save(answer.body, in: files.directory, as: PictureFiles.fileName(for: address))
        } catch {
            logger.debug("an avatar could not be loaded", metadata: ["reason": "\(error)"])
        }
    }

    /// Stores a picture. If the cache is full, deletes all other pictures first. Runs off the main actor,
    /// because a busy disk must not delay events.
    @concurrent
    nonisolated private static func save(_ image: [UInt8], in directoryPath: String, as name: String)
        async throws
    {
        let directory = try PrivateDirectory(making: directoryPath)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        if files.count >= maxFiles {
            for file in files { try FileManager.default.removeItem(atPath: directory.path + "/" + file) }
        }
        try SmallFile.replace(directory.path + "/" + name, with: image)
    }

    /// Returns whether the first bytes are those of PNG, JPEG, GIF or RIFF (WebP). The Content-Type of the
    /// response is not used.
    private static func isImage(_ bytes: [UInt8]) -> Bool {
        let starts: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("RIFF".utf8),
        ]
        return starts.contains { bytes.starts(with: $0) }
    }
}
