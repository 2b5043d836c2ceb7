/// A check that rejects passwords that are easy to guess. The check does not require certain character
/// classes, because such rules lead to passwords that are hard to remember but easy to guess (NIST SP
/// 800-63B, 3.1.1.2).
public enum PasswordStrength {
    /// The minimum number of characters in a password.
    public static let minCharacters = 10
    /// The maximum length of a password in bytes. Longer passwords are slow to hash and not more secure.
    public static let maxBytes = 1024

    /// Returns the reason why a password is too weak, as a message for the user; `nil` if the password is
    /// strong enough.
    ///
    /// - Parameter knownWords: public data about the user, such as the name and the e-mail address.
    public static func findWeakness(in password: String, knownWords: [String]) -> String? {
        guard password.utf8.count <= maxBytes else {
            return "The password is too long: at most \(maxBytes) bytes are allowed."
        }
        guard password.count >= minCharacters else {
            return "The password is too short: at least \(minCharacters) characters are needed."
        }
        let readings = normalizedForms(of: password)
        if let word = significantWords(in: knownWords).first(where: {
            isMainPart($0, ofAny: readings, withFewerOtherCharactersThan: minCharacters)
        }) {
            return "The password is too similar to \u{201C}\(word)\u{201D}, which others know about you."
        }
        if common.contains(where: { isMainPart($0, ofAny: readings, withFewerOtherCharactersThan: 5) }) {
            return "The password is a common one. Use several unrelated words."
        }
        if countUnpredictablePairs(of: password.lowercased()) < 6 {
            return "The password repeats itself. Use several unrelated words."
        }
        return nil
    }

    /// Returns the number of distinct pairs of adjacent characters. Ignores pairs that are easy to guess:
    /// equal characters, and neighbors in the alphabet or on the keyboard.
    private static func countUnpredictablePairs(of text: String) -> Int {
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

    /// Returns the lowercase text, and the same text with common substitutions reverted, such as `3` for `e`.
    private static func normalizedForms(of text: String) -> [String] {
        let lower = text.lowercased()
        let letters: [Character: Character] = [
            "0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
        ]
        return [lower, String(lower.map { letters[$0] ?? $0 })]
    }

    private static func isMainPart(
        _ word: String, ofAny readings: [String], withFewerOtherCharactersThan limit: Int
    ) -> Bool {
        readings.contains { $0.contains(word) && $0.count < word.count + limit }
    }

    /// Returns the lowercase words in names and e-mail addresses. Omits words with fewer than four
    /// characters.
    private static func significantWords(in texts: [String]) -> [String] {
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
