import CCurl
import Glibc
import Reasons
import Runtime

/// A request in flight. The transfer buffers the data that libcurl passes to callbacks, and delivers the data
/// after the libcurl call. Only the HTTP client uses transfers.
final class Transfer {
    typealias Key = UInt64
    typealias Waiter = CheckedContinuation<Result<Response, HTTPError>, Never>

    /// The result for the waiting task, available after the response header of a stream, or after the body of
    /// any other response.
    struct Response: Sendable {
        let key: Key
        let head: ResponseHead
        let version: HTTPVersion
        let body: [UInt8]
    }

    let key: Key
    let address: URLAddress
    let easy: EasyHandle
    let pool: Pool
    let request: HTTPRequest
    private let started = SuspendingClock.now
    /// The body buffer of a stream; `nil` if the request is not a stream.
    let buffer: BodyBuffer?
    var waiter: Waiter?
    /// The deadline of the transfer; `nil` for a successful stream whose response header has been received.
    private(set) var due: SuspendingClock.Instant?
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// The reason why a callback aborted the transfer; `nil` if no callback aborted the transfer. libcurl
    /// only reports that a callback aborted, not why.
    private(set) var abortError: HTTPError?
    /// Whether the policy rejected one of the host's addresses.
    private var didRefuseAddress = false
    private var bodyCount = 0
    private var isTouched = false

    init(
        key: Key, request: HTTPRequest, to address: URLAddress, in pool: Pool, buffer: BodyBuffer?
    ) throws(HTTPError) {
        (self.key, self.address, self.pool) = (key, address, pool)
        (self.request, self.buffer) = (request, buffer)
        easy = try EasyHandle()
        due = started + request.timeout
        easy.configure(for: request, address: address, isStream: buffer != nil, policy: pool.policy)
        ccurl_set_key(easy.handle, key)
        let owner = Unmanaged.passUnretained(self).toOpaque()
        easy.setReceiveCallback(
            callbackOption: CURLOPT_HEADERFUNCTION, callback: headerCallback, dataOption: CURLOPT_HEADERDATA,
            owner: owner)
        easy.setReceiveCallback(
            callbackOption: CURLOPT_WRITEFUNCTION, callback: bodyCallback, dataOption: CURLOPT_WRITEDATA,
            owner: owner
        )
        if pool.policy.allowedHosts == .remoteOnly {
            easy.setOpenSocketCallback(openSocketCallback, owner: owner)
        }
        easy.sessions = try pool.trust.configure(
            easy.handle, usesTLS: address.origin.scheme == "https")
    }

    var host: String { address.origin.host }

    var response: Response {
        let version: HTTPVersion =
            switch easy.value(of: CURLINFO_HTTP_VERSION) {
            case CURL_HTTP_VERSION_2_0: .http2
            case CURL_HTTP_VERSION_1_0: .http1_0
            default: .http1_1
            }
        return Response(key: key, head: head, version: version, body: body)
    }

    /// Delivers the data that callbacks buffered during the libcurl call.
    func deliverReceivedData() {
        isTouched = false
        guard let buffer else { return }
        if head.isComplete, let waiter {
            self.waiter = nil
            waiter.resume(returning: .success(response))
        }
        buffer.resumeWaiter()
    }

    private func scheduleDelivery() {
        guard !isTouched else { return }
        isTouched = true
        pool.touched.append(self)
    }

    /// Whether the transfer is a successful stream. Such a stream has no deadline and no size limit, because
    /// it may run for weeks.
    private var hasNoTimeLimit: Bool { buffer != nil && (200...299).contains(head.status) }

    /// Processes a header line. Returns `line.count`, or any other number to abort the transfer.
    fileprivate func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Int {
        let wasComplete = head.isComplete
        guard head.appendHeaderLine(line) else {
            return abortTransfer(with: .tooLarge, reason: Reason(.endlessHeader, ["host": host]))
        }
        guard head.isComplete, !wasComplete else { return line.count }
        due = hasNoTimeLimit ? nil : started + request.transferTimeout
        if buffer != nil, let coding = head.headers["Content-Encoding"], !coding.isEmpty,
            coding != "identity"
        {
            return abortTransfer(
                with: .unsupported, reason: Reason(.streamCompressed, ["host": host, "coding": coding]))
        }
        scheduleDelivery()
        return line.count
    }

