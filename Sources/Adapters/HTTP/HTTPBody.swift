import Reasons
import Runtime

/// The body of a response, as an asynchronous sequence for one reader. Each element contains all bytes
/// received since the previous element. The transfer pauses while more than 256 KiB are buffered. Releasing
/// the body cancels the transfer.
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

    deinit { httpClient.cancel(key) }

    func next() async -> BodyBuffer.Item {
        let (item, wasPaused) = await withTaskCancellationHandler {
            await buffer.next()
        } onCancel: {
            buffer.finish(with: .failure(.cancelled), isDiscarding: true)
            httpClient.cancel(key)
        }
        if wasPaused { httpClient.resume(key) }
        return item
    }
}

extension HTTPError {
    static let cancelled = HTTPError(.cancelled, Reason(.requestCancelled))
}

/// The buffer between a transfer and its reader. A lock protects the buffer, because the reader may run on
/// any executor and must not wait for the event loop.
final class BodyBuffer: Sendable {
    typealias Item = Result<[UInt8]?, HTTPError>
    private static let limit = 256 << 10
    private let state = Locked(State())

    private struct State {
        var bytes: [UInt8] = []
        var end: Result<Void, HTTPError>?
        var reader: CheckedContinuation<Item, Never>?
        /// Whether libcurl paused the transfer because the buffer is full.
        var isPaused = false

        /// Returns all bytes since the previous call, or the result of the completed transfer; `nil` if the
        /// reader must wait. After completion, every call returns the result.
        mutating func next() -> Item? {
            guard bytes.isEmpty else {
                defer { bytes = [] }
                return .success(bytes)
            }
            return end.map { $0.map { nil } }
        }
    }

    /// Returns whether the buffer accepts more bytes. If not, sets `isPaused`, and the caller must pause the
    /// transfer.
    func acceptsBytesOrPauses() -> Bool {
        state.withLock {
            $0.isPaused = $0.bytes.count >= Self.limit
            return !$0.isPaused
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0.bytes.append(contentsOf: bytes) }
    }

    /// Resumes a waiting reader with all buffered bytes as one element.
    func resumeWaiter() {
        let waiting = state.withLock { state -> (CheckedContinuation<Item, Never>, Item)? in
            guard let reader = state.reader, let item = state.next() else { return nil }
            state.reader = nil
            return (reader, item)
        }
        if let (reader, item) = waiting { reader.resume(returning: item) }
    }

    /// Completes the body with `result`. If `isDiscarding`, discards the buffered bytes and replaces any
    /// previous result. Otherwise, the bytes can still be read, and a previous result is kept.
    func finish(with result: Result<Void, HTTPError>, isDiscarding: Bool = false) {
        state.withLock {
            if isDiscarding { $0.bytes = [] }
            if $0.end == nil || isDiscarding { $0.end = result }
        }
        resumeWaiter()
    }

    /// Waits for the next element. If `wasPaused` is `true`, the caller must resume the transfer.
    func next() async -> (item: Item, wasPaused: Bool) {
        let item = await withCheckedContinuation { reader in
            let item = state.withLock { state -> Item? in
                if let item = state.next() { return item }
                guard state.reader == nil else {
                    return .failure(HTTPError(.badRequest, .text("a body can have only one reader")))
                }
                state.reader = reader
                return nil
            }
            if let item { reader.resume(returning: item) }
        }
        return (item, state.withLock { exchange(&$0.isPaused, with: false) })
    }
}
