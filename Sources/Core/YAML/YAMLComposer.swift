extension YAMLNode {
    /// Parses `bytes`, ignoring a byte order mark. Returns `nil` if the document contains no values. The
    /// caller must limit the size of `bytes`.
    public static func parse(_ bytes: Span<UInt8>, limits: YAMLLimits) throws(YAMLError) -> YAMLNode? {
        try bytes.withUnsafeBufferPointer { (bytes) throws(YAMLError) in
            // Remove the byte order mark, because libyaml counts it as a column if the encoding is set.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let text = UnsafeBufferPointer(
                rebasing: bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0))
            guard !text.isEmpty else { return nil }
            try checkDirectiveCount(of: text)
            var composer = YAMLComposer(text, limits: limits)
            return try composer.composeRoot()
        }
    }

    /// Throws if more than 64 lines begin with `%`, which may be directives; valid files contain few. Before
    /// libyaml returns an event, it compares each `%TAG` directive with all previous directives, so 1 MiB of
    /// directives would take 15 seconds.
    private static func checkDirectiveCount(of text: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
        // The last bytes of the line endings in UTF-8.
        let ends: [UInt8] = [0x0A, 0x0D, 0x85, 0xA8, 0xA9]
        var (previous, count) = (ends[0], 0)
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "%"), ends.contains(previous) {
                count += 1
                guard count <= 64 else {
                    throw YAMLError(
                        reason: .syntax("found too many directives"),
                        mark: YAMLMark(behind: text.prefix(index)))
                }
            }
            previous = byte
        }
    }
}

/// A composer that builds a tree from events. The composer counts nodes while it builds the tree, and stops
/// at the limit, so that a huge tree is never in memory.
private struct YAMLComposer: ~Copyable {
    private var parser: YAMLEventParser
    private let limits: YAMLLimits
    private var count = 0
    private var anchors: Set<String> = []

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: YAMLLimits) {
        parser = YAMLEventParser(bytes)
        self.limits = limits
    }

    mutating func composeRoot() throws(YAMLError) -> YAMLNode? {
        _ = try parser.nextEvent()  // The start of the stream.
        // Any event other than the end of the stream is the start of a document.
        if case .streamEnd = try parser.nextEvent().kind { return nil }
        let root = try composeNode(depth: 0)
        _ = try parser.nextEvent()  // The end of the document.
        let event = try parser.nextEvent()
        guard case .streamEnd = event.kind else {
            throw YAMLError(reason: .secondDocument, mark: event.mark)
        }
        return root
    }

    /// Returns the next node; `nil` at the end of the sequence or mapping that contains it.
    private mutating func composeNode(depth: Int) throws(YAMLError) -> YAMLNode? {
        let event = try parser.nextEvent()
        switch event.kind {
        case .boundary, .streamEnd: return nil
        case .alias(let name): throw YAMLError(reason: rejectionReason(forAlias: name), mark: event.mark)
        case .scalar(let text, let isPlain):
            try countNode(startedBy: event, depth: depth)
            return YAMLNode(content: .scalar(text, isPlain: isPlain), mark: event.mark)
        case .sequenceStart:
            try countNode(startedBy: event, depth: depth)
            return YAMLNode(content: .sequence(try composeSequence(depth: depth)), mark: event.mark)
        case .mappingStart(let isFlow):
            try countNode(startedBy: event, depth: depth)
            return YAMLNode(
                content: .mapping(try composeMapping(depth: depth), isFlow: isFlow), mark: event.mark)
        }
    }

    private mutating func countNode(startedBy event: YAMLEvent, depth: Int) throws(YAMLError) {
        guard depth <= limits.depth else { throw YAMLError(reason: .tooDeep, mark: event.mark) }
        count += 1
        guard count <= limits.nodes else { throw YAMLError(reason: .tooManyNodes, mark: event.mark) }
        if let anchor = event.anchor { anchors.insert(anchor) }
    }

    /// Returns the reason why an alias is rejected. If no anchor has the name, the `*` is probably the
    /// start of an
    /// unquoted string, so the error contains the message that libyaml reports for an undefined alias.
    private func rejectionReason(forAlias name: String) -> YAMLError.Problem {
        anchors.contains(name) ? .alias : .syntax("found undefined alias")
    }

    private mutating func composeSequence(depth: Int) throws(YAMLError) -> [YAMLNode] {
        var nodes: [YAMLNode] = []
        while let node = try composeNode(depth: depth + 1) { nodes.append(node) }
        return nodes
    }

    private mutating func composeMapping(depth: Int) throws(YAMLError) -> [YAMLNode.Member] {
        var members: [YAMLNode.Member] = []
        var marks: [String: YAMLMark] = [:]
        while let key = try composeNode(depth: depth + 1) {
            guard case .scalar(let name, _) = key.content else {
                throw YAMLError(reason: .nonStringKey, mark: key.mark)
            }
            if let first = marks.updateValue(key.mark, forKey: name) {
                throw YAMLError(reason: .duplicateKey(name), mark: first)
            }
            guard let value = try composeNode(depth: depth + 1) else { break }
            members.append(YAMLNode.Member(key: name, mark: key.mark, value: value))
        }
        return members
    }
}