    /// Processes body bytes. Returns the number of accepted bytes, or CURL_WRITEFUNC_PAUSE to pause the
    /// transfer; libcurl then keeps the bytes.
    fileprivate func receiveBodyBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let buffer, !buffer.prepareToAppend() { return Int(CURL_WRITEFUNC_PAUSE) }
        bodyCount += bytes.count
        guard hasNoTimeLimit || bodyCount <= request.responseLimit else {
            return abortTransfer(
                with: .tooLarge,
                reason: Reason(.responseTooLarge, ["host": host, "limit": String(request.responseLimit)]))
        }
        if let buffer { buffer.append(bytes) } else { body.append(contentsOf: bytes) }
        scheduleDelivery()
        return bytes.count
    }

    /// Opens a socket for a connection to `peer`. Returns CURL_SOCKET_BAD if the policy forbids the address,
    /// so that libcurl tries the next address of the host.
    fileprivate func openSocket(to peer: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        // Read the address at its memory offset, because an IPv6 address is larger than the declared member
        // `addr`.
        let offset = MemoryLayout.offset(of: \curl_sockaddr.addr) ?? 0
        let place = PeerAddress(UnsafeRawPointer(peer) + offset, count: Int(peer.pointee.addrlen))
        // A host name may be reached through a proxy, which may run on this computer. Requests to IP
        // addresses never use a proxy.
        let mayBeProxy = !address.origin.hasIPAddress
        guard let place, !place.isLocal || mayBeProxy && ProxyEnvironment.ports.contains(place.port) else {
            didRefuseAddress = true
            return CURL_SOCKET_BAD
        }
        let type = peer.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(peer.pointee.family, type, peer.pointee.protocol)
    }

    private func abortTransfer(with code: HTTPError.Code, reason: Reason) -> Int {
        abortError = HTTPError(code, reason)
        return 0
    }

    /// Returns the error for a libcurl result code; `nil` if the transfer succeeded.
    func failure(for code: CURLcode) -> HTTPError? {
        if let abortError { return abortError }
        switch code {
        case CURLE_OK: return nil
        case CURLE_COULDNT_RESOLVE_HOST:
            return HTTPError(.cannotResolve, Reason(.hostNotFound, hostAndDetail))
        case CURLE_COULDNT_RESOLVE_PROXY:
            return HTTPError(.cannotResolve, Reason(.proxyNotFound, ["detail": detail]))
        case CURLE_COULDNT_CONNECT where didRefuseAddress:
            return HTTPError(.refusedAddress, Reason(.addressRefused, ["host": host]))
        case CURLE_COULDNT_CONNECT, CURLE_PROXY:
            return HTTPError(.cannotConnect, Reason(.hostUnreachable, hostAndDetail))
        case CURLE_OPERATION_TIMEDOUT: return timeout
        case CURLE_PEER_FAILED_VERIFICATION: return verificationFailure
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE: return handshakeFailure
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return HTTPError(.unsupported, Reason(.invalidHTTP, hostAndDetail))
        case CURLE_OUT_OF_MEMORY:
            // libcurl returns this code if a header line exceeds libcurl's size limit.
            return HTTPError(.tooLarge, Reason(.endlessHeader, ["host": host]))
        case CURLE_URL_MALFORMAT:
            return HTTPError(.badRequest, Reason(.addressInvalid, ["url": request.url, "detail": detail]))
        default:
            return HTTPError(.interrupted, Reason(.connectionLost, hostAndDetail))
        }
    }

    var timeout: HTTPError {
        let waited = (SuspendingClock.now - started).components.seconds
        let code: Reason.Code = head.isComplete ? .responseIncomplete : .noAnswerInTime
        return HTTPError(.timedOut, Reason(code, ["host": host, "seconds": String(waited)]))
    }

    private var hostAndDetail: [String: String] { ["host": host, "detail": detail] }

    private var detail: String {
        easy.failureText.isEmpty ? "" : " (\(easy.failureText))"
    }

    /// The error for the verification result of OpenSSL. A wrong host name is not part of this result,
    /// because libcurl checks the host name; the result is then 0 or 1.
    private var verificationFailure: HTTPError {
        switch easy.value(of: CURLINFO_SSL_VERIFYRESULT) {
        case 0, 1, 62, 64: tlsError(.wrongHost, reason: .certificateWrongHost)
        case 9: tlsError(.certificateNotYetValid, reason: .certificateNotYetValid)
        case 10: tlsError(.certificateExpired, reason: .certificateExpired)
        case 50: tlsError(.pinMismatch, reason: .certificateNotPinned)
        case 2, 18...21: tlsError(.unknownIssuer, reason: .certificateUnknownIssuer)
        default: HTTPError(.tls(.handshake), Reason(.certificateRejected, hostAndDetail))
        }
    }

    private func tlsError(_ failure: HTTPError.TLSFailure, reason code: Reason.Code) -> HTTPError {
        HTTPError(.tls(failure), Reason(code, ["host": host]))
    }

    private var handshakeFailure: HTTPError {
        guard let reason = easy.openSSLReason, [0x102, 0x42E].contains(reason) else {
            return HTTPError(.tls(.handshake), Reason(.tlsFailed, hostAndDetail))
        }
        return HTTPError(.tls(.protocolVersion), Reason(.tlsVersionUnsupported, ["host": host]))
    }
}

