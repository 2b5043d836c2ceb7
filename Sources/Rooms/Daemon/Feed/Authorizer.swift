import CutieAPI

/// Puts the caller's name on requests, and knows what to do when it is refused.
protocol Authorizer: AnyObject {
    /// Makes ready what `headers(for:)` says; at once where it is ready.
    func register(by client: APIClient) async throws(APIFailure)
    /// What every request of the account carries.
    func headers(for request: APIRequest) -> [APIRequest.Header]
    /// Names what a request was signed with, so that a refusal of an old one is told from a new one's.
    var generation: Int { get }
    /// After a 401 of a request of that generation: true where a repeat of it may succeed. `saidByAPI`: in the
    /// API's own words, and not by somebody on the way.
    func recover(
        from401 generation: Int, saidByAPI: Bool, by client: APIClient
    ) async throws(APIFailure) -> Bool
}
