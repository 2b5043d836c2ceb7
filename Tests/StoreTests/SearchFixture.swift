import CutieAPI
import Store
import TextSearch

extension MessageStore {
    func search(
        _ query: SearchQuery, account: AccountID? = nil, limit: Int
    ) async throws -> [MessageRecord] {
        try await search(query, account: account, limit: limit, into: [MessageRecord]()) {
            $0.append($1)
            return true
        }
        .result
    }
}