// libcurl calls these callbacks only while the HTTP client calls libcurl, so they run on the executor
// of the HTTP client.

private let headerCallback: curl_write_callback = { bytes, size, count, transfer in
    guard let bytes, let transfer else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().receiveHeaderLine(line)
}

private let openSocketCallback: curl_opensocket_callback = { transfer, _, peer in
    guard let transfer, let peer else { return CURL_SOCKET_BAD }
    return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().openSocket(to: peer)
}

private let bodyCallback: curl_write_callback = { bytes, size, count, transfer in
    guard let bytes, let transfer else { return 0 }
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().receiveBodyBytes(chunk)
}

extension EasyHandle {
    /// The reason code of an OpenSSL error, parsed from text such as `error:0A00042E:...` (libcurl does not
    /// report the number); `nil` if the text contains no such code. 0x102 is SSL_R_UNSUPPORTED_PROTOCOL,
    /// 0x42E is SSL_R_TLSV1_ALERT_PROTOCOL_VERSION.
    fileprivate var openSSLReason: Int? {
        let parts = failureText.split(separator: ":")
        guard let index = parts.firstIndex(where: { $0.hasSuffix("error") }), index + 1 < parts.count
        else { return nil }
        return Int(parts[index + 1], radix: 16).map { $0 & 0x7F_FFFF }
    }
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
        mutating func readNextItem() -> Item? {
            guard bytes.isEmpty else {
                defer { bytes = [] }
                return .success(bytes)
            }
            return end.map { $0.map { nil } }
        }
    }

    /// Sets `isPaused` if the buffer is full. Returns `false` in this case, and the caller must pause the
    /// transfer.
    func prepareToAppend() -> Bool {
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
            guard let reader = state.reader, let item = state.readNextItem() else { return nil }
            state.reader = nil
            return (reader, item)
        }
        if let (reader, item) = waiting { reader.resume(returning: item) }
    }

    /// Completes the body with `result`. If `discardsBufferedBytes`, discards the buffered bytes and replaces any
    /// previous result. Otherwise, the bytes can still be read, and a previous result is kept.
    func finish(with result: Result<Void, HTTPError>, discardsBufferedBytes: Bool = false) {
        state.withLock {
            if discardsBufferedBytes { $0.bytes = [] }
            if $0.end == nil || discardsBufferedBytes { $0.end = result }
        }
        resumeWaiter()
    }

    /// Waits for the next element. If `wasPaused` is `true`, the caller must resume the transfer.
    func waitForNextItem() async -> (item: Item, wasPaused: Bool) {
        let item = await withCheckedContinuation { reader in
            let item = state.withLock { state -> Item? in
                if let item = state.readNextItem() { return item }
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
