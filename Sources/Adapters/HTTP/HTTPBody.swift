import Reasons
import Runtime

/// The body of a response, as an asynchronous sequence for one reader. Each element contains all bytes
/// received since the previous element. The transfer pauses while 256 KiB or more are buffered.
/// Releasing the body cancels the transfer.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Failure = HTTPError
    fileprivate let reader: BodyReader

    init(key: Transfer.Key, buffer: BodyBuffer, httpClient: HTTPClient) {
        reader = BodyReader(key: key, buffer: buffer, httpClient: httpClient)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Returns all remaining bytes of the body. Throws `tooLarge` if the body has more than `limit` remaining
    /// bytes.
    public func collect(upTo limit: Int) async throws(HTTPError) -> [UInt8] {
        var whole: [UInt8] = []
        let iterator = makeAsyncIterator()
        while let bytes = try await iterator.next() {
            guard whole.count + bytes.count <= limit else {
                throw HTTPError(.tooLarge, Reason(.bodyTooLarge, ["limit": String(limit)]))
            }
            whole += bytes
        }
        return whole
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: BodyReader

        /// Waits for more bytes and returns them; returns `nil` at the end of the body. If the task is
        /// cancelled, closes the connection and throws `cancelled`.
        public func next() async throws(HTTPError) -> [UInt8]? {
            try await reader.next().get()
        }

        public func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> [UInt8]? {
            try await reader.next().get()
        }
    }
}

/// The reader of a body, shared by its iterators. Releasing the last reference cancels the transfer.
private final class BodyReader: Sendable {
    private let key: Transfer.Key
    private let buffer: BodyBuffer
    private let httpClient: HTTPClient

    init(key: Transfer.Key, buffer: BodyBuffer, httpClient: HTTPClient) {
        (self.key, self.buffer, self.httpClient) = (key, buffer, httpClient)
    }

    deinit { httpClient.cancelTransfer(forKey: key) }

    func next() async -> BodyBuffer.Item {
        let (item, wasPaused) = await withCancellationHandler {
            await buffer.waitForNextItem()
        } onCancel: {
            buffer.finish(with: .failure(.cancelled), discardsBufferedBytes: true)
            httpClient.cancelTransfer(forKey: key)
        }
        if wasPaused { httpClient.resumeTransfer(forKey: key) }
        return item
    }
}

extension HTTPError {
    static let cancelled = HTTPError(.cancelled, Reason(.requestCancelled))
}
