/// Whether a password would stand being guessed. There is no rule about kinds of characters: they make passwords
/// that are hard to remember and easy to guess (NIST SP 800-63B, 3.1.1.2).
public enum PasswordStrength {
    /// Fewer characters are guessed by trying.
    public static let fewest = 10
    /// More bytes are no better, and cost the server time.
    public static let mostBytes = 1024

    /// What is wrong with `password`, in a sentence for the person; nil where it will do. `known` is what others
    /// know of the person, as name and e-mail address.
    public static func objection(to password: String, known: [String]) -> String? {
        guard password.utf8.count <= mostBytes else {
            return "The password is too long: \(mostBytes) bytes are enough."
        }
        guard password.count >= fewest else {
            return "The password is too short: it needs at least \(fewest) characters."
        }
        let readings = readings(of: password)
        if let word = words(known).first(where: { isLittleMore(than: $0, readings, by: fewest) }) {
            return "The password is little more than \u{201C}\(word)\u{201D}, which others know of you."
        }
        if common.contains(where: { isLittleMore(than: $0, readings, by: 5) }) {
            return "The password is one of the first that are tried. Take words that do not belong together."
        }
        if variety(of: password.lowercased()) < 6 {
            return "The password repeats itself. Take words that do not belong together."
        }
        return nil
    }

    /// How many steps from one character to the next are a surprise: neither the same character, nor the next in
    /// the alphabet or on the keyboard, nor one that followed the same character before.
    private static func variety(of text: String) -> Int {
        let characters = Array(text)
        var seen: Set<String> = []
        for (one, next) in zip(characters, characters.dropFirst()) where one != next {
            let step = String([one, next])
            if !rows.contains(where: { $0.contains(step) || $0.contains(String(step.reversed())) }) {
                seen.insert(step)
            }
        }
        return seen.count
    }

    private static let rows = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl",
        "zxcvbnm", "yxcvbnm",
    ]

    /// As it is, and without the disguise in which people write words to make passwords of them.
    private static func readings(of text: String) -> [String] {
        let lower = text.lowercased()
        let letters: [Character: Character] = [
            "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
        ]
        return [lower, String(lower.map { letters[$0] ?? $0 })]
    }

    private static func isLittleMore(than word: String, _ readings: [String], by most: Int) -> Bool {
        readings.contains { $0.contains(word) && $0.count < word.count + most }
    }

    /// Parts of names and addresses that are long enough to matter.
    private static func words(_ texts: [String]) -> [String] {
        texts.flatMap { $0.lowercased().split { !$0.isLetter && !$0.isNumber } }.map(String.init)
            .filter { $0.count >= 4 }
    }

    private static let common = [
        "password", "passwort", "kennwort", "motdepasse", "letmein", "welcome", "iloveyou", "sunshine",
        "princess", "football", "baseball", "superman", "dragon", "monkey", "master", "shadow", "michael",
        "jennifer", "charlie", "starwars", "whatever", "trustno", "freedom", "computer", "internet",
        "administrator", "changeme", "secret", "cutied", "qwerty", "qwertz", "azerty", "asdfgh", "abcdef",
        "123456", "654321", "111111", "000000", "121212", "123123", "112233", "696969",
    ]
}
