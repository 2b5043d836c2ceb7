import Crypto
import CutieAPI
import FoundationEssentials
import GRDB

/// The first answer to a call, as it is given again to its repeats.
struct KeptAnswer: Sendable {
    let status: Int
    let body: [UInt8]
    var isReplay = false
}

extension Change {
    /// Does `work` once for each key of `owner`: a repeat within 24 h gets the first answer, the key with
    /// another `request` 422. Without a key it is done each time.
    func once(
        _ owner: String, key: String?, request: [UInt8], _ work: () throws -> KeptAnswer
    ) throws -> KeptAnswer {
        guard let key else { return try work() }
        guard (1...255).contains(key.utf8.count) else {
            throw Refusal(.badRequest, "Idempotency-Key must have 1 to 255 bytes")
        }
        let fingerprint = Data(SHA256.hash(data: request))
        let dayAgo = now.advanced(bySeconds: -86_400).milliseconds
        try database.run(sql: "DELETE FROM answer WHERE createdAt < ?", arguments: [dayAgo])
        if let kept = try answer(owner, key) {
            guard kept.fingerprint == fingerprint else {
                throw Refusal(.unprocessable, "this Idempotency-Key was used for another request")
            }
            return kept.answer
        }
        let answer = try work()
        try database.run(
            sql: "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [owner, key, fingerprint, answer.status, Data(answer.body), now.milliseconds])
        return answer
    }

    private func answer(_ owner: String, _ key: String) throws -> (fingerprint: Data, answer: KeptAnswer)? {
        let row = try database.row(
            sql: "SELECT * FROM answer WHERE owner = ? AND key = ?", arguments: [owner, key])
        guard let row else { return nil }
        let body: Data = row["body"]
        return (row["fingerprint"], KeptAnswer(status: row["status"], body: Array(body), isReplay: true))
    }
}
