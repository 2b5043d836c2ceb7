/// The bytes of an answer as they come: each element is all that came since the last one was read. Up to
/// 256 KiB wait; then the server is held back. For one reader. Dropping it ends the transfer.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Failure = HTTPError
    fileprivate let line: Line

    init(key: Transfer.Key, mailbox: Mailbox, transport: Transport) {
        line = Line(key: key, mailbox: mailbox, transport: transport)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(line: line) }

    /// Everything to the end; throws `tooLarge` over `limit` bytes.
    public func collect(upTo limit: Int) async throws(HTTPError) -> [UInt8] {
        var whole: [UInt8] = []
        let iterator = makeAsyncIterator()
        while let bytes = try await iterator.next() {
            guard whole.count + bytes.count <= limit else {
                throw HTTPError(.tooLarge, "the answer has more than \(limit) bytes; dropped")
            }
            whole += bytes
        }
        return whole
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let line: Line

        /// Nil at a clean end. When the task is cancelled, the connection is closed and `cancelled` thrown.
        public func next() async throws(HTTPError) -> [UInt8]? {
            try await line.next().get()
        }

        public func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> [UInt8]? {
            try await next()
        }
    }
}

/// The reader's end of a stream: when the last copy goes, so does the transfer.
private final class Line: Sendable {
    private let key: Transfer.Key
    private let mailbox: Mailbox
    private let transport: Transport

    init(key: Transfer.Key, mailbox: Mailbox, transport: Transport) {
        (self.key, self.mailbox, self.transport) = (key, mailbox, transport)
    }

    deinit { transport.abandon(key) }

    func next() async -> Mailbox.Item {
        let (item, wasPaused) = await withTaskCancellationHandler {
            await mailbox.next()
        } onCancel: {
            mailbox.finish(.failure(.cancelled), discarding: true)
            transport.abandon(key)
        }
        if wasPaused { transport.resume(key) }
        return item
    }
}

extension HTTPError {
    static let cancelled = HTTPError(.cancelled, "the request was cancelled")
}
