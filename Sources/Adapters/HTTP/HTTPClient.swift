import CCurl
import Reasons
import Runtime

/// An HTTP client that runs libcurl on the event loop, without a separate network thread.
public actor HTTPClient {
    private static let maxRedirects = 5
    /// The tag with which the event loop identifies this client.
    let tag: UInt32
    private let userAgent: String
    private var pools: [Pool.ID: Pool] = [:]
    private var transfers: [Transfer.Key: Transfer] = [:]
    /// The pool that new requests of a policy use. Retired pools are only in `pools`.
    private var currentPools: [TLSPolicy: Pool] = [:]
    /// The trust store of each policy. A trust store outlives its pools, so that a connection of a new pool
    /// can resume a TLS session from the cache in the store.
    private var trustStores: [TLSPolicy: TrustStore] = [:]
    private var lastPoolID: Pool.ID = 0
    private var lastKey: Transfer.Key = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        LoopThread.shared.asUnownedSerialExecutor()
    }

    /// Creates a client.
    ///
    /// - Parameter userAgent: the user agent in the format `name/version`.
    public init(userAgent: String = "cutied") {
        self.userAgent = userAgent
        tag = EventLoop.shared.makeTag()
        EventLoop.shared.addClient(WeakLoopClient(self), withTag: tag)
    }

    deinit { EventLoop.shared.removeClient(withTag: tag) }

    /// Sends a request and returns the complete response, whatever its status. Follows redirects within the
    /// same origin.
    public func send(
        _ request: HTTPRequest, policy: TLSPolicy = TLSPolicy()
    ) async throws(HTTPError) -> HTTPResponse {
        let (answer, _, url) = try await performRequest(request, policy: policy, isStream: false)
        return HTTPResponse(
            status: answer.head.status, headers: answer.head.headers, httpVersion: answer.version,
            body: answer.body, url: url)
    }

    /// Sends a request and returns the response, whatever its status, as soon as the header is complete.
    /// Follows redirects within the same origin.
    public func openStream(
        for request: HTTPRequest, policy: TLSPolicy = TLSPolicy()
    ) async throws(HTTPError) -> HTTPStream {
        let (answer, body, _) = try await performRequest(request, policy: policy, isStream: true)
        guard let body else { throw .cancelled }
        return HTTPStream(
            status: answer.head.status, headers: answer.head.headers, httpVersion: answer.version, body: body)
    }

    /// Makes later requests with `policy` open new connections and reload the CA file. Does not affect
    /// requests in flight.
    public func retireConnections(using policy: TLSPolicy) {
        trustStores[policy]?.scheduleReload()
        if let pool = currentPools[policy] { retire(pool) }
    }

    private func performRequest(
        _ request: HTTPRequest, policy: TLSPolicy, isStream: Bool
    ) async throws(HTTPError) -> (Transfer.Response, HTTPBody?, url: String) {
        guard curlIsReady else {
            throw HTTPError(.unsupported, .text("libcurl cannot be initialized"))
        }
        var address = try request.validatedAddress()
        for _ in 0...Self.maxRedirects {
            let buffer = isStream ? BodyBuffer() : nil
            let answer = try await performTransfer(of: request, to: address, policy: policy, buffer: buffer)
                .get()
            // Create the body before a statement that can throw: if the statement throws, the body is
            // released, which cancels the transfer.
            let body = buffer.map { HTTPBody(key: answer.key, buffer: $0, httpClient: self) }
            guard let location = answer.head.redirect else { return (answer, body, address.url) }
            address = try address.redirectTarget(
                location: location, status: answer.head.status, method: request.method)
        }
        throw HTTPError(.refusedRedirect, Reason(.redirectLoop, ["host": address.origin.host]))
    }

    private func performTransfer(
        of request: HTTPRequest, to address: URLAddress, policy: TLSPolicy, buffer: BodyBuffer?
    ) async -> Result<Transfer.Response, HTTPError> {
        lastKey += 1
        let key = lastKey
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // If the task was already cancelled, `onCancel` ran too early to cancel the transfer.
                if Task.isCancelled { return waiter.resume(returning: .failure(.cancelled)) }
                startTransfer(
                    key: key, request: request, to: address, policy: policy, buffer: buffer, waiter: waiter)
            }
        } onCancel: {
            cancelTransfer(forKey: key)
        }
    }

    /// Starts a transfer. Resumes `waiter` with the result.
    func startTransfer(
        key: Transfer.Key, request: HTTPRequest, to address: URLAddress, policy: TLSPolicy,
        buffer: BodyBuffer?, waiter: Transfer.Waiter
    ) {
        do throws(HTTPError) {
            let pool = try findOrCreateCurrentPool(for: policy)
            let transfer = try Transfer(
                key: key, request: request, to: address, in: pool, buffer: buffer)
            transfer.easy.setOption(CURLOPT_USERAGENT, to: userAgent)
            try transfer.easy.requireAcceptedOptions()
            try pool.add(transfer)
            transfer.waiter = waiter
            transfers[key] = transfer
        } catch {
            waiter.resume(returning: .failure(error))
        }
    }

    /// Cancels a transfer. May be called from any thread and does not wait.
    nonisolated func cancelTransfer(forKey key: Transfer.Key) {
        EventLoop.shared.perform {
            self.assumeIsolated { $0.finishTransfer(forKey: key, with: .failure(.cancelled)) }
        }
    }

    /// Resumes a paused transfer. May be called from any thread and does not wait.
    nonisolated func resumeTransfer(forKey key: Transfer.Key) {
        EventLoop.shared.perform { self.assumeIsolated { $0.unpauseTransfer(forKey: key) } }
    }

    /// Removes a transfer from libcurl and resumes the waiting task. A repeated call has no effect.
    func finishTransfer(forKey key: Transfer.Key, with result: Result<Void, HTTPError>) {
        guard let transfer = transfers.removeValue(forKey: key) else { return }
        let answer = transfer.response
        transfer.pool.remove(transfer, hasSucceeded: (try? result.get()) != nil)
        transfer.buffer?.finish(with: result)
        transfer.waiter?.resume(returning: result.map { answer })
        transfer.waiter = nil
        // After a timeout, open new connections, because an HTTP/2 connection may be dead even if a stream
        // still uses it.
        if case .failure(let error) = result, error.code == .timedOut { retire(transfer.pool) }
        closeRetiredPoolIfUnused(transfer.pool)
    }

    /// Makes later requests use a new pool.
    private func retire(_ pool: Pool) {
        pool.isRetired = true
        if currentPools[pool.policy] === pool { currentPools[pool.policy] = nil }
        closeRetiredPoolIfUnused(pool)
    }

    /// Releases the pool and its connections if the pool is retired and no transfer uses it.
    private func closeRetiredPoolIfUnused(_ pool: Pool) {
        if pool.isRetired, pool.transferCount == 0 { pools[pool.id] = nil }
    }

    private func unpauseTransfer(forKey key: Transfer.Key) {
        guard let transfer = transfers[key] else { return }
        // Unpausing makes libcurl deliver the data that it buffered during the pause.
        transfer.easy.setPaused(false)
        deliverCompletedTransfers(of: transfer.pool)
    }

    private func loadTrustStore(for policy: TLSPolicy) throws(HTTPError) -> TrustStore {
        if let trust = trustStores[policy] { return trust }
        let trust = try TrustStore(policy)
        trustStores[policy] = trust
        return trust
    }

    private func findOrCreateCurrentPool(for policy: TLSPolicy) throws(HTTPError) -> Pool {
        if let pool = currentPools[policy] { return pool }
        lastPoolID += 1
        let pool = try Pool(id: lastPoolID, policy: policy, trust: loadTrustStore(for: policy), tag: tag)
        pools[pool.id] = pool
        currentPools[policy] = pool
        return pool
    }
}

