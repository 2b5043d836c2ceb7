import CCurl
import Threads

/// One libcurl easy handle with what it borrows: the header list and the error text.
final class EasyHandle {
    let handle: CURLHandle
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    /// An option that libcurl refused, for want of memory or of a feature.
    private var refusal: CURLcode = CURLE_OK

    init() throws(HTTPError) {
        guard let handle = ccurl_easy_init() else {
            throw HTTPError(.unsupported, "libcurl has no memory for a request")
        }
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        note(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText))
    }

    /// Only after the pool forgot the handle.
    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
        errorText.deallocate()
    }

    /// What libcurl says of the failure, or nothing.
    var failureText: String { String(cString: errorText) }

    func set(_ option: CURLoption, _ value: Int) { note(ccurl_set_long(handle, option, value)) }
    func set(_ option: CURLoption, _ value: String) { note(ccurl_set_string(handle, option, value)) }

    private func setBody(_ bytes: [UInt8]) { note(ccurl_set_body(handle, bytes, bytes.count)) }

    private func addField(_ line: String) {
        // libcurl leaves the list alone when it has no memory for another line.
        guard let longer = curl_slist_append(fields, line) else { return note(CURLE_OUT_OF_MEMORY) }
        fields = longer
        note(ccurl_set_header_fields(handle, longer))
    }

    /// Sends what comes to `receiver`, which gets `owner` back; the owner must outlive the handle.
    func receive(
        _ option: CURLoption, _ receiver: curl_write_callback, _ data: CURLoption, _ owner: CURLHandle
    ) {
        note(ccurl_set_receiver(handle, option, receiver))
        note(ccurl_set_pointer(handle, data, owner))
    }

    /// Has `opener` open each socket, which gets `owner` back; the owner must outlive the handle.
    func openSockets(by opener: curl_opensocket_callback, _ owner: CURLHandle) {
        note(ccurl_set_socket_opener(handle, opener))
        note(ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, owner))
    }

    func pause(_ isPaused: Bool) {
        curl_easy_pause(handle, isPaused ? CURLPAUSE_RECV : CURLPAUSE_CONT)
    }

    func answer(_ info: CURLINFO) -> Int { ccurl_get_long(handle, info) }

    /// Throws where an option was refused: a request must not go out with less than was asked for.
    func verifyOptions() throws(HTTPError) {
        guard refusal == CURLE_OK else {
            throw HTTPError(
                .badRequest, "libcurl refuses the request: \(String(cString: curl_easy_strerror(refusal)))")
        }
    }

    private func note(_ code: CURLcode) {
        if refusal == CURLE_OK { refusal = code }
    }

    /// Takes over `request`. A `stream` is asked for as it is, because a decoder would hold bytes back and
    /// blow up what must stay small while the reader is slow.
    func prepare(_ request: HTTPRequest, to address: Address, stream: Bool, _ policy: TLSPolicy) {
        set(CURLOPT_URL, address.url)
        setMethod(request)
        for field in request.headers {
            // libcurl's own way to say "empty": a bare "Name:" would take the header out.
            addField(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if stream { addField("Accept-Encoding: identity") } else { set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        setSafety(address.origin, policy)
        setConnection(request)
        setVersion(address.origin)
    }

    private func setMethod(_ request: HTTPRequest) {
        switch (request.method, request.body) {
        case ("GET", nil): set(CURLOPT_HTTPGET, 1)
        case ("HEAD", nil): set(CURLOPT_NOBODY, 1)
        case (let method, let body):
            if let body = body ?? (method == "POST" ? [] : nil) {
                set(CURLOPT_POST, 1)
                setBody(body)
                // No form, and no waiting for a "100 Continue" that may never come.
                if request.headers["Content-Type"] == nil { addField("Content-Type:") }
                addField("Expect:")
            }
            set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    private func setSafety(_ origin: Address.Origin, _ policy: TLSPolicy) {
        set(CURLOPT_PROTOCOLS_STR, origin.isLoopback ? "https,http" : "https")
        // A proxy on this machine would connect to an address that is refused here.
        if origin.isLoopback || policy.reach == .others && origin.isAddress { set(CURLOPT_NOPROXY, "*") }
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(
            CURLOPT_SSLVERSION,
            policy.minimumVersion == .v1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2)
    }

    private func setConnection(_ request: HTTPRequest) {
        // Signals would interrupt the daemon's other threads.
        set(CURLOPT_NOSIGNAL, 1)
        // Taking out a handle whose name is being looked up would wait for the resolver.
        set(CURLOPT_QUICK_EXIT, 1)
        // To libcurl 0 means "no limit".
        let limit = max(1, min(request.timeout, .seconds(30)).roundedUpMilliseconds)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(limit))
        set(CURLOPT_TCP_KEEPALIVE, 1)
        // What is read at once is taken in one transaction: smaller pieces cost a burst half its speed.
        set(CURLOPT_BUFFERSIZE, 64 << 10)
        set(CURLOPT_UPLOAD_BUFFERSIZE, 16 << 10)
    }

    /// Without TLS libcurl takes a server for one of HTTP/2 until it has answered, and lets no request to it
    /// begin before, not even next to a long poll.
    private func setVersion(_ origin: Address.Origin) {
        guard origin.scheme == "https" else { return set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1) }
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // A request joins a connection that is still being made, where that turns out to be HTTP/2.
        set(CURLOPT_PIPEWAIT, 1)
    }
}
