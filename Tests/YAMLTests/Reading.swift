import YAML

/// Parses `text` and returns the root of its tree. The default limits are sufficient for these tests.
func root(of text: String, depth: Int = 8, nodes: Int = 1000) throws(YAMLError) -> YAMLNode? {
    try YAMLNode.parse(text.utf8.span, limits: YAMLLimits(depth: depth, nodes: nodes))
}

/// Returns the description of a node on one line: `word` for a plain scalar, `"text"` for another scalar,
/// `[sequence]`, `(block mapping)` or `{flow mapping}`.
func outline(_ node: YAMLNode) -> String {
    switch node.content {
    case .scalar(let text, isPlain: true): return text
    case .scalar(let text, isPlain: false): return "\"" + text + "\""
    case .sequence(let nodes): return "[" + nodes.map { outline($0) }.joined(separator: ", ") + "]"
    case .mapping(let members, let isFlow):
        let pairs = members.map { $0.key + ": " + outline($0.value) }.joined(separator: ", ")
        return isFlow ? "{" + pairs + "}" : "(" + pairs + ")"
    }
}

/// Returns the positions (`line:column`) of all nodes and keys, in the order of the document.
func marks(_ node: YAMLNode) -> [String] {
    let inside: [String] =
        switch node.content {
        case .scalar: []
        case .sequence(let nodes): nodes.flatMap { marks($0) }
        case .mapping(let members, _): members.flatMap { [written($0.mark)] + marks($0.value) }
        }
    return [written(node.mark)] + inside
}

func written(_ mark: YAMLMark) -> String { "\(mark.line):\(mark.column)" }
