extension Call {
    /// How a call is meant to be answered.
    public enum Mode: Sendable {
        case once, oneway, more
    }

    /// The bytes of a call of `method`, the NUL included.
    public static func encode<M: Method>(_ method: M, mode: Mode = .once) throws -> [UInt8] {
        var text = Array("{\"method\":".utf8) + JSON.quoted(M.name)
        switch mode {
        case .once: break
        case .oneway: text += ",\"oneway\":true".utf8
        case .more: text += ",\"more\":true".utf8
        }
        let parameters = try JSON.encode(method)
        if parameters != JSON.emptyObject { text += Array(",\"parameters\":".utf8) + parameters }
        text += "}\0".utf8
        return text
    }
}
