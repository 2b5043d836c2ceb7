import CutieAPI
import OAuth

/// Checks the parsers for data from an authorization server or a browser: metadata, token responses, errors,
/// ID tokens and redirects.
func checkOAuth(_ bytes: [UInt8]) throws(PropertyViolation) {
    try checkMetadata(bytes)
    try checkAnswers(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    if let challenge = BearerChallenge(header: text), let scope = challenge.scope {
        try require(
            Scope(text: scope.description) == scope, "a scope is unchanged after formatting and parsing")
    }
    if let redirect = try? Redirect(text) {
        try require(Redirect.isRedirect(text), "a parsed redirect is recognized as a redirect")
        try require(!redirect.state.isEmpty, "a redirect has a state")
    }
    try checkIDToken(bytes)
}

private func checkMetadata(_ bytes: [UInt8]) throws(PropertyViolation) {
    guard let said = try? JSON.decode(IssuerMetadata.self, from: bytes) else { return }
    guard let issuer = try? Issuer(said.issuer) else { return }
    guard let metadata = try? IssuerMetadata(json: bytes, of: issuer) else {
        return try require(
            bytes.count > IssuerMetadata.sizeLimit,
            "metadata within the size limit is accepted for its own issuer")
    }
    let kept = try? JSON.decode(IssuerMetadata.self, from: JSON.encode(metadata))
    try require(kept == metadata, "metadata is unchanged after encoding and decoding: \(metadata)")
    for endpoint in [metadata.tokenEndpoint, metadata.userinfoEndpoint, metadata.revocationEndpoint] {
        let origin = endpoint?.origin ?? "https://none"
        try require(
            origin.hasPrefix("https://") || origin.hasPrefix("http://127.")
                || origin.hasPrefix("http://[::1]")
                || origin.hasPrefix("http://localhost"), "no secret is sent unencrypted to \(origin)")
    }
}

private func checkAnswers(_ bytes: [UInt8]) throws(PropertyViolation) {
    if let answer = try? TokenResponse(json: bytes) {
        let isVisible = answer.accessToken.rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        try require(isVisible, "a token contains only visible ASCII characters")
        try require(answer.expiresIn ?? 1 > 0, "the lifetime of a token is greater than zero")
        let kept = try? JSON.decode(TokenResponse.self, from: JSON.encode(answer))
        try require(kept == answer, "a token response is unchanged after encoding and decoding")
    }
    if let assertion = try? UserAssertion(json: bytes) {
        let isVisible = assertion.text.rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        try require(
            isVisible && assertion.expiresIn ?? 1 > 0,
            "an assertion contains only visible ASCII characters and has a lifetime greater than zero")
    }
    if let set = try? KeySet(json: bytes) {
        try require(
            set.keys.allSatisfy { $0.subjectPublicKeyInfo.first == 0x30 }, "a public key is encoded in DER")
    }
    if let key = try? JSON.decode(JSONWebKey.self, from: bytes) {
        let kept = try? JSON.decode(JSONWebKey.self, from: JSON.encode(key))
        try require(kept == key, "a key is unchanged after encoding and decoding")
    }
    if let error = OAuthError(json: bytes, hiding: Redaction()) {
        try require(!error.description.unicodeScalars.contains { $0.value < 32 }, "an error is one line")
    }
    if let device = try? DeviceAuthorization(json: bytes) {
        var polling = DevicePolling(device, now: .zero)
        try require(polling.handle(.waited, now: .seconds(3601)) == .fail(.expired), "a device code expires")
    }
}

private func checkIDToken(_ bytes: [UInt8]) throws(PropertyViolation) {
    let parts = [Array(#"{"alg":"ES256"}"#.utf8), bytes, [1]].map(Base64URL.encode)
    if let token = try? IDToken(parts.joined(separator: ".")) {
        let now = Timestamp(milliseconds: .max)
        let isOver =
            (try? token.checkClaims(issuer: token.issuer, clientID: "c", nonce: nil, now: now)) == nil
        try require(isOver, "an ID token expires")
        let kept = try? JSON.decode(Claims.self, from: JSON.encode(token.claims))
        try require(kept == token.claims, "claims are unchanged after encoding and decoding")
    }
    let encoded = Base64URL.encode(bytes)
    try require(Base64URL.decode(encoded[...]) == bytes, "\(encoded) is decoded to the original bytes")
}
