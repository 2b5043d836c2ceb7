import Reasons
import Runtime

/// The body of a response as it arrives. Each element contains all bytes since the previous element. If more
/// than 256 KiB are buffered, reading from the server pauses. Supports a single reader. Releasing the body
/// ends the transfer.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Failure = HTTPError
    fileprivate let reader: BodyReader

    init(key: Transfer.Key, buffer: BodyBuffer, httpClient: HTTPClient) {
        reader = BodyReader(key: key, buffer: buffer, httpClient: httpClient)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Returns all remaining bytes. Throws `tooLarge` if there are more than `limit` bytes.
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

        /// Returns the next bytes; `nil` after a complete body. If the task is cancelled, closes the
        /// connection and throws `cancelled`.
        public func next() async throws(HTTPError) -> [UInt8]? {
            try await reader.next().get()
        }

        public func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> [UInt8]? {
            try await next()
        }
    }
}

/// The reading end of a stream. Releasing the last reference ends the transfer.
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

/// The buffer between a transfer and its reader, which may run on any executor. Protected by a lock instead
/// of the actor, so that reading does not wait for the event loop.
final class BodyBuffer: Sendable {
    typealias Item = Result<[UInt8]?, HTTPError>
    private static let limit = 256 << 10
    private let state = Locked(State())

    private struct State {
        var bytes: [UInt8] = []
        var end: Result<Void, HTTPError>?
        var reader: CheckedContinuation<Item, Never>?
        /// Whether libcurl paused the transfer until the bytes are read.
        var isPaused = false

        /// Returns all bytes since the last call, or the end of the body; `nil` if the reader must wait.
        /// After the end, every call returns the end.
        mutating func next() -> Item? {
            guard bytes.isEmpty else {
                defer { bytes = [] }
                return .success(bytes)
            }
            return end.map { $0.map { nil } }
        }

        /// Ends a pause. Returns whether the transfer was paused.
        mutating func clearPaused() -> Bool {
            let wasPaused = isPaused
            isPaused = false
            return wasPaused
        }
    }

    /// Returns `false` if the buffer is full. The transfer then pauses until the reader has read all bytes.
    func reserveRoom() -> Bool {
        state.withLock {
            $0.isPaused = $0.bytes.count >= Self.limit
            return !$0.isPaused
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0.bytes.append(contentsOf: bytes) }
    }

    /// Resumes the reader with all buffered bytes as a single element.
    func resumeWaiter() {
        let waiting = state.withLock { state -> (CheckedContinuation<Item, Never>, Item)? in
            guard let reader = state.reader, let item = state.next() else { return nil }
            state.reader = nil
            return (reader, item)
        }
        if let (reader, item) = waiting { reader.resume(returning: item) }
    }

    /// Ends the body. `isDiscarding`: discards the buffered bytes and replaces an earlier end; otherwise, the
    /// bytes can still be read, and an earlier end remains.
    func finish(with end: Result<Void, HTTPError>, isDiscarding: Bool = false) {
        state.withLock {
            if isDiscarding { $0.bytes = [] }
            if $0.end == nil || isDiscarding { $0.end = end }
        }
        resumeWaiter()
    }

    /// Waits for the next element. If `wasPaused`, the caller must resume the transfer.
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
        return (item, state.withLock { $0.clearPaused() })
    }
}
