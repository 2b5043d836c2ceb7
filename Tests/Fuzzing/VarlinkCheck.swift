import Foundation
import JSONReading
import Varlink

/// Checks the Varlink parsers. The first byte determines the sizes of the chunks.
func checkVarlink(_ bytes: [UInt8]) throws(PropertyViolation) {
    guard let seed = bytes.first else { return }
    let limits = MessageLimits(bytes: 256, depth: 8)
    let whole = messages([bytes.dropFirst()], limits)
    let cut = messages(Array(Chunks(bytes.dropFirst(), by: seed)), limits)
    try require(whole.messages.starts(with: cut.messages), "messages do not depend on the chunks")
    try require(whole.failed || whole.messages == cut.messages, "no message is lost between chunks")
    for message in cut.messages {
        try require(message.count <= limits.bytes, "a message is within the limit")
        try checkJSON(message, limits)
        try checkCall(message, limits)
        try checkReply(message, limits)
    }
    try checkSession(Array(Chunks(bytes.dropFirst(), by: seed)), limits)
}

private func messages(
    _ chunks: [ArraySlice<UInt8>], _ limits: MessageLimits
) -> (messages: [[UInt8]], failed: Bool) {
    var decoder = MessageDecoder(limit: limits.bytes)
    var found: [[UInt8]] = []
    for chunk in chunks {
        decoder.append(chunk)
        do throws(MessageError) {
            while let message = try decoder.nextMessage() { found.append(message) }
        } catch {
            return (found, true)
        }
    }
    return (found, false)
}

/// Checks that the parser and Foundation accept the same JSON.
private func checkJSON(_ message: [UInt8], _ limits: MessageLimits) throws(PropertyViolation) {
    // Skips messages that do not begin with `{`, because Foundation could guess another encoding for them.
    guard message.first == UInt8(ascii: "{") else { return }
    var isTaken = true
    do throws(MessageError) { _ = try Call(decoding: message, depthLimit: limits.depth) } catch {
        if case .tooDeep = error { return }
        isTaken = error != .notJSON
    }
    let (text, hasLooseComma) = comparable(message)
    guard !hasLooseComma else { return try require(!isTaken, "JSON with a trailing comma is refused") }
    let isTakenThere = (try? JSONSerialization.jsonObject(with: Data(text))) != nil
    let shown = String(decoding: message, as: UTF8.self).debugDescription
    try require(isTaken == isTakenThere, "the parser and Foundation accept the same JSON: \(shown)")
}

/// Returns `message` with the digits of exponents replaced by 0, and whether a comma follows the last value.
/// Foundation differs from the parser in these cases: Foundation rejects numbers that are too large for its
/// types, and accepts a comma after the last value.
private func comparable(_ message: [UInt8]) -> (text: [UInt8], hasLooseComma: Bool) {
    var text = message
    var (isInString, isInExponent, isBehindComma, hasLooseComma) = (false, false, false, false)
    var index = 0
    while index < text.count {
        let byte = text[index]
        if isInString, byte == UInt8(ascii: "\\") { index += 1 }
        if byte == UInt8(ascii: "\"") { isInString.toggle() }
        if !isInString {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            if isInExponent, isDigit { text[index] = UInt8(ascii: "0") }
            isInExponent = "eE".utf8.contains(byte) || (isInExponent && (isDigit || "+-".utf8.contains(byte)))
            hasLooseComma = hasLooseComma || (isBehindComma && "]}".utf8.contains(byte))
            isBehindComma = byte == UInt8(ascii: ",") || (isBehindComma && " \t\r\n".utf8.contains(byte))
        }
        index += 1
    }
    return (text, hasLooseComma)
}

private func checkCall(_ message: [UInt8], _ limits: MessageLimits) throws(PropertyViolation) {
    guard let call = try? Call(decoding: message, depthLimit: limits.depth) else { return }
    try checkParameters(call.parametersJSON, of: message)
    let quoted = (try? JSONEncoder().encode(call.method)).map { Array($0) } ?? []
    let again =
        Array("{\"method\":".utf8) + quoted + Array(",\"parameters\":".utf8) + call.parametersJSON + [125]
    guard let copy = try? Call(decoding: again, depthLimit: limits.depth) else {
        throw PropertyViolation(
            description: "a call cannot be written again: \(String(decoding: again, as: UTF8.self))")
    }
    try require(copy.method == call.method, "the method is unchanged after encoding and decoding")
    try require(
        copy.parametersJSON == call.parametersJSON, "the parameters are unchanged after encoding and decoding"
    )
}

private func checkReply(_ message: [UInt8], _ limits: MessageLimits) throws(PropertyViolation) {
    guard let reply = try? Reply(decoding: message, depthLimit: limits.depth) else { return }
    try checkParameters(reply.parametersJSON, of: message)
    let encoded = reply.encoded
    try require(
        encoded.firstIndex(of: 0) == encoded.count - 1,
        "an encoded message contains a NUL only as its last byte")
    guard let copy = try? Reply(decoding: encoded.dropLast(), depthLimit: limits.depth) else {
        throw PropertyViolation(description: "a reply cannot be read again")
    }
    try require(
        copy.error == reply.error && copy.continues == reply.continues,
        "the error and the flag `continues` are unchanged after encoding and decoding")
    try require(
        copy.parametersJSON == reply.parametersJSON,
        "the parameters are unchanged after encoding and decoding")
}

/// Checks that `cut`, which the outline parser extracted from `message`, equals the parameters that a JSON
/// parser decodes.
private func checkParameters(_ cut: [UInt8], of message: [UInt8]) throws(PropertyViolation) {
    struct Whole: Decodable { let parameters: JSONValue? }
    guard let whole = try? JSONDecoder().decode(Whole.self, from: Data(message)) else { return }
    let seen = try? JSONDecoder().decode(JSONValue.self, from: Data(cut))
    let expected = whole.parameters.flatMap { $0 == .null ? nil : $0 } ?? .object([:])
    try require(
        seen == expected,
        "the outline parser and the JSON parser agree: \(expected), not \(String(describing: seen))")
    guard let seen, let text = try? JSONEncoder().encode(seen) else { return }
    let again = try? JSONDecoder().decode(JSONValue.self, from: text)
    try require(
        again == seen,
        "a value is unchanged after encoding and decoding: \(seen), not \(String(describing: again))")
}

/// Simulates a server that answers one call at a time and closes the session after an invalid message.
private func checkSession(_ chunks: [ArraySlice<UInt8>], _ limits: MessageLimits) throws(PropertyViolation) {
    var session = ServerSession(limits: limits)
    for chunk in chunks {
        session.receiveBytes(chunk)
        while case .success(let call?) = next(&session) {
            try require(session.needsReply, "the session waits for the reply to a call")
            let bytes = try? session.encodeReply(Reply(parametersJSON: Array("{}".utf8)))
            try require(bytes?.isEmpty == call.isOneway, "a call gets a reply unless the call is oneway")
            try require(!session.needsReply, "the session no longer waits after the reply")
        }
    }
}

private func next(_ session: inout ServerSession) -> Result<Call?, MessageError> {
    do { return .success(try session.nextCall()) } catch { return .failure(error) }
}
