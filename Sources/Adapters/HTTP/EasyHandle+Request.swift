import CCurl
import Threads

extension EasyHandle {
    /// Takes over `request`. A `stream` is asked for as it is, because a decoder would hold bytes back and
    /// blow up what must stay small while the reader is slow.
    func prepare(_ request: HTTPRequest, to address: Address, stream: Bool, _ minimum: TLSVersion) {
        set(CURLOPT_URL, address.url)
        setMethod(request)
        for field in request.headers {
            // libcurl's own way to say "empty": a bare "Name:" would take the header out.
            addField(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        if stream { addField("Accept-Encoding: identity") } else { set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        setSafety(address.origin, minimum)
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

    private func setSafety(_ origin: Address.Origin, _ minimum: TLSVersion) {
        set(CURLOPT_PROTOCOLS_STR, origin.isLoopback ? "https,http" : "https")
        if origin.isLoopback { set(CURLOPT_NOPROXY, "*") }
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_SSLVERSION, minimum == .v1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2)
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
        set(CURLOPT_BUFFERSIZE, 16 << 10)
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
