import CCurl

extension Transfer {
    /// What `code` means for the one who asked; nil for a clean end.
    func failure(_ code: CURLcode) -> HTTPError? {
        if let refusal { return refusal }
        switch code {
        case CURLE_OK: return nil
        case CURLE_COULDNT_RESOLVE_HOST:
            return HTTPError(
                .cannotResolve, "\(host) has no address\(detail); check the name and the network")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return HTTPError(.cannotResolve, "the proxy has no address\(detail); check the proxy settings")
        case CURLE_COULDNT_CONNECT, CURLE_PROXY:
            return HTTPError(.cannotConnect, "\(host) cannot be reached\(detail); check the network")
        case CURLE_OPERATION_TIMEDOUT: return timeout
        case CURLE_PEER_FAILED_VERIFICATION: return verificationFailure
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE: return handshakeFailure
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return HTTPError(.unsupported, "\(host) does not answer in HTTP as expected\(detail)")
        case CURLE_OUT_OF_MEMORY:
            // What libcurl says of a header line over its own limit.
            return HTTPError(.tooLarge, "\(host) sends a header line without end; the answer was dropped")
        case CURLE_URL_MALFORMAT: return HTTPError(.badRequest, "“\(request.url)” cannot be called\(detail)")
        default:
            return HTTPError(.interrupted, "the connection to \(host) broke\(detail)")
        }
    }

    var timeout: HTTPError {
        let waited = (SuspendingClock.now - started).components.seconds
        let what = head.isComplete ? "did not finish its answer" : "did not answer"
        return HTTPError(.timedOut, "\(host) \(what) within \(waited) s; it is tried again later")
    }

    private var detail: String {
        easy.failureText.isEmpty ? "" : " (\(easy.failureText))"
    }

    /// By OpenSSL's verify result. libcurl compares the name after the handshake, and leaves 0 or 1 then.
    private var verificationFailure: HTTPError {
        switch easy.answer(CURLINFO_SSL_VERIFYRESULT) {
        case 0, 1, 62, 64:
            tls(.wrongHost, "is for another host; check the address, or the network that answers for it")
        case 9: tls(.certificateNotYetValid, "is not valid yet; check this computer's clock")
        case 10: tls(.certificateExpired, "has expired; check this computer's clock, or tell the operator")
        case 50:
            tls(
                .pinMismatch,
                "is valid but has no pinned key; somebody may be listening in, or tls.pins is out of date")
        case 2, 18...21: tls(.unknownIssuer, "comes from an unknown issuer; for a private CA set tls.ca_file")
        default: tls(.handshake, "is refused\(detail)")
        }
    }

    private func tls(_ failure: HTTPError.TLSFailure, _ what: String) -> HTTPError {
        HTTPError(.tls(failure), "the certificate of \(host) \(what)")
    }

    private var handshakeFailure: HTTPError {
        guard let reason = easy.openSSLReason, [0x102, 0x42E].contains(reason) else {
            return HTTPError(.tls(.handshake), "no secure connection to \(host)\(detail)")
        }
        return HTTPError(
            .tls(.protocolVersion), "\(host) speaks no TLS version that is allowed; see tls.min_version")
    }
}

extension EasyHandle {
    /// The reason number in OpenSSL's `error:0A00042E:...`, which libcurl passes on as text only:
    /// 0x102 is SSL_R_UNSUPPORTED_PROTOCOL, 0x42E SSL_R_TLSV1_ALERT_PROTOCOL_VERSION.
    fileprivate var openSSLReason: Int? {
        let parts = failureText.split(separator: ":")
        guard let index = parts.firstIndex(where: { $0.hasSuffix("error") }), index + 1 < parts.count
        else { return nil }
        return Int(parts[index + 1], radix: 16).map { $0 & 0x7F_FFFF }
    }
}
