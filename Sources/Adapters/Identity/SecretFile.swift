import CutieAPI
import FoundationEssentials
import Glibc
import Reasons

/// The file `secrets` in the state directory. The file has mode 0600, and is encrypted if there is a systemd
/// credential.
struct SecretFile {
    static let sizeLimit = 1 << 20

    let directory: String
    let credential: SealingCredential?
    var path: String { directory + "/secrets" }

    struct ReadResult {
        var entries = SecretEntries()
        /// Whether the file must be encrypted: a credential exists, but the file is plain text.
        var needsSealing = false
        /// Problems that were corrected, for example that the file was corrupt.
        var notes: [Reason] = []
    }

    /// Reads the file. Renames a corrupt file and returns no entries. Throws, without changing the file, if
    /// the file requires another credential or a newer version of the daemon.
    func read() throws(SecretFailure) -> ReadResult {
        guard let contents = try readContents() else { return ReadResult() }
        let note = try restrictMode(given: contents.status)
        let isOversized = contents.bytes.count > Self.sizeLimit
        var reading = isOversized ? try quarantineFile() : try decode(contents.bytes)
        reading.notes += note.map { [$0] } ?? []
        return reading
    }

    private func readContents() throws(SecretFailure) -> RegularFile.Contents? {
        do throws(RegularFile.FileFailure) {
            return try RegularFile.read(path, sizeLimit: Self.sizeLimit, followsLinks: false)
        } catch {
            throw SecretFailure(
                .unreadable, Reason(.secretsUnreadable, ["path": path, "detail": error.detail]))
        }
    }

    func write(_ entries: SecretEntries) throws(SecretFailure) {
        let bytes = try encode(entries)
        guard bytes.count <= Self.sizeLimit, entries.byName.count <= SecretEntries.countLimit else {
            throw SecretFailure(.tooLarge, Reason(.secretsTooMany, ["path": path]))
        }
        do throws(RegularFile.FileFailure) {
            try RegularFile.replace(path, with: bytes)
        } catch {
            throw SecretFailure(
                .unwritable, Reason(.secretsUnwritable, ["path": path, "detail": error.detail]))
        }
    }

    private func encode(_ entries: SecretEntries) throws(SecretFailure) -> [UInt8] {
        do {
            let plain = try JSON.encode(entries)
            return try credential.map { try JSON.encode(try SealedSecrets(plain, under: $0)) } ?? plain
        } catch let failure as SecretFailure {
            throw failure
        } catch {
            preconditionFailure("the secrets cannot be encoded as JSON: \(error)")
        }
    }

    private func decode(_ bytes: [UInt8]) throws(SecretFailure) -> ReadResult {
        let format = try? JSON.decode(Format.self, from: bytes).format
        switch format {
        case SealedSecrets.format: return try unseal(bytes)
        case SecretEntries.format:
            guard let entries = try? JSON.decode(SecretEntries.self, from: bytes) else {
                return try quarantineFile()
            }
            return ReadResult(entries: entries, needsSealing: credential != nil)
        case .some(let format) where format.hasPrefix("cutied-secrets-"):
            throw SecretFailure(.unreadable, Reason(.secretsOfNewerVersion, ["path": path]))
        default: return try quarantineFile()
        }
    }

    private func unseal(_ bytes: [UInt8]) throws(SecretFailure) -> ReadResult {
        guard let sealed = try? JSON.decode(SealedSecrets.self, from: bytes) else {
            return try quarantineFile()
        }
        guard let credential else {
            throw SecretFailure(.unreadable, Reason(.secretsWithoutCredential, ["path": path]))
        }
        let plain: [UInt8]
        do throws(SealedSecrets.Problem) {
            plain = try sealed.decrypt(with: credential)
        } catch .otherCredential {
            throw SecretFailure(.unreadable, Reason(.secretsOfOtherCredential, ["path": path]))
        } catch {
            return try quarantineFile()
        }
        guard let entries = try? JSON.decode(SecretEntries.self, from: plain) else {
            return try quarantineFile()
        }
        return ReadResult(entries: entries)
    }

    private struct Format: Decodable {
        let format: String
    }

