/// A value in a YAML document, with its position. Tags are ignored, because the code that reads the value
/// determines its type.
public struct YAMLNode: Hashable, Sendable {
    public let content: Content
    /// The start of the value, or of its anchor or tag if it has one.
    public let mark: YAMLMark

    public enum Content: Hashable, Sendable {
        /// `isPlain`: whether the scalar is unquoted and not a block scalar. Only a plain scalar, such as
        /// `null` or `true`, can be a special value.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// The members in the order of the document; all keys are different. `isFlow`: whether the mapping is
        /// written in braces.
        case mapping([Member], isFlow: Bool)
    }

    public struct Member: Hashable, Sendable {
        public let key: String
        /// The position at which the key starts.
        public let mark: YAMLMark
        public let value: YAMLNode
    }
}

extension YAMLNode.Content {
    /// The text of a plain scalar; `nil` for quoted scalars and other values.
    public var plain: String? { if case .scalar(let text, isPlain: true) = self { text } else { nil } }
}

/// A position in a document. U+0085, U+2028 and U+2029 are line breaks too, as in YAML 1.1.
public struct YAMLMark: Hashable, Sendable {
    /// The line number of the position, counted from 1.
    public let line: Int
    /// The column of the position, counted from 1 in Unicode scalars.
    public let column: Int

    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// Limits on the size of the tree that is built from an untrusted document.
public struct YAMLLimits: Sendable {
    /// The maximum nesting depth of sequences and mappings.
    public let depth: Int
    /// The maximum number of nodes: each key, scalar, sequence and mapping counts as one.
    public let nodes: Int

    public init(depth: Int, nodes: Int) { (self.depth, self.nodes) = (depth, nodes) }
}

/// The error for a document that cannot be parsed.
public struct YAMLError: Error, Hashable {
    public let reason: Problem
    /// The position of the error; for a duplicate key, the position of the first occurrence.
    public let mark: YAMLMark

    public enum Problem: Hashable, Sendable {
        /// A syntax error with the message of libyaml.
        case syntax(String)
        /// An alias. Aliases are rejected, because a short document with aliases could expand to a huge
        /// number of values.
        case alias
        case duplicateKey(String)
        /// A sequence or mapping used as a key.
        case nonStringKey
        case secondDocument
        case tooDeep
        case tooManyNodes
    }
}
