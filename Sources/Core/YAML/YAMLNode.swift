/// A value in a YAML document with its position. Tags are ignored, because the caller determines the type of
/// a value.
public struct YAMLNode: Hashable, Sendable {
    public let content: Content
    /// The start of the value, including its anchor or tag.
    public let mark: YAMLMark

    public enum Content: Hashable, Sendable {
        /// `isPlain`: whether the scalar is neither quoted nor a block scalar, so that `null` and `true` can
        /// be special values.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// The members in document order, without duplicate keys. `isFlow`: whether the mapping is written in
        /// braces.
        case mapping([Member], isFlow: Bool)
    }

    public struct Member: Hashable, Sendable {
        public let key: String
        /// The start of the key.
        public let mark: YAMLMark
        public let value: YAMLNode
    }
}

extension YAMLNode.Content {
    /// The text of a plain scalar; `nil` for quoted scalars and other values.
    public var plain: String? { if case .scalar(let text, isPlain: true) = self { text } else { nil } }
}

/// A position in a document. Lines end as in YAML 1.1, which includes U+0085, U+2028 and U+2029.
public struct YAMLMark: Hashable, Sendable {
    /// The line number, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int

    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// Limits that protect against documents that are too deep or too large.
public struct YAMLLimits: Sendable {
    /// The maximum nesting depth of sequences and mappings.
    public let depth: Int
    /// The maximum number of keys and values; a sequence or mapping counts as one.
    public let nodes: Int

    public init(depth: Int, nodes: Int) { (self.depth, self.nodes) = (depth, nodes) }
}

/// The error for a document that cannot be parsed.
public struct YAMLError: Error, Hashable {
    public let reason: Reason
    /// The position of the error; for a duplicate key, the position of the first occurrence.
    public let mark: YAMLMark

    public enum Reason: Hashable, Sendable {
        /// A syntax error with the message of libyaml.
        case syntax(String)
        /// An alias, which could expand to any number of values.
        case alias
        case duplicateKey(String)
        /// A sequence or mapping used as a key.
        case nonStringKey
        case secondDocument
        case tooDeep
        case tooManyNodes
    }
}
