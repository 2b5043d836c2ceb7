extension InvalidParameter {
    /// Names the parameter that could not be decoded, as `list[2].name`; nil where the error does not tell.
    init?(_ error: any Error) {
        guard let path = Self.path(of: error) else { return nil }
        self.init(parameter: path)
    }

    private static func path(of error: any Error) -> String? {
        switch error {
        case DecodingError.keyNotFound(let key, let context): path(context.codingPath + [key])
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            path(context.codingPath)
        default: nil
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String? {
        guard !keys.isEmpty else { return nil }
        return keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
