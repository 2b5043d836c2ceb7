import YAML

/// A parsed config file without positions and formatting. Files with equal trees have the same effect.
enum ConfigurationTree: Hashable {
    /// A missing value, `~`, `null` or an empty group.
    case null
    case scalar(String, isPlain: Bool)
    case list([ConfigurationTree])
    /// Keys without a value are omitted, because they have no effect.
    case group([String: ConfigurationTree])

    init(_ node: YAMLNode?) {
        switch node?.content {
        case nil: self = .null
        case let content? where content.isNull: self = .null
        case .scalar(let text, let isPlain)?: self = .scalar(text, isPlain: isPlain)
        case .sequence(let nodes)?: self = .list(nodes.map { ConfigurationTree($0) })
        case .mapping(let members, _)?:
            let pairs = members.map { ($0.key, ConfigurationTree($0.value)) }
            let values = Dictionary(uniqueKeysWithValues: pairs).filter { $0.value != .null }
            self = values.isEmpty ? .null : .group(values)
        }
    }

    /// Returns the tree with `value` at `path`. If `value` is `nil`, removes the key and any group that
    /// becomes empty.
    func replacingValue(at path: ArraySlice<String>, with value: ConfigurationTree?) -> ConfigurationTree {
        guard let name = path.first else { return value ?? .null }
        var values: [String: ConfigurationTree] = [:]
        if case .group(let present) = self { values = present }
        if value == nil, values[name] == nil { return self }
        let changed = (values[name] ?? .null).replacingValue(at: path.dropFirst(), with: value)
        values[name] = changed == .null ? nil : changed
        return values.isEmpty ? .null : .group(values)
    }
}
