/// A value of a YAML text with its place. Tags are read over: what a word means is for its reader to say.
public struct YAMLNode: Hashable, Sendable {
    public let content: Content
    /// Where it begins. What begins with an anchor or a tag begins there.
    public let mark: YAMLMark

    public enum Content: Hashable, Sendable {
        /// `isPlain`: neither in quotes nor a block below `|` or `>`, so that `null` and `true` may mean more.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// In the order of the text, and no key twice. `isFlow`: in braces.
        case mapping([Member], isFlow: Bool)
    }

    /// A key with what is behind it.
    public struct Member: Hashable, Sendable {
        public let key: String
        /// Where the key begins.
        public let mark: YAMLMark
        public let value: YAMLNode
    }
}

extension YAMLNode.Content {
    /// The text of a word; nil for one in quotes.
    public var plain: String? { if case .scalar(let text, isPlain: true) = self { text } else { nil } }
}

/// A place in a text. What ends a line is what YAML 1.1 says: also U+0085, U+2028 and U+2029.
public struct YAMLMark: Hashable, Sendable {
    /// From 1.
    public let line: Int
    /// From 1, in scalars.
    public let column: Int

    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// What a tree may have.
public struct YAMLLimits: Sendable {
    /// Of sequences and mappings in each other.
    public let depth: Int
    /// Keys and values, each sequence and mapping one more.
    public let nodes: Int

    public init(depth: Int, nodes: Int) { (self.depth, self.nodes) = (depth, nodes) }
}

/// Why a text is no tree.
public struct YAMLError: Error, Hashable {
    public let reason: Reason
    /// Where. Of a key that is written twice, the first place.
    public let mark: YAMLMark

    public enum Reason: Hashable, Sendable {
        /// In libyaml's words.
        case syntax(String)
        /// An alias of an anchor. It can stand for any number of values.
        case alias
        case doubledKey(String)
        /// A sequence or a mapping in the place of a key.
        case keyIsNoText
        case secondDocument
        case tooDeep
        case tooManyNodes
    }
}
