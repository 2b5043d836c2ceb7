import CCurl

/// One request on its way: what libcurl brings is gathered here, and delivered when libcurl has returned.
/// Confined to the transport.
final class Transfer {
    typealias Key = UInt64
    typealias Waiter = CheckedContinuation<Result<Answer, HTTPError>, Never>

    /// What the asking task is resumed with: at the end of the header for a stream, else at the end.
    struct Answer: Sendable {
        let key: Key
        let head: ResponseHead
        let version: HTTPVersion
        let body: [UInt8]
    }

    let key: Key
    let address: Address
    let easy: EasyHandle
    let pool: Pool
    let request: HTTPRequest
    let started = SuspendingClock.now
    /// Where a stream's body goes.
    let mailbox: Mailbox?
    var waiter: Waiter?
    /// When to give up; nil for a stream that runs.
    private(set) var due: SuspendingClock.Instant?
    private(set) var head = ResponseHead()
    private(set) var body: [UInt8] = []
    /// Why a callback stopped libcurl, which itself only knows that it was stopped.
    private(set) var refusal: HTTPError?
    private var bodyCount = 0
    private var isTouched = false

    init(
        _ key: Key, _ request: HTTPRequest, to address: Address, in pool: Pool, _ minimum: TLSVersion,
        mailbox: Mailbox?
    ) throws(HTTPError) {
        (self.key, self.address, self.pool) = (key, address, pool)
        (self.request, self.mailbox) = (request, mailbox)
        easy = try EasyHandle()
        due = started + request.timeout
        easy.prepare(request, to: address, stream: mailbox != nil, minimum)
        ccurl_set_key(easy.handle, key)
        let owner = Unmanaged.passUnretained(self).toOpaque()
        easy.receive(CURLOPT_HEADERFUNCTION, headerCame, CURLOPT_HEADERDATA, owner)
        easy.receive(CURLOPT_WRITEFUNCTION, bodyCame, CURLOPT_WRITEDATA, owner)
        try pool.trust.attach(to: easy.handle, isEncrypted: address.origin.scheme == "https")
    }

    var host: String { address.origin.host }

    var answer: Answer {
        let version: HTTPVersion =
            switch easy.answer(CURLINFO_HTTP_VERSION) {
            case CURL_HTTP_VERSION_2_0: .http2
            case CURL_HTTP_VERSION_1_0: .http1_0
            default: .http1_1
            }
        return Answer(key: key, head: head, version: version, body: body)
    }

    /// Hands over what came while libcurl was at work.
    func deliver() {
        isTouched = false
        guard let mailbox else { return }
        if head.isComplete, let waiter {
            self.waiter = nil
            waiter.resume(returning: .success(answer))
        }
        mailbox.deliver()
    }

    private func touch() {
        guard !isTouched else { return }
        isTouched = true
        pool.touched.append(self)
    }
}

extension Transfer {
    /// A stream that runs has neither a deadline nor a limit: it may live for weeks.
    private var isEndless: Bool { mailbox != nil && (200...299).contains(head.status) }

    /// How many bytes were taken; anything but all stops libcurl.
    fileprivate func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        let wasComplete = head.isComplete
        guard head.take(line) else {
            return refuse(.tooLarge, "\(host) sends a header without end; the answer was dropped")
        }
        guard head.isComplete, !wasComplete else { return line.count }
        due = isEndless ? nil : started + request.transferTimeout
        if mailbox != nil, let coding = head.headers["Content-Encoding"], !coding.isEmpty,
            coding != "identity"
        {
            return refuse(.unsupported, "\(host) compresses a stream (\(coding)) that was asked for as it is")
        }
        touch()
        return line.count
    }

    /// How many bytes were taken, or CURL_WRITEFUNC_PAUSE: libcurl keeps them and stops reading.
    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let mailbox, !mailbox.mayTake() { return Int(CURL_WRITEFUNC_PAUSE) }
        bodyCount += bytes.count
        guard isEndless || bodyCount <= request.responseLimit else {
            return refuse(.tooLarge, "\(host) answers with more than \(request.responseLimit) bytes; dropped")
        }
        if let mailbox { mailbox.put(bytes) } else { body.append(contentsOf: bytes) }
        touch()
        return bytes.count
    }

    private func refuse(_ code: HTTPError.Code, _ sentence: String) -> Int {
        refusal = HTTPError(code, sentence)
        return 0
    }
}

// libcurl calls back only from inside the pool's calls, so in the transport.

private let headerCame: curl_write_callback = { bytes, size, count, transfer in
    guard let bytes, let transfer else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().takeHeader(line)
}

private let bodyCame: curl_write_callback = { bytes, size, count, transfer in
    guard let bytes, let transfer else { return 0 }
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return Unmanaged<Transfer>.fromOpaque(transfer).takeUnretainedValue().takeBody(chunk)
}