    /// Removes the permissions of other users. Returns a note if other users had permissions. Throws if
    /// another user owns the file.
    private func restrictMode(given status: stat) throws(SecretFailure) -> Reason? {
        guard status.st_uid == geteuid() else {
            throw SecretFailure(.unreadable, Reason(.secretsOfOtherUser, ["path": path]))
        }
        let mode = status.st_mode & 0o7777
        guard mode != 0o600 else { return nil }
        guard chmod(path, 0o600) == 0 else {
            let detail = RegularFile.FileFailure().detail
            throw SecretFailure(
                .unwritable, Reason(.secretsAccessible, ["path": path, "detail": detail]))
        }
        guard mode & 0o077 != 0 else { return nil }
        return Reason(.secretsWereAccessible, ["path": path, "mode": String(mode, radix: 8)])
    }

    private func quarantineFile() throws(SecretFailure) -> ReadResult {
        let target = unusedName()
        guard rename(path, target) == 0 else {
            let detail = RegularFile.FileFailure().detail
            throw SecretFailure(.unwritable, Reason(.secretsDamaged, ["path": path, "detail": detail]))
        }
        return ReadResult(notes: [Reason(.secretsWereDamaged, ["path": path, "target": target])])
    }

    /// Returns an unused file name for a corrupt file. Never overwrites an earlier corrupt file, because the
    /// user may be able to repair it.
    private func unusedName() -> String {
        var number = 1
        while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        return "\(path).damaged-\(number)"
    }
}

/// The state of one secret in the secrets file. The file also lists the secrets in the secret service, so
/// that a secret in a locked keyring is not mistaken for a missing secret.
enum SecretEntry: Hashable {
    /// The file contains the secret. If `isStaleInService`, the secret service may still contain an older
    /// copy.
    case inFile(Secret, isStaleInService: Bool)
    /// The secret service contains the secret.
    case inService
    /// The secret was deleted, but its copy in the secret service must still be deleted.
    case deleted
}

/// The decrypted content of the secrets file.
struct SecretEntries: Equatable {
    /// The maximum number of entries. The daemon never reaches this number.
    static let countLimit = 1024
    static let format = "cutied-secrets-1"

    var byName: [SecretName: SecretEntry] = [:]
}

extension SecretEntries: Codable {
    private struct Contents: Codable {
        let format: String
        let entries: [Row]
    }

    private struct Row: Codable {
        let account: String
        let origin: String
        let type: String
        let subject: String
        let state: State
        /// The secret in base64; `nil` if the secret is not in the file.
        var value: String?

        var order: [String] { [account, origin, type, subject] }
    }

    private enum State: String, Codable {
        case inFile = "here"
        case inService = "there"
        case deleted
        case inFileAndStaleInService = "here-and-stale-there"
    }

    init(from decoder: any Decoder) throws {
        let contents = try Contents(from: decoder)
        guard contents.format == Self.format, contents.entries.count <= Self.countLimit else {
            throw Unknown()
        }
        for row in contents.entries {
            let name = SecretName(
                account: row.account, origin: row.origin, type: SecretType(rawValue: row.type),
                subject: row.subject)
            byName[name] = try Self.makeEntry(from: row)
        }
    }

    func encode(to encoder: any Encoder) throws {
        let rows = byName.map { Self.makeRow(for: $0, entry: $1) }.sorted {
            $0.order.lexicographicallyPrecedes($1.order)
        }
        try Contents(format: Self.format, entries: rows).encode(to: encoder)
    }

    private static func makeEntry(from row: Row) throws -> SecretEntry {
        switch row.state {
        case .inService: return .inService
        case .deleted: return .deleted
        case .inFile, .inFileAndStaleInService:
            guard let value = row.value.flatMap({ Data(base64Encoded: $0) }) else { throw Unknown() }
            return .inFile(Secret(Array(value)), isStaleInService: row.state == .inFileAndStaleInService)
        }
    }

    private static func makeRow(for name: SecretName, entry: SecretEntry) -> Row {
        func makeRow(state: State, secret: Secret? = nil) -> Row {
            Row(
                account: name.account, origin: name.origin, type: name.type.rawValue, subject: name.subject,
                state: state, value: secret.map { Data($0.bytes).base64EncodedString() })
        }
        return switch entry {
        case .inFile(let secret, isStaleInService: false): makeRow(state: .inFile, secret: secret)
        case .inFile(let secret, isStaleInService: true):
            makeRow(state: .inFileAndStaleInService, secret: secret)
        case .inService: makeRow(state: .inService)
        case .deleted: makeRow(state: .deleted)
        }
    }

    private struct Unknown: Error {}
}
