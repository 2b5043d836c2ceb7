/// The language and the country a person reads messages in.
struct LocaleName: Hashable {
    /// ISO 639, lower case.
    let language: String?
    /// ISO 3166, upper case.
    let country: String?

    /// The first variable that is set decides, as in the C library.
    init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        self.init(names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "")
    }

    /// For instance `de_DE.UTF-8@euro`. `C`, `POSIX` and what is no locale tell nothing.
    init(_ name: String) {
        let plain = name.prefix { $0 != "." && $0 != "@" }
        let parts = plain.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.count), first.allSatisfy(Self.isLetter) else {
            language = nil
            country = nil
            return
        }
        language = first.lowercased()
        let second = parts.dropFirst().first
        country = second.flatMap { $0.count == 2 && $0.allSatisfy(Self.isLetter) ? $0.uppercased() : nil }
    }

    private static func isLetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }
}