/// A weak reference to an HTTP client, so that the event loop does not retain the client.
private final class WeakLoopClient: LoopClient {
    private weak let httpClient: HTTPClient?

    init(_ httpClient: HTTPClient) { self.httpClient = httpClient }

    var due: SuspendingClock.Instant? { httpClient?.assumeIsolated { $0.due } ?? nil }

    func handleReadyDescriptor(_ ready: Poller.Ready) { httpClient?.assumeIsolated { $0.handle(ready) } }

    func handleTimeout() { httpClient?.assumeIsolated { $0.handleTimeout() } }
}

extension URLAddress {
    /// Returns the target of a redirect. Throws if the target has another origin, because the headers contain
    /// the account's credentials. Also throws if the redirect would change POST to GET, because the body
    /// would be lost.
    fileprivate func redirectTarget(
        location: String, status: Int, method: String
    ) throws(HTTPError) -> URLAddress {
        guard let target = URLAddress(location, relativeTo: self), !target.hasCredentials else {
            throw HTTPError(
                .refusedRedirect, Reason(.redirectInvalid, ["host": origin.host, "location": location]))
        }
        guard target.origin == origin else {
            throw HTTPError(
                .refusedRedirect,
                Reason(
                    .redirected,
                    [
                        "host": origin.authority,
                        "target": "\(target.origin.scheme)://\(target.origin.authority)",
                    ])
            )
        }
        guard status == 307 || status == 308 || ["GET", "HEAD"].contains(method) else {
            throw HTTPError(
                .refusedRedirect,
                Reason(
                    .redirectOfMethod, ["host": origin.host, "method": method, "status": String(status)]))
        }
        return target
    }
}

/// The functions that the event loop calls.
extension HTTPClient {
    /// The time of the next timeout, at which the event loop must wake up; `nil` if there is no timeout.
    var due: SuspendingClock.Instant? {
        var first: SuspendingClock.Instant?
        for pool in pools.values { if let due = pool.due { first = min(first ?? due, due) } }
        for transfer in transfers.values { if let due = transfer.due { first = min(first ?? due, due) } }
        return first
    }

    /// Passes a ready socket to libcurl.
    func handle(_ ready: Poller.Ready) {
        guard let pool = pools.values.first(where: { $0.polls(ready.descriptor) }) else { return }
        pool.handle(ready)
        deliverCompletedTransfers(of: pool)
    }

    func handleTimeout() {
        let now = SuspendingClock.now
        for pool in pools.values where pool.due.map({ $0 <= now }) == true {
            pool.handleTimeout()
            deliverCompletedTransfers(of: pool)
        }
        for transfer in transfers.values where transfer.due.map({ $0 <= now }) == true {
            finishTransfer(forKey: transfer.key, with: .failure(transfer.timeout))
        }
    }

    /// Delivers the received data of all transfers in the pool, then the results of the completed transfers.
    func deliverCompletedTransfers(of pool: Pool) {
        let touched = pool.touched
        pool.touched.removeAll(keepingCapacity: true)
        for transfer in touched { transfer.deliverReceivedData() }
        while let (key, code) = pool.nextCompletedTransfer() {
            guard let transfer = transfers[key] else { continue }
            finishTransfer(
                forKey: key, with: transfer.failure(for: code).map { .failure($0) } ?? .success(()))
        }
    }
}
