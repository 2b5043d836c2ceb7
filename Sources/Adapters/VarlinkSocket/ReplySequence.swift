public import Varlink

/// The replies to one call with `more`, read from the socket as they are asked for: a slow loop slows
/// the service down. It ends after the last reply, and throws the service's error, or
/// `SocketFailure.peerGone` where the service ended without one.
public struct ReplySequence<M: Method>: AsyncSequence, Sendable {
    let client: Client

    /// One reply, typed on demand.
    public struct Element: Sendable {
        /// Exactly the parameters that the service wrote: a JSON object.
        public let json: [UInt8]

        /// Throws `DecodingError` where the reply is not as expected.
        public var value: M.Reply {
            get throws { try Reply(parametersJSON: json).parameters(as: M.Reply.self) }
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        let client: Client
        private var isOver = false

        init(client: Client) {
            self.client = client
        }

        public mutating func next() async throws -> Element? {
            guard !isOver else { return nil }
            isOver = true
            let reply = try await client.nextOfStream()
            isOver = !reply.continues
            return Element(json: reply.parametersJSON)
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(client: client) }
}
