extension APIAddress {
    /// A name or an address, checked so that no two programs read it differently.
    struct Host {
        let name: String
        let isLoopback: Bool

        private init(name: String, isLoopback: Bool) {
            self.name = name
            self.isLoopback = isLoopback
        }

        init(_ text: Substring) throws(Invalid) {
            let name = text.lowercased()
            if name.hasPrefix("[") {
                let inner = name.dropFirst().dropLast()
                guard let address = IPv6Address(inner) else { throw .numericHost }
                self.init(name: String(inner), isLoopback: address.isLoopback)
            } else if Self.looksNumeric(name) {
                // `127.1`, `0x7f.0.0.1` and `0177.0.0.1` are 127.0.0.1 to some programs and names to others.
                guard let address = IPv4Address(name) else { throw .numericHost }
                self.init(name: name, isLoopback: address.isLoopback)
            } else {
                guard Self.isName(name) else { throw .host }
                self.init(name: name, isLoopback: name == "localhost")
            }
        }

        /// The last label is a number to somebody: all digits, or hexadecimal.
        private static func looksNumeric(_ name: String) -> Bool {
            guard let last = name.split(separator: ".", omittingEmptySubsequences: true).last else {
                return false
            }
            return last.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
                && (last.hasPrefix("0x")
                    || last.utf8.allSatisfy { Hexadecimal.value(of: $0).map { $0 < 10 } == true })
        }

        private static func isName(_ name: String) -> Bool {
            guard (1...253).contains(name.utf8.count) else { return false }
            return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy(isLabelByte)
            }
        }

        private static func isLabelByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
