import CCurl
import Reasons
import Runtime

/// A libcurl easy handle, and the memory that libcurl accesses through the handle: the header list and the
/// error message.
final class EasyHandle {
    let handle: CURLHandle
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// The TLS session cache. libcurl accesses the cache until the handle is freed.
    var sessions: TLSSessions?
    private let errorText: UnsafeMutablePointer<CChar>
    /// The first error from setting an option, for example because libcurl does not support the option.
    private var optionError: CURLcode = CURLE_OK

    init() throws(HTTPError) {
        guard let handle = curl_easy_init() else {
            throw HTTPError(.unsupported, .text("libcurl has no memory for a request"))
        }
        self.handle = handle
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        recordOptionResult(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText))
    }

    /// Frees the handle. The handle must already be removed from its pool.
    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(fields)
        errorText.deallocate()
    }

    /// libcurl's error message; empty if there is no error.
    var failureText: String { String(cString: errorText) }

    func setOption(_ option: CURLoption, to value: Int) {
        recordOptionResult(ccurl_set_long(handle, option, value))
    }
    func setOption(_ option: CURLoption, to value: String) {
        recordOptionResult(ccurl_set_string(handle, option, value))
    }

    private func setBody(_ bytes: [UInt8]) { recordOptionResult(ccurl_set_body(handle, bytes, bytes.count)) }

    private func addHeaderField(line: String) {
        // If `curl_slist_append` fails, the existing list stays valid.
        guard let longer = curl_slist_append(fields, line) else {
            return recordOptionResult(CURLE_OUT_OF_MEMORY)
        }
        fields = longer
        recordOptionResult(ccurl_set_header_fields(handle, longer))
    }

    /// Sets a callback for received data. libcurl passes `owner` to the callback, so `owner` must outlive the
    /// handle.
    func setReceiveCallback(
        callbackOption: CURLoption, callback receiver: curl_write_callback, dataOption data: CURLoption,
        owner: CURLHandle
    ) {
        recordOptionResult(ccurl_set_receiver(handle, callbackOption, receiver))
        recordOptionResult(ccurl_set_pointer(handle, data, owner))
    }

    /// Sets the callback that opens sockets. libcurl passes `owner` to the callback, so `owner` must outlive
    /// the handle.
    func setOpenSocketCallback(_ opener: curl_opensocket_callback, owner: CURLHandle) {
        recordOptionResult(ccurl_set_socket_opener(handle, opener))
        recordOptionResult(ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, owner))
    }

    func setPaused(_ isPaused: Bool) {
        curl_easy_pause(handle, isPaused ? CURLPAUSE_RECV : CURLPAUSE_CONT)
    }

    func value(of info: CURLINFO) -> Int { ccurl_get_long(handle, info) }

    /// Throws if setting an option failed, so that no request is sent without a required option.
    func requireAcceptedOptions() throws(HTTPError) {
        guard optionError == CURLE_OK else {
            throw HTTPError(
                .badRequest,
                .text("libcurl rejected the request: \(String(cString: curl_easy_strerror(optionError)))"))
        }
    }

    private func recordOptionResult(_ code: CURLcode) {
        if optionError == CURLE_OK { optionError = code }
    }

    /// Sets the options for `request`. Disables compression for a stream, because a decoder would delay data,
    /// and could expand the data beyond the size of the body buffer.
    func configure(for request: HTTPRequest, address: URLAddress, isStream stream: Bool, policy: TLSPolicy) {
        setOption(CURLOPT_URL, to: address.url)
        setMethodAndBody(from: request)
        for field in request.headers {
            // "Name;" is libcurl's syntax for a header with an empty value; "Name:" would remove the header.
            addHeaderField(line: field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if stream {
            addHeaderField(line: "Accept-Encoding: identity")
        } else {
            setOption(CURLOPT_ACCEPT_ENCODING, to: "gzip")
        }
        setSecurityOptions(for: address.origin, policy: policy)
        setConnectionOptions(for: request)
        setHTTPVersion(for: address.origin)
    }

    private func setMethodAndBody(from request: HTTPRequest) {
        switch (request.method, request.body) {
        case ("GET", nil): setOption(CURLOPT_HTTPGET, to: 1)
        case ("HEAD", nil): setOption(CURLOPT_NOBODY, to: 1)
        case (let method, let body):
            if let body = body ?? (method == "POST" ? [] : nil) {
                setOption(CURLOPT_POST, to: 1)
                setBody(body)
                // Remove two default headers of libcurl: the content type of forms, and "Expect", which would
                // delay the request until the server sends "100 Continue".
                if request.headers["Content-Type"] == nil { addHeaderField(line: "Content-Type:") }
                addHeaderField(line: "Expect:")
            }
            setOption(CURLOPT_CUSTOMREQUEST, to: method)
        }
    }

    private func setSecurityOptions(for origin: URLAddress.Origin, policy: TLSPolicy) {
        setOption(CURLOPT_PROTOCOLS_STR, to: origin.isLoopback ? "https,http" : "https")
        // Bypass proxies for loopback hosts and, if the policy restricts hosts, for IP addresses: a proxy
        // would connect on behalf of the daemon, possibly to an address that the policy forbids.
        if origin.isLoopback || policy.allowedHosts == .remoteOnly && origin.hasIPAddress {
            setOption(CURLOPT_NOPROXY, to: "*")
        }
        setOption(CURLOPT_FOLLOWLOCATION, to: 0)
        setOption(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: 1)
        setOption(
            CURLOPT_SSLVERSION,
            to: policy.minimumVersion == .v1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2)
    }

    private func setConnectionOptions(for request: HTTPRequest) {
        // Prevent libcurl from using signals, which could interrupt other threads.
        setOption(CURLOPT_NOSIGNAL, to: 1)
        // Do not wait for the resolver thread when a handle is removed during name resolution.
        setOption(CURLOPT_QUICK_EXIT, to: 1)
        // Set at least 1 ms, because 0 selects libcurl's default of 300 s.
        let limit = max(1, min(request.timeout, .seconds(30)).roundedUpMilliseconds)
        setOption(CURLOPT_CONNECTTIMEOUT_MS, to: Int(limit))
        setOption(CURLOPT_TCP_KEEPALIVE, to: 1)
        // The daemon stores the data of one read in one transaction, so a smaller buffer would halve the
        // throughput of a burst.
        setOption(CURLOPT_BUFFERSIZE, to: 64 << 10)
        setOption(CURLOPT_UPLOAD_BUFFERSIZE, to: 16 << 10)
    }

    /// Sets the HTTP version: HTTP/2 with TLS, and HTTP/1.1 without TLS. If HTTP/2 were allowed without TLS,
    /// libcurl would delay all other requests to the server until the first response arrives, even during a
    /// long poll.
    private func setHTTPVersion(for origin: URLAddress.Origin) {
        guard origin.scheme == "https" else {
            return setOption(CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_1_1)
        }
        setOption(CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_2TLS)
        // If a connection to the server is being established, wait for it: with HTTP/2, the requests can
        // share the connection.
        setOption(CURLOPT_PIPEWAIT, to: 1)
    }
}
