extension APIAddress {
    /// Reads a base URL, such as `https://api.cuti-e.com` or `http://127.0.0.1:8787/`.
    public init(_ text: String) throws(Invalid) {
        try Self.check(characters: text)
        let (scheme, rest) = try Self.scheme(of: text)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        guard !authority.contains("@") else { throw .userInformation }
        guard !rest.contains(where: { $0 == "?" || $0 == "#" }) else { throw .queryOrFragment }
        let (hostText, portText) = try Self.split(authority: authority)
        let host = try Host(hostText)
        guard scheme == .https || host.isLoopback else { throw .plainHTTP }
        self.init(
            scheme: scheme, host: host.name, port: try Self.port(portText, scheme: scheme),
            path: try Self.path(rest[slash...]), isLoopback: host.isLoopback)
    }

    /// Spaces, controls, backslashes and what is not ASCII are read differently by different programs.
    private static func check(characters text: String) throws(Invalid) {
        let foreign = text.utf8.contains { byte in
            byte <= 0x20 || byte >= 0x7F || #"\"<>^`{|}"#.utf8.contains(byte)
        }
        guard !foreign, text.utf8.count <= 2048 else { throw .characters }
    }

    private static func scheme(of text: String) throws(Invalid) -> (Scheme, Substring) {
        guard let colon = text.firstIndex(of: ":") else { throw .scheme }
        guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else { throw .scheme }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { throw .scheme }
        return (scheme, rest.dropFirst(2))
    }

    private static func split(authority: Substring) throws(Invalid) -> (host: Substring, port: Substring?) {
        let end: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw .numericHost }
            end = authority.index(after: bracket)
        } else {
            end = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let rest = authority[end...]
        guard !rest.isEmpty else { return (authority, nil) }
        guard rest.hasPrefix(":") else { throw .host }
        return (authority[..<end], rest.dropFirst())
    }

    private static func port(_ text: Substring?, scheme: Scheme) throws(Invalid) -> Int? {
        guard let text else { return nil }
        let digits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits, text.utf8.count <= 5, let port = Int(text), (1...65535).contains(port) else {
            throw .port
        }
        return port == (scheme == .https ? 443 : 80) ? nil : port
    }

    /// Without the slashes at its end. Dots in a path would be taken away by some and not by others.
    private static func path(_ text: Substring) throws(Invalid) -> String {
        let end = text.lastIndex { $0 != "/" }.map(text.index(after:)) ?? text.startIndex
        let path = text[..<end]
        for segment in path.split(separator: "/") {
            let plain = try decodingDots(segment)
            guard plain != ".", plain != ".." else { throw .path }
        }
        return String(path)
    }

    private static func decodingDots(_ segment: Substring) throws(Invalid) -> String {
        var plain = ""
        var rest = segment.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                plain.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                let low = rest.popFirst().flatMap(Hexadecimal.value)
            else { throw .path }
            let decoded = high << 4 | low
            guard decoded >= 0x20, decoded != 0x7F else { throw .path }
            plain.unicodeScalars.append(Unicode.Scalar(decoded))
        }
        return plain
    }
}
