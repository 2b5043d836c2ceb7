import EventSource

/// Checks the event stream parser. The first byte determines the chunk sizes, and the second byte determines
/// the size limit.
func checkEventStream(_ bytes: [UInt8]) throws(PropertyViolation) {
    guard bytes.count > 2 else { return }
    let limit = bytes[1] < 128 ? EventStreamParser.defaultLimit : Int(bytes[1] & 31)
    let stream = bytes.dropFirst(2)
    var whole = EventStreamParser(limit: limit, lastEventID: "before")
    var (all, pieces): ([EventStreamParser.Output], [EventStreamParser.Output]) = ([], [])
    let failed = fails { () throws(EventTooLarge) in try whole.consume(stream, into: &all) }
    var cut = EventStreamParser(limit: limit, lastEventID: "before")
    let failedInPieces = fails { () throws(EventTooLarge) in
        for chunk in Chunks(stream, by: bytes[0]) { try cut.consume(chunk, into: &pieces) }
    }
    try require(failed == failedInPieces, "the limit does not depend on the chunks")
    try require(all == pieces, "the events do not depend on the chunks: \(all) and \(pieces)")
    try require(whole.lastEventID == cut.lastEventID, "the last event ID does not depend on the chunks")
    try require(whole.retry == cut.retry, "the retry time does not depend on the chunks")
    for output in all { try check(output, limit: limit) }
    if failed { return }
    let plain = PlainEventStream(stream, lastEventID: "before")
    try require(all == plain.outputs, "the outputs match the reference parser: \(all), not \(plain.outputs)")
    try require(whole.lastEventID == plain.lastEventID, "the last event ID matches the reference parser")
}

private func check(_ output: EventStreamParser.Output, limit: Int) throws(PropertyViolation) {
    switch output {
    case .event(let event):
        // Each invalid byte is replaced by U+FFFD, which takes three bytes in UTF-8.
        let size = event.data.utf8.count
        try require(size <= 3 * limit, "an event of \(size) bytes is within three times the limit \(limit)")
        let words = Array((event.id + event.type).utf8)
        try require(!words.contains { $0 == 10 || $0 == 13 }, "event IDs and types contain no line break")
        try require(!event.id.utf8.contains(0), "an event ID contains no NUL")
    case .comment(let text):
        try require(text.utf8.count <= 3 * limit, "a comment is within three times the limit")
    case .retry(let time):
        try require((0...Int(Int32.max)).contains(time), "\(time) ms is a valid retry time")
    }
}

private func fails(_ work: () throws(EventTooLarge) -> Void) -> Bool {
    do { try work() } catch { return true }
    return false
}
