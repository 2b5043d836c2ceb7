import Threads

/// The bytes of an answer as they come: each element is all that came since the last one was read. Up to
/// 256 KiB wait; then the server is held back. For one reader. Dropping it ends the transfer.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Failure = HTTPError
    fileprivate let reader: BodyReader

    init(key: Transfer.Key, buffer: BodyBuffer, transport: Transport) {
        reader = BodyReader(key: key, buffer: buffer, transport: transport)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

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
        fileprivate let reader: BodyReader

        /// Nil at a clean end. When the task is cancelled, the connection is closed and `cancelled` thrown.
        public func next() async throws(HTTPError) -> [UInt8]? {
            try await reader.next().get()
        }

        public func next(isolation actor: isolated (any Actor)?) async throws(HTTPError) -> [UInt8]? {
            try await next()
        }
    }
}

/// The reader's end of a stream: when the last copy goes, so does the transfer.
private final class BodyReader: Sendable {
    private let key: Transfer.Key
    private let buffer: BodyBuffer
    private let transport: Transport

    init(key: Transfer.Key, buffer: BodyBuffer, transport: Transport) {
        (self.key, self.buffer, self.transport) = (key, buffer, transport)
    }

    deinit { transport.abandon(key) }

    func next() async -> BodyBuffer.Item {
        let (item, wasPaused) = await withTaskCancellationHandler {
            await buffer.next()
        } onCancel: {
            buffer.finish(.failure(.cancelled), discarding: true)
            transport.abandon(key)
        }
        if wasPaused { transport.resume(key) }
        return item
    }
}

extension HTTPError {
    static let cancelled = HTTPError(.cancelled, "the request was cancelled")
}

/// Where a stream's bytes wait for their reader, who may be anywhere. A lock rather than the actor, so that an
/// event costs the reader no turn of the loop.
final class BodyBuffer: Sendable {
    typealias Item = Result<[UInt8]?, HTTPError>
    private static let limit = 256 << 10
    private let state = Locked(State())

    private struct State {
        var bytes: [UInt8] = []
        var end: Result<Void, HTTPError>?
        var reader: CheckedContinuation<Item, Never>?
        /// libcurl was told to wait until the bytes are gone.
        var isPaused = false

        /// All that came since the last time, then the end, again and again.
        mutating func next() -> Item? {
            guard bytes.isEmpty else {
                defer { bytes = [] }
                return .success(bytes)
            }
            return end.map { $0.map { nil } }
        }

        /// Whether there was one.
        mutating func stopPause() -> Bool {
            let wasPaused = isPaused
            isPaused = false
            return wasPaused
        }
    }

    /// False when it is full: the stream is then paused until the reader has taken all.
    func hasRoom() -> Bool {
        state.withLock {
            $0.isPaused = $0.bytes.count >= Self.limit
            return !$0.isPaused
        }
    }

    func put(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0.bytes.append(contentsOf: bytes) }
    }

    /// Wakes the reader with everything that was put, as one element.
    func deliver() {
        let waiting = state.withLock { state -> (CheckedContinuation<Item, Never>, Item)? in
            guard let reader = state.reader, let item = state.next() else { return nil }
            state.reader = nil
            return (reader, item)
        }
        if let (reader, item) = waiting { reader.resume(returning: item) }
    }

    /// Nothing comes any more. The first end counts; what was put before is still read, unless `discarding`.
    func finish(_ end: Result<Void, HTTPError>, discarding: Bool = false) {
        state.withLock {
            if discarding { $0.bytes = [] }
            if $0.end == nil || discarding { $0.end = end }
        }
        deliver()
    }

    /// Waits for something to read. `wasPaused` says that the stream must be told to go on.
    func next() async -> (item: Item, wasPaused: Bool) {
        let item = await withCheckedContinuation { reader in
            let item = state.withLock { state -> Item? in
                if let item = state.next() { return item }
                guard state.reader == nil else {
                    return .failure(HTTPError(.badRequest, "a body has one reader"))
                }
                state.reader = reader
                return nil
            }
            if let item { reader.resume(returning: item) }
        }
        return (item, state.withLock { $0.stopPause() })
    }
}
