import Libyaml

/// A wrapper for libyaml's parser: bytes in, events out. The bytes must not be moved or freed while the
/// parser exists.
struct YAMLEventParser: ~Copyable {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The parser. The structure is on the heap, because libyaml stores a pointer into the structure, which
    /// must not move.
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// Creates a parser.
    ///
    /// - Parameter bytes: the document. Must not be empty: the address of an empty buffer can be null, and
    ///   libyaml then aborts.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else { fatalError("no memory for reading YAML") }
        // Set the encoding, because libyaml could otherwise detect UTF-16 from the first bytes.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// Returns the next event. Must not be called after an error or `streamEnd`.
    mutating func nextEvent() throws(YAMLError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event)
    }

    private var failure: YAMLError {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "out of memory"
        // If libyaml's reader reports an error, only a byte offset is known, because the reader is ahead of
        // the code that counts lines.
        let mark =
            state.error == YAML_READER_ERROR
            ? YAMLMark(behind: bytes.prefix(state.problem_offset)) : YAMLMark(state.problem_mark)
        return YAMLError(reason: .syntax(problem), mark: mark)
    }
}

struct YAMLEvent {
    let kind: Kind
    /// The name after `&`; `nil` if the value has no anchor.
    let anchor: String?
    let mark: YAMLMark

    enum Kind {
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart(isFlow: Bool)
        /// An alias. The value is the name after `*`.
        case alias(String)
        /// An event without a value: the start of the stream, the start or end of a document, or the end of a
        /// sequence or mapping.
        case boundary
        case streamEnd
    }

    fileprivate init(_ event: yaml_event_t) {
        mark = YAMLMark(event.start_mark)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            // Use the length of the scalar, because the text of a scalar may contain NUL.
            let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(
                String(decoding: text, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            anchor = Self.anchorName(fromCString: scalar.anchor)
        case YAML_SEQUENCE_START_EVENT:
            (kind, anchor) = (.sequenceStart, Self.anchorName(fromCString: event.data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT:
            kind = .mappingStart(isFlow: event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE)
            anchor = Self.anchorName(fromCString: event.data.mapping_start.anchor)
        case YAML_ALIAS_EVENT:
            (kind, anchor) = (.alias(Self.anchorName(fromCString: event.data.alias.anchor) ?? ""), nil)
        case YAML_STREAM_END_EVENT: (kind, anchor) = (.streamEnd, nil)
        default: (kind, anchor) = (.boundary, nil)
        }
    }

    private static func anchorName(fromCString start: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        start.map { String(cString: $0) }
    }
}

extension YAMLMark {
    /// Converts libyaml's position, in which lines and columns are counted from 0.
    fileprivate init(_ mark: yaml_mark_t) { self.init(line: mark.line + 1, column: mark.column + 1) }

    /// Creates the position after `text`.
    init(behind text: Slice<UnsafeBufferPointer<UInt8>>) {
        var (line, column) = (1, 1)
        var previous = Unicode.Scalar(0 as UInt8)
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": (line, column) = (line + 1, 1)
            default: column += 1
            }
            previous = scalar
        }
        self.init(line: line, column: column)
    }
}
