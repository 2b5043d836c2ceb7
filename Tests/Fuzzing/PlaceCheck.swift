import CutieAPI

/// Checks the parser for push payloads. The IDs in a payload become part of a request path.
func checkPushPayload(_ bytes: [UInt8]) throws(PropertyViolation) {
    guard let payload = try? PushPayload(json: bytes) else { return }
    try require(bytes.count <= PushPayload.sizeLimit, "a push payload is within the size limit")
    for id in [payload.conversation?.rawValue, payload.message?.rawValue] {
        guard let id else { continue }
        try require((1...256).contains(id.utf8.count), "an ID is 1 to 256 bytes long")
        try require(
            id.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F },
            "an ID contains no spaces and no control characters")
    }
}

/// Checks the parser for links: the text of a valid link must be parsed to an equal link.
func checkDeepLink(_ bytes: [UInt8]) throws(PropertyViolation) {
    guard let link = try? DeepLink(String(decoding: bytes, as: UTF8.self)) else { return }
    let text = link.text
    guard let again = try? DeepLink(text) else {
        throw PropertyViolation(description: "a link cannot be read again: \(text)")
    }
    try require(again == link, "a link is unchanged after formatting and parsing: \(link), not \(again)")
    try require(again.text == text, "a link has only one text form")
}
