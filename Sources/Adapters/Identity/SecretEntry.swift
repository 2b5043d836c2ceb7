import CutieAPI
import FoundationEssentials

/// What the file knows of one secret. It is also the index of what is in the secret service, without which
/// a locked keyring would look like a device that has no token yet.
enum SecretEntry: Hashable {
    /// In the file, and newer than what the service may still have under its name.
    case here(Secret, isStaleThere: Bool)
    /// In the secret service.
    case there
    /// Deleted while the service, which has it, could not be told.
    case deleted
}

/// The plain contents of the secrets file.
struct SecretEntries: Equatable {
    /// More is nothing that this program has written.
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
        /// Base64.
        var value: String?

        var order: [String] { [account, origin, type, subject] }
    }

    private enum State: String, Codable {
        case here, there, deleted
        case hereAndStaleThere = "here-and-stale-there"
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
            byName[name] = try Self.entry(row)
        }
    }

    func encode(to encoder: any Encoder) throws {
        let rows = byName.map { Self.row($0, $1) }.sorted { $0.order.lexicographicallyPrecedes($1.order) }
        try Contents(format: Self.format, entries: rows).encode(to: encoder)
    }

    private static func entry(_ row: Row) throws -> SecretEntry {
        switch row.state {
        case .there: return .there
        case .deleted: return .deleted
        case .here, .hereAndStaleThere:
            guard let value = row.value.flatMap({ Data(base64Encoded: $0) }) else { throw Unknown() }
            return .here(Secret(Array(value)), isStaleThere: row.state == .hereAndStaleThere)
        }
    }

    private static func row(_ name: SecretName, _ entry: SecretEntry) -> Row {
        func row(_ state: State, _ secret: Secret? = nil) -> Row {
            Row(
                account: name.account, origin: name.origin, type: name.type.rawValue, subject: name.subject,
                state: state, value: secret.map { Data($0.bytes).base64EncodedString() })
        }
        return switch entry {
        case .here(let secret, isStaleThere: false): row(.here, secret)
        case .here(let secret, isStaleThere: true): row(.hereAndStaleThere, secret)
        case .there: row(.there)
        case .deleted: row(.deleted)
        }
    }

    private struct Unknown: Error {}
}
