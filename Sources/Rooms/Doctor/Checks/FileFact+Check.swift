extension FileFact {
    /// One check for the state, one for the socket.
    static func checks(_ files: [FileFact], user: UInt32) -> [Check] {
        [Group.state, .socket].map { group in
            check(group, files.filter { $0.group == group }, user: user)
        }
    }

    private static func check(_ group: Group, _ files: [FileFact], user: UInt32) -> Check {
        let present = files.filter { $0.found != nil }
        guard let first = present.first else {
            let place = files.first.map { "nothing is there yet: \($0.path)" }
            return Check(group.rawValue, .skipped, place ?? "the session has no place for it")
        }
        let flaws = present.compactMap { $0.flaw(user: user) }
        guard !flaws.isEmpty else {
            let names = present.dropFirst().compactMap { $0.path.split(separator: "/").last.map(String.init) }
            let others = names.isEmpty ? "" : " with " + names.joined(separator: ", ")
            return Check(group.rawValue, .ok, "yours alone: \(first.path)\(others)")
        }
        let advice = flaws.map(\.advice).joined(separator: " && ")
        return Check(
            group.rawValue, .failure, flaws.map(\.finding).joined(separator: ", "), advice: "type: " + advice)
    }

    private func flaw(user: UInt32) -> (finding: String, advice: String)? {
        guard let found else { return nil }
        let name = path.shellQuoted
        guard found.kind == expected else {
            return ("\(path) is no \(expected.rawValue)", "mv \(name) \((path + ".aside").shellQuoted)")
        }
        guard found.owner == user else {
            return ("\(path) belongs to user \(found.owner), not to you", "sudo chown \(user) \(name)")
        }
        let mode = String(wanted, radix: 8)
        guard found.mode != wanted else { return nil }
        let isOpen = found.mode & 0o077 != 0
        let what = isOpen ? "others may use \(path)" : "you cannot use \(path)"
        return ("\(what) (mode \(String(found.mode, radix: 8)) instead of \(mode))", "chmod \(mode) \(name)")
    }
}

extension String {
    /// As one word of a shell's command line.
    fileprivate var shellQuoted: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-".utf8.contains(byte)
            }
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}
