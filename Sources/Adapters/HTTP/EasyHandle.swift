import CCurl

/// One libcurl easy handle with what it borrows: the header list and the error text.
final class EasyHandle {
    let handle: CURLHandle
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    /// An option that libcurl refused, for want of memory or of a feature.
    private var refusal: CURLcode = CURLE_OK

    init() throws(HTTPError) {
        guard let handle = curl_easy_init() else {
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

    func setBody(_ bytes: [UInt8]) { note(ccurl_set_body(handle, bytes, bytes.count)) }

    func addField(_ line: String) {
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
}
