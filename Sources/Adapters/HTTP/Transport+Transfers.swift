import CCurl
import Threads

extension Transport {
    /// Hands the request to libcurl; `waiter` is resumed with what becomes of it.
    func start(
        _ key: Transfer.Key, _ request: HTTPRequest, to address: Address, _ policy: TLSPolicy,
        _ mailbox: Mailbox?, _ waiter: Transfer.Waiter
    ) {
        do throws(HTTPError) {
            let pool = try currentPool(of: policy)
            let transfer = try Transfer(
                key, request, to: address, in: pool, policy.minimumVersion, mailbox: mailbox)
            transfer.easy.set(CURLOPT_USERAGENT, userAgent)
            try transfer.easy.verifyOptions()
            try pool.add(transfer)
            transfer.waiter = waiter
            transfers[key] = transfer
        } catch {
            waiter.resume(returning: .failure(error))
        }
    }

    /// Ends a transfer from any thread, without waiting for it.
    nonisolated func abandon(_ key: Transfer.Key) {
        EventLoop.shared.perform { self.assumeIsolated { $0.finish(key, .failure(.cancelled)) } }
    }

    /// Lets a paused stream go on, from any thread.
    nonisolated func resume(_ key: Transfer.Key) {
        EventLoop.shared.perform { self.assumeIsolated { $0.unpause(key) } }
    }

    /// Takes the transfer out of libcurl and tells whoever waits. Without effect on one that ended before.
    func finish(_ key: Transfer.Key, _ end: Result<Void, HTTPError>) {
        guard let transfer = transfers.removeValue(forKey: key) else { return }
        let answer = transfer.answer
        transfer.pool.remove(transfer, wasGood: (try? end.get()) != nil)
        transfer.mailbox?.finish(end)
        transfer.waiter?.resume(returning: end.map { answer })
        transfer.waiter = nil
        // What timed out may have been sent into a dead HTTP/2 connection that a stream keeps in use.
        if case .failure(let error) = end, error.code == .timedOut { retire(transfer.pool) }
        closeIfDone(transfer.pool)
    }

    /// Later requests get a pool of their own.
    func retire(_ pool: Pool) {
        pool.isRetired = true
        if currentPools[pool.policy] === pool { currentPools[pool.policy] = nil }
        closeIfDone(pool)
    }

    /// Without a reference here a pool, and its connections, live as long as its last transfer.
    func closeIfDone(_ pool: Pool) {
        if pool.isRetired, pool.transferCount == 0 { pools[pool.id] = nil }
    }

    private func unpause(_ key: Transfer.Key) {
        guard let transfer = transfers[key] else { return }
        // libcurl hands over what it held back from inside this call.
        transfer.easy.pause(false)
        deliver(transfer.pool)
    }

    private func currentPool(of policy: TLSPolicy) throws(HTTPError) -> Pool {
        if let pool = currentPools[policy] { return pool }
        lastPoolID += 1
        let pool = try Pool(id: lastPoolID, policy: policy, tag: tag)
        pools[pool.id] = pool
        currentPools[policy] = pool
        return pool
    }
}
