import Threads

/// Sends requests through libcurl, which the event loop drives: no other thread stands between a socket and
/// who waits for what comes on it.
public actor Transport {
    private static let hopLimit = 5
    /// Its name at the event loop.
    let tag: UInt32
    let userAgent: String
    var pools: [Pool.ID: Pool] = [:]
    var transfers: [Transfer.Key: Transfer] = [:]
    /// The pool that new requests of a policy use.
    var currentPools: [TLSPolicy: Pool] = [:]
    var lastPoolID: Pool.ID = 0
    var lastKey: Transfer.Key = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        LoopThread.shared.asUnownedSerialExecutor()
    }

    /// `userAgent` is `name/version`.
    public init(userAgent: String = "cutied") {
        self.userAgent = userAgent
        tag = EventLoop.shared.newTag()
        EventLoop.shared.add(LoopSeat(self), as: tag)
    }

    deinit { EventLoop.shared.remove(tag) }

    /// The whole answer, whatever its status. Redirects are followed on the same origin only.
    public func send(
        _ request: HTTPRequest, policy: TLSPolicy = TLSPolicy()
    ) async throws(HTTPError) -> HTTPResponse {
        let (answer, _) = try await exchange(request, policy, isStream: false)
        return HTTPResponse(
            status: answer.head.status, headers: answer.head.headers, httpVersion: answer.version,
            body: answer.body)
    }

    /// The header of the answer, whatever its status; the body follows. Redirects as with `send`.
    public func open(
        _ request: HTTPRequest, policy: TLSPolicy = TLSPolicy()
    ) async throws(HTTPError) -> HTTPStream {
        let (answer, body) = try await exchange(request, policy, isStream: true)
        guard let body else { throw .cancelled }
        return HTTPStream(
            status: answer.head.status, headers: answer.head.headers, httpVersion: answer.version, body: body)
    }

    /// Later requests of `policy` get new connections and read its CA file anew; what is under way goes on.
    public func retire(_ policy: TLSPolicy) {
        if let pool = currentPools[policy] { retire(pool) }
    }

    private func exchange(
        _ request: HTTPRequest, _ policy: TLSPolicy, isStream: Bool
    ) async throws(HTTPError) -> (Transfer.Answer, HTTPBody?) {
        guard curlIsReady else {
            throw HTTPError(.unsupported, "libcurl.so.4 cannot be loaded; install libcurl4")
        }
        var address = try request.checked()
        for _ in 0...Self.hopLimit {
            let mailbox = isStream ? Mailbox() : nil
            let answer = try await answer(to: request, at: address, policy, mailbox).get()
            // Made before anything can throw: dropping it is what ends the transfer.
            let body = mailbox.map { HTTPBody(key: answer.key, mailbox: $0, transport: self) }
            guard let location = answer.head.redirect else { return (answer, body) }
            address = try address.following(location, answer.head.status, request.method)
        }
        throw HTTPError(.refusedRedirect, "\(address.origin.host) redirects in a circle")
    }

    private func answer(
        to request: HTTPRequest, at address: Address, _ policy: TLSPolicy, _ mailbox: Mailbox?
    ) async -> Result<Transfer.Answer, HTTPError> {
        lastKey += 1
        let key = lastKey
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // A cancellation that came before cannot find the transfer; a later one will.
                if Task.isCancelled { return waiter.resume(returning: .failure(.cancelled)) }
                start(key, request, to: address, policy, mailbox, waiter)
            }
        } onCancel: {
            abandon(key)
        }
    }
}

/// How the event loop reaches a transport; weak, so that it ends when it is forgotten.
private final class LoopSeat: LoopClient {
    private weak let transport: Transport?

    init(_ transport: Transport) { self.transport = transport }

    func timeUntilDue() -> Duration? { transport?.assumeIsolated { $0.timeUntilDue() } ?? nil }

    func handle(_ ready: Poller.Ready) { transport?.assumeIsolated { $0.handle(ready) } }

    func handleDue() { transport?.assumeIsolated { $0.handleDue() } }
}

extension Address {
    /// Where `location` points. A redirect to another origin is refused, because the request's headers carry
    /// the account; one that would turn a POST into a GET is, because what was sent would be lost.
    fileprivate func following(
        _ location: String, _ status: Int, _ method: String
    ) throws(HTTPError) -> Address {
        guard let target = Address(location, relativeTo: self), !target.hasCredentials else {
            throw HTTPError(.refusedRedirect, "\(origin.host) redirects to “\(location)”, which is no URL")
        }
        guard target.origin == origin else {
            throw HTTPError(
                .refusedRedirect,
                "\(origin.host) redirects to \(target.origin.scheme)://\(target.origin.host); set api_url to the right address"
            )
        }
        guard status == 307 || status == 308 || ["GET", "HEAD"].contains(method) else {
            throw HTTPError(.refusedRedirect, "\(origin.host) redirects a \(method) with status \(status)")
        }
        return target
    }
}
