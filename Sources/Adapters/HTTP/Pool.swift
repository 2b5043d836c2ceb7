import CCurl
import CLinux
import Reasons
import Runtime

/// libcurl's `CURL *` and `CURLM *`, which are both declared as `void *`.
typealias CURLHandle = UnsafeMutableRawPointer

/// A libcurl multi handle. Its connections belong to one TLS policy and are never shared with other policies.
/// Only the HTTP client uses the pool.
final class Pool {
    typealias ID = UInt32

    let id: ID
    let policy: TLSPolicy
    let trust: TrustStore
    /// Whether new requests use another pool. A retired pool is released when its last transfer completes.
    var isRetired = false
    var transferCount = 0
    /// The transfers that received data during the current libcurl call. The data is delivered after the
    /// call.
    var touched: [Transfer] = []
    private(set) var due: SuspendingClock.Instant?
    /// The sockets that the event loop polls for libcurl.
    private var sockets: Set<Int32> = []
    private let multi: CURLHandle
    private let tag: UInt32

    /// Creates an empty pool.
    ///
    /// - Parameter tag: the tag with which the event loop identifies the HTTP client.
    init(id: ID, policy: TLSPolicy, trust: TrustStore, tag: UInt32) throws(HTTPError) {
        guard let multi = curl_multi_init() else {
            throw HTTPError(.unsupported, .text("libcurl has no memory for connections"))
        }
        (self.id, self.policy, self.multi, self.tag) = (id, policy, multi, tag)
        self.trust = trust
        let owner = Unmanaged.passUnretained(self).toOpaque()
        ccurl_multi_on_socket(multi, socketChanged, owner)
        ccurl_multi_on_timer(multi, timerChanged, owner)
        ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 8)
    }

    /// Closes all connections, including idle connections.
    deinit {
        // Remove the callbacks first, because the callbacks must not access the pool during `deinit`. The
        // kernel removes closed sockets from the poller.
        ccurl_multi_on_socket(multi, nil, nil)
        ccurl_multi_on_timer(multi, nil, nil)
        curl_multi_cleanup(multi)
    }

    func add(_ transfer: Transfer) throws(HTTPError) {
        guard curl_multi_add_handle(multi, transfer.easy.handle) == CURLM_OK else {
            throw HTTPError(.badRequest, .text("libcurl rejected the request to \(transfer.host)"))
        }
        transferCount += 1
    }

    /// Removes a transfer in any state. After a failure, also closes the connection of the transfer as soon
    /// as no other transfer uses the connection.
    func remove(_ transfer: Transfer, hasSucceeded: Bool) {
        // Forbid reuse of the connection. Otherwise, libcurl would reuse an HTTP/2 connection that may be
        // dead, and the server would continue to send the response.
        if !hasSucceeded { transfer.easy.setOption(CURLOPT_FORBID_REUSE, to: 1) }
        curl_multi_remove_handle(multi, transfer.easy.handle)
        transferCount -= 1
    }

    func polls(_ socket: Int32) -> Bool { sockets.contains(socket) }

    func handle(_ ready: Poller.Ready) {
        var mask: Int32 = 0
        if ready.events & EPOLLIN.rawValue != 0 { mask |= CURL_CSELECT_IN }
        if ready.events & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
        if ready.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CURL_CSELECT_ERR }
        var running: Int32 = 0
        curl_multi_socket_action(multi, ready.descriptor, mask, &running)
    }

    func handleTimeout() {
        due = nil
        var running: Int32 = 0
        curl_multi_socket_action(multi, -1, 0, &running)
    }

    /// Returns the key and the result code of the next completed transfer; `nil` if no more transfers
    /// completed.
    func nextCompletedTransfer() -> (key: Transfer.Key, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
                continue
            }
            return (ccurl_get_key(easy), message.pointee.data.result)
        }
        return nil
    }

    fileprivate func updateWatch(of socket: Int32, for action: Int32) {
        let events: UInt32? =
            switch action {
            case CURL_POLL_IN: EPOLLIN.rawValue
            case CURL_POLL_OUT: EPOLLOUT.rawValue
            case CURL_POLL_INOUT: EPOLLIN.rawValue | EPOLLOUT.rawValue
            default: nil
            }
        // Remove the socket of a paused transfer, because epoll reports a hang-up even if no events are
        // requested.
        if events == nil { sockets.remove(socket) } else { sockets.insert(socket) }
        EventLoop.shared.watch(socket, for: events, clientTag: tag)
    }

    fileprivate func setTimer(milliseconds: Int) {
        due = milliseconds < 0 ? nil : SuspendingClock.now + .milliseconds(milliseconds)
    }
}

/// Whether libcurl could be initialized. The value is computed once per process, before the first handle is
/// created.
let curlIsReady = curl_global_init(Int(CURL_GLOBAL_SSL | CURL_GLOBAL_WIN32)) == CURLE_OK

// libcurl calls these callbacks only while the HTTP client calls libcurl, so they run on the executor
// of the HTTP client.

private let socketChanged: curl_socket_callback = { _, socket, what, pool, _ in
    pool.map { Unmanaged<Pool>.fromOpaque($0).takeUnretainedValue().updateWatch(of: socket, for: what) }
    return 0
}

private let timerChanged: curl_multi_timer_callback = { _, milliseconds, pool in
    pool.map { Unmanaged<Pool>.fromOpaque($0).takeUnretainedValue().setTimer(milliseconds: milliseconds) }
    return 0
}
