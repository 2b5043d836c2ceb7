import CutieAPI
import OAuth

/// Checks the parsers for data from an authorization server or a browser: metadata, token responses, errors,
/// ID tokens and redirects.
func checkOAuth(_ bytes: [UInt8]) throws(Broken) {
    try checkMetadata(bytes)
    try checkAnswers(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    if let challenge = BearerChallenge(header: text), let scope = challenge.scope {
        try hold(Scope(text: scope.description) == scope, "a scope is its text")
    }
    if let redirect = try? Redirect(text) {
        try hold(Redirect.isRedirect(text), "what is read as a redirect is one")
        try hold(!redirect.state.isEmpty, "a redirect has a state")
    }
    try checkIDToken(bytes)
}

private func checkMetadata(_ bytes: [UInt8]) throws(Broken) {
    guard let said = try? JSON.decode(IssuerMetadata.self, from: bytes) else { return }
    guard let issuer = try? Issuer(said.issuer) else { return }
    guard let metadata = try? IssuerMetadata(json: bytes, of: issuer) else {
        return try hold(bytes.count > IssuerMetadata.sizeLimit, "metadata of its issuer is taken")
    }
    let kept = try? JSON.decode(IssuerMetadata.self, from: JSON.encode(metadata))
    try hold(kept == metadata, "metadata that is kept is the same: \(metadata)")
    for endpoint in [metadata.tokenEndpoint, metadata.userinfoEndpoint, metadata.revocationEndpoint] {
        let origin = endpoint?.origin ?? "https://none"
        try hold(
            origin.hasPrefix("https://") || origin.hasPrefix("http://127.")
                || origin.hasPrefix("http://[::1]")
                || origin.hasPrefix("http://localhost"), "no secret goes out in clear: \(origin)")
    }
}

private func checkAnswers(_ bytes: [UInt8]) throws(Broken) {
    if let answer = try? TokenResponse(json: bytes) {
        let isVisible = answer.accessToken.rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        try hold(isVisible, "a token fits into a header")
        try hold(answer.expiresIn ?? 1 > 0, "a token lives")
        let kept = try? JSON.decode(TokenResponse.self, from: JSON.encode(answer))
        try hold(kept == answer, "an answer comes back")
    }
    if let assertion = try? UserAssertion(json: bytes) {
        let isVisible = assertion.text.rawValue.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        try hold(isVisible && assertion.expiresIn ?? 1 > 0, "a statement is a word, and lives")
    }
    if let set = try? KeySet(json: bytes) {
        try hold(set.keys.allSatisfy { $0.subjectPublicKeyInfo.first == 0x30 }, "a key is DER")
    }
    if let key = try? JSON.decode(JSONWebKey.self, from: bytes) {
        let kept = try? JSON.decode(JSONWebKey.self, from: JSON.encode(key))
        try hold(kept == key, "a key comes back")
    }
    if let error = OAuthError(json: bytes, hiding: Redaction()) {
        try hold(!error.description.unicodeScalars.contains { $0.value < 32 }, "an error is one line")
    }
    if let device = try? DeviceAuthorization(json: bytes) {
        var polling = DevicePolling(device, now: .zero)
        try hold(polling.handle(.waited, now: .seconds(3601)) == .fail(.expired), "a code ends")
    }
}

private func checkIDToken(_ bytes: [UInt8]) throws(Broken) {
    let parts = [Array(#"{"alg":"ES256"}"#.utf8), bytes, [1]].map(Base64URL.encode)
    if let token = try? IDToken(parts.joined(separator: ".")) {
        let now = Timestamp(milliseconds: .max)
        let isOver =
            (try? token.checkClaims(issuer: token.issuer, clientID: "c", nonce: nil, now: now)) == nil
        try hold(isOver, "a token ends")
        let kept = try? JSON.decode(Claims.self, from: JSON.encode(token.claims))
        try hold(kept == token.claims, "claims that are kept are the same")
    }
    let encoded = Base64URL.encode(bytes)
    try hold(Base64URL.decode(encoded[...]) == bytes, "bytes come back from \(encoded)")
}
