/// A call of the API and the shape of its answer.
public struct Endpoint<Answer: Decodable & Sendable>: Sendable {
    public let request: APIRequest

    init(_ request: APIRequest) { self.request = request }

    /// The answer that a successful response's body holds. Throws `UnreadableJSON`.
    public func answer(from body: some Sequence<UInt8>) throws(UnreadableJSON) -> Answer {
        if let done = Acknowledgement() as? Answer { return done }
        return try JSON.decode(Answer.self, from: body)
    }
}

extension APIRequest {
    func with(_ change: (inout APIRequest) -> Void) -> APIRequest {
        var request = self
        change(&request)
        return request
    }
}
